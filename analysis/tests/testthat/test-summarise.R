set.seed(83)
summarised <- function(...) summarise_run(read_run(jmh_folder(...), cores = 1L)$forks)

test_that("the row of a cell is the report's own estimate of its forks", {
  raw <- jmh_forks_of(100, 8, iterations = 15)
  row <- summarised("dir/a.json" = jmh_text(jmh_result(raw)))
  means <- vapply(raw, mean, 0)
  parts <- fork_components(means, vapply(raw, sd, 0), rep(15, 8))
  half <- t_half_width(sd(means), 8)
  expect_equal(
    row[, c(forks, iterations, mean, lower, upper, half_width_pct, sd_between, sd_within)],
    c(
      8, 120, mean(means), mean(means) - half, mean(means) + half, 100 * half / mean(means), sd(means),
      sqrt(parts$s1_squared)
    )
  )
  expect_identical(
    row[, c(file, benchmark, param.size, mode, unit, steady, note)],
    c("dir/a.json", "b.B.run", "1024", "avgt", "us/op", "flat", "")
  )
})

test_that("one fork has a mean, no interval, and says so", {
  row <- summarised("a.json" = jmh_text(jmh_result(list(c(1, 2, 3)))))
  expect_identical(row$mean, 2)
  expect_true(all(is.na(row[, .(lower, upper, half_width_pct, sd_between)])))
  expect_match(row$note, "one fork: no interval")
})

test_that("what couldn't be estimated is said", {
  text <- sub("77", "\"NaN\"", jmh_text(jmh_result(list(1, 77), forks = 4, primaryMetric = list(score = "NaN"))))
  row <- summarised("a.json" = text)
  expect_identical(row$forks, 1L)
  for (part in c("one fork", "1 of 2 forks have no number", "2 of 4 planned", "1 iterations have no number")) {
    expect_match(row$note, part)
  }
  nothing <- summarised(
    "a.json" = sub("77", "\"NaN\"", jmh_text(jmh_result(list(77), primaryMetric = list(score = "NaN"))))
  )
  expect_identical(nothing$mean, NA_real_)
  expect_match(nothing$note, "no fork has a number")
})

test_that("every file of JMH has its rows", {
  rows <- summarise_run(read_run(jmh_fixtures())$forks)
  expect_identical(rows[metric == "", .N, keyby = file]$N, c(1L, 4L, 3L, 1L, 1L))
  expect_identical(rows[file == "modes.json", paste(mode, unit)], c("avgt us/op", "ss us/op", "thrpt ops/us"))
})

test_that("forks that start differently are said to", {
  warm <- c(rep(200, 10), rep(100, 30)) * exp(rnorm(40, 0, 0.005))
  row <- summarised("a.json" = jmh_text(jmh_result(c(list(warm), jmh_forks_of(100, 5, iterations = 40)))))
  expect_identical(row$steady, "mixed")
  expect_match(row$note, "1 of 6 forks warmed up while they were measured")
})

test_that("iterations that failed are said in the row", {
  row <- summarised("a.json" = jmh_text(jmh_result(list(c(1, 2, 3), c(3, 4)), measurementIterations = 3)))
  expect_match(row$note, "1 of 2 forks have fewer iterations than the 3 planned")
})

test_that("profilers' metrics have rows, with zeros and intervals", {
  metric <- list(score = 2, scoreUnit = "B/op", rawData = lapply(list(c(0, 4), c(1, 3), c(2, 2)), as.list))
  result <- jmh_result(list(c(1, 2), c(2, 3), c(3, 4)), secondaryMetrics = list(gc.alloc.rate.norm = metric))
  rows <- summarised("a.json" = jmh_text(result))
  expect_identical(rows$metric, c("", "gc.alloc.rate.norm"))
  expect_equal(rows[2, c(mean, sd_between)], c(2, 0))
  expect_identical(rows[2, c(unit, steady)], c("B/op", "not sought"))
})

set.seed(82)
raw <- tempfile("raw")
cells <- kofahi_cells(c(DES = 3e6, AES = 2e5))
for (number in 1:3) write_round(raw, "kofahi2013", "debian-12-temurin-17", number, cells)

test_that("our own rounds are forks too: the means of the tidy table, what names a cell as parameters", {
  run <- read_run(raw)
  tidy <- tidy_rounds(raw, find_rounds(raw))$forks
  setorder(tidy, cell, round)
  found <- run$forks[order(param.cipher != "DES", fork)]
  expect_equal(found$mean, tidy$wall_ns_per_op)
  expect_equal(found$sd, tidy$sd_within_wall_ns)
  expect_identical(found$steady, tidy$steady)
  expect_identical(found$fork, rep(1:3, 2))
  expect_identical(unique(found$file), "kofahi2013/debian-12-temurin-17")
  expect_identical(unique(found$param.protocol), "steady-state")
  expect_identical(unique(found[, .(mode, unit)]), data.table(mode = "avgt", unit = "ns/op"))
})

test_that("any directory above or of a round will do", {
  whole <- read_run(raw)$forks
  expect_equal(read_run(file.path(raw, "kofahi2013/debian-12-temurin-17"))$forks, whole)
  expect_identical(nrow(read_run(file.path(raw, "kofahi2013/debian-12-temurin-17/r002"))$forks), 2L)
})

test_that("JMH files beside rounds are read as well, those of rounds aren't read twice", {
  write <- file.path(raw, "mine.json")
  writeLines(jmh_text(jmh_result(jmh_forks_of(100))), write)
  run <- read_run(raw)
  unlink(write)
  expect_identical(table(run$forks$file)[["mine.json"]], 6L)
  expect_identical(nrow(run$forks), 12L)
})
