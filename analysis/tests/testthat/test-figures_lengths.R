# The curve of a claim of linearity is that of its contrast.
skip_if_not_installed("ggplot2")

length_data <- function(change = identity) {
  set.seed(44)
  sizes <- c("1 KB" = 1024, "32 KB" = 32768, "1 MB" = 1048576)
  definitions <- example_definitions
  study <- definitions$experiments[[1]]
  study$id <- "grows"
  study$factors <- list(size = lapply(sizes, function(bytes) list(bytes = bytes)))
  study$workloads <- list(encrypt = list(factors = list("size")))
  study$claims <- list(S1 = list(
    text = "linear", form = "linear", parameters = list(margin = 0.05, deviation = 0.05),
    among = list(workload = list("encrypt")), compare = list(factor = "size", levels = as.list(names(sizes)))
  ))
  definitions$experiments <- list(study)
  cells <- data.table::data.table(
    workload = "encrypt", factor.size = names(sizes), cell = names(sizes), ns = 2000 + 3 * sizes, experiment = "grows",
    environment = "b-21"
  )
  forks <- made_up_forks(cells, 6, cv = 0.005)[, `:=`(fork = .I, valid = TRUE, stage = 1L, steady_from = 1)]
  dir <- tempfile("tidy")
  dir.create(dir)
  judged <- judge_made_up(forks, definitions)
  written <- judged[c("contrasts", "verdicts")]
  tables <- c(drawn_tables(forks, definitions), written, list(forks = change(forks)))
  for (name in names(tables)) write_table(tables[[name]], file.path(dir, paste0(name, ".csv")))
  file <- file.path(dir, "definitions.json")
  jsonlite::write_json(definitions, file, auto_unbox = TRUE, null = "null")
  read_report_data(dir, file, tempfile("none"), dir, tempfile("none"))
}
drawn_lengths <- function(data) report_figures()$lengths(data)[[1]]

test_that("the curve drawn is the contrast's, and the exponent told is its estimate", {
  data <- length_data()
  figure <- drawn_lengths(data)
  row <- data$contrasts
  expect_identical(nrow(row), 1L)
  expect_match(figure$caption, sprintf("encrypt sunjce %.3f", row$ratio), fixed = TRUE)
  curve <- figure$plot$layers[[1]]$data
  expect_identical(unique(curve$contrast), row$contrast)
  expect_equal(curve$time, row$intercept + row$slope * curve$bytes^row$ratio)
  expect_identical(nrow(figure$plot$data), 18L)
  expect_s3_class(ggplot2::ggplot_build(figure$plot)$plot, "ggplot")
})

test_that("a fork that broke a gate is no point", {
  data <- length_data(function(forks) data.table::copy(forks)[2, valid := FALSE])
  expect_identical(nrow(drawn_lengths(data)$plot$data), 17L)
})
