# Figures of what was observed besides time, from a made-up chromiak.
skip_if_not_installed("ggplot2")

observed_study <- local({
  cells <- CJ(
    protocol = c("as-published", "steady-state"), factor.cipher = c("AES", "Blowfish"), workload = c("chain", "bytes"),
    factor.strength = ""
  )
  keys <- CJ(
    protocol = c("as-published", "steady-state"), factor.cipher = "", workload = c("ec-key", "rsa-key"),
    factor.strength = c("80", "112")
  )
  cells <- rbind(cells, keys, use.names = TRUE)
  cells[, `:=`(cell = paste(workload, factor.cipher, factor.strength, sep = ":"), experiment = "chromiak", ns = 1e5)]
  forks <- made_up_forks(cells, count = 5)
  forks[, fork := .I, by = round]
  forks[, `:=`(steady_from = 1, pauses = 0, pause_ms = 0, valid = TRUE)]
  set.seed(5)
  noise <- function(n) exp(stats::rnorm(n, 0, 0.01))
  observed <- forks[workload == "chain", .(
    measure = c(
      "step.generate-key", "step.encrypt", "total", "share.generate-key", "share.encrypt",
      "key-over-encrypt", "key-over-encrypt.without-seeding", "total.without-seeding", "later.key-over-encrypt",
      "later.total"
    ), value = c(30, 70, 100, 0.3, 0.7, 0.43, 0.25, 90, 0.11, 80) * noise(10), sd = 1
  ), by = fork_key]
  byte <- forks[workload == "bytes", .(
    measure = c("deviation.1", "deviation.100", "length.1", "length.100", "zero-share.100"),
    value = c(1, 1, 5000, 5e5, 1 / 256) * noise(5), sd = NA
  ), by = fork_key]
  counts <- forks[workload == "bytes", .(
    iteration = 1, measure = "bytes.100", position = 0:255, count = stats::rpois(256, 2000)
  ), by = fork_key]
  list(forks = forks, observed = rbind(observed, byte), counts = counts)
})

observed_data <- function(study = observed_study) {
  dir <- tempfile("tidy")
  dir.create(dir)
  write_table(study$forks, file.path(dir, "forks.csv"))
  write_table(study$counts, file.path(dir, "counts.csv.gz"))
  definitions <- example_definitions
  definitions$experiments[[1]] <- modifyList(definitions$experiments[[1]], list(id = "chromiak", factors = list(
    strength = list("80" = list(bits = 1024, curve = "secp160r1"), "112" = list(bits = 2048, curve = "secp224r1"))
  ), workloads = list(chain = list(), bytes = list(), "ec-key" = list(), "rsa-key" = list()), claims = list()))
  tables <- drawn_tables(study$forks[valid == TRUE], definitions, study$observed)
  for (name in names(tables)) write_table(tables[[name]], file.path(dir, paste0(name, ".csv")))
  file <- file.path(dir, "definitions.json")
  writeLines(jsonlite::toJSON(definitions, auto_unbox = TRUE, digits = NA), file)
  read_report_data(dir, file, tempfile("none"), dir, tempfile("none"))
}

own_figures <- c("bytes", "strength")
drawn_of <- function(data) {
  parts <- report_figures()
  draw_figures(parts[grepl(paste(own_figures, collapse = "|"), names(parts))], data)
}

test_that("bytes and strengths are drawn, with words for who can't see them", {
  figures <- drawn_of(observed_data())
  expect_setequal(unique(sub("-.*", "", vapply(figures, function(figure) figure$id, ""))), own_figures)
  for (figure in figures) {
    expect_true(nzchar(figure$alt) && figure$height_mm <= page_height_mm)
    dir <- tempfile("figure")
    dir.create(dir)
    write_svg(figure, dir)
    expect_gt(file.size(file.path(dir, figure$file)), 500)
  }
})

test_that("every number drawn is its row's", {
  data <- observed_data()
  expect_rows_drawn(drawn_of(data), data)
})

test_that("forks that broke a gate are in no figure", {
  study <- observed_study
  broken <- copy(study$forks)[number == 1, `:=`(number = 99L, fork = fork + 1000L, round = "r099")]
  broken <- broken[number == 99][, `:=`(valid = FALSE, wall_ns_per_op = 1e9, cpu_ns_per_op = 1e9)]
  slow <- copy(study$observed)[fork %in% (broken$fork - 1000L)]
  slow <- slow[, `:=`(fork = fork + 1000L, round = "r099", value = 1e9)]
  again <- study
  again$forks <- rbind(study$forks, broken)
  again$observed <- rbind(study$observed, slow)
  numbers <- function(study) {
    figures <- drawn_of(observed_data(study))
    lapply(figures, function(figure) c(figure$alt, figure$caption))
  }
  expect_identical(numbers(again), numbers(study))
})

test_that("a run that observed nothing has none of these figures", {
  study <- observed_study
  study$observed <- study$observed[0]
  study$counts <- study$counts[0]
  study$forks <- copy(study$forks)[, factor.strength := NULL]
  expect_length(drawn_of(observed_data(study)), 0)
})
