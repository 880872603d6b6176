inside("steady")

test_that("R's Nile: golden values of STATISTICS.md", {
  nile <- as.numeric(datasets::Nile)
  expect_identical(changepoints(nile, 3 * log(100)), c(4L, 6L, 28L, 97L))
  expect_identical(changepoints(nile, 4 * log(100)), c(4L, 6L, 28L))
  expect_identical(changepoints(nile, 15 * log(100)), integer())
})

staircase <- c(rep(3, 12), rep(1.3, 48), 1 + 0.01 * sin(1.7 * 60:199))

test_that("200 points that step down twice: golden values", {
  expect_identical(changepoints(staircase), c(12L, 60L))
  expect_identical(changepoints(staircase * 1e6), c(12L, 60L))
})

test_that("partitioning is exact: no partition of a short series costs less", {
  set.seed(5)
  x <- c(rnorm(5), rnorm(5, 4, 0.1))
  cost <- function(values) {
    length(values) * (log(2 * pi) + log(max(mean((values - mean(values))^2), 1e-11)) + 1)
  }
  penalty <- 3
  total <- function(cuts) {
    parts <- split(x, findInterval(seq_along(x), cuts + 1))
    if (any(lengths(parts) < 2)) return(Inf)
    sum(vapply(parts, cost, 0)) + penalty * length(cuts)
  }
  all_cuts <- lapply(0:(2^9 - 1), function(bits) which(bitwAnd(bits, 2^(0:8)) > 0))
  best <- min(vapply(all_cuts, total, 0))
  expect_equal(total(changepoints(x, penalty)), best)
})

test_that("too few values have no changepoint", {
  expect_identical(changepoints(c(1, 9, 1)), integer())
})
