test_that("percentiles are JMH's own, of the same samples", {
  result <- jsonlite::fromJSON(file.path(jmh_fixtures(), "sample.json"), simplifyVector = FALSE)[[1]]
  samples <- matrix(unlist(result$primaryMetric$rawDataHistogram), 2)
  median <- sample_percentiles(samples[1, ], samples[2, ])[["p0.50"]]
  expect_equal(median, result$primaryMetric$scorePercentiles[["50.0"]])
  values <- as.numeric(1:999)
  # By hand: place 0.95 * 1000 is the 950th, 0.999 * 1000 the last.
  expect_equal(sample_percentiles(rev(values), rep(1, 999))[c("p0.50", "p0.95")], c(p0.50 = 500, p0.95 = 950))
  expect_equal(
    sample_percentiles(c(10, 20), c(30, 10))[["p0.50"]], 10
  )
  # Between the 15th and the 16th of 30: half of each.
  expect_equal(sample_percentiles(c(1, 2), c(15, 15))[["p0.50"]], 1.5)
})

test_that("a percentile with fewer than ten samples beyond it is not told", {
  found <- sample_percentiles(as.numeric(1:1000), rep(1, 1000))
  expect_identical(names(found)[is.na(found)], c("p0.999", "p0.9999"))
})

test_that("each fork's percentiles are a metric of its result", {
  set.seed(80)
  fork <- function(level) list(lapply(sort(level * rexp(200)), function(value) list(value, 1)))
  raw <- list(fork(100), fork(200))
  of_fork <- lapply(raw, function(fork) vapply(fork[[1]], `[[`, 0, 1))
  result <- jmh_result(list(1, 1), mode = "sample", primaryMetric = list(score = "NaN"))
  result$primaryMetric$rawData <- NULL
  result$primaryMetric$rawDataHistogram <- raw
  result$measurementIterations <- 1
  result$secondaryMetrics <- list("p0.50" = list(score = 1, scoreUnit = "us/op", rawData = list(list(1), list(1))))
  forks <- jmh_forks(read_jmh_directory(jmh_folder("a.json" = jmh_text(result)), cores = 1L), cores = 1L)
  expect_setequal(forks$metric, c("", "p0.50", "p0.90", "p0.95"))
  expect_equal(forks[metric == "p0.90", mean], vapply(of_fork, quantile, 0, 0.9, type = 6, names = FALSE))
  expect_identical(forks[metric == "p0.50", fork], 1:2)
  expect_identical(unique(forks$iterations), 1L)
})
