staircase <- c(rep(3, 12), rep(1.3, 48), 1 + 0.01 * sin(1.7 * 60:199))
ways <- list(
  "one series" = changepoints,
  "many series" = function(x, penalty = 15 * log(length(x))) {
    changepoints_many(cbind(x, rev(x)), penalty)[series == 1, cut]
  }
)

for (way in names(ways)) {
  cuts_of <- ways[[way]]

  test_that(paste("R's Nile: golden values of STATISTICS.md:", way), {
    nile <- as.numeric(datasets::Nile)
    expect_identical(cuts_of(nile, 3 * log(100)), c(4L, 6L, 28L, 97L))
    expect_identical(cuts_of(nile, 4 * log(100)), c(4L, 6L, 28L))
    expect_identical(cuts_of(nile, 15 * log(100)), integer())
  })

  test_that(paste("200 points that step down twice: golden values:", way), {
    expect_identical(cuts_of(staircase), c(12L, 60L))
    expect_identical(cuts_of(staircase * 1e6), c(12L, 60L))
  })

  test_that(paste("partitioning is exact: no partition of a short series costs less:", way), {
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
    expect_equal(total(cuts_of(x, penalty)), best)
  })

  test_that(paste("too few values have no changepoint:", way), {
    expect_identical(cuts_of(c(1, 9, 1)), integer())
  })
}
