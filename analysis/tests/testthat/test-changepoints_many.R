inside("steady")

one_by_one <- function(x, penalty, floor) {
  cuts <- lapply(seq_len(ncol(x)), function(series) {
    cut <- changepoints(x[, series], penalty, floor = floor[series])
    data.table(series = rep(series, length(cut)), cut = cut)
  })
  rbindlist(cuts)
}

# Series of every kind that forks show.
made_up_series <- function(kind, n, m) {
  noise <- matrix(rnorm(n * m, 100, 1), n)
  switch(kind,
    flat = noise,
    "warm-up" = noise + 100 * exp(-(seq_len(n) - 1) / (n / 20)),
    step = noise * ifelse(row(noise) <= rep(sample(n - 4, m, TRUE) + 2, each = n), 1.05, 1),
    correlated = apply(noise - 100, 2, function(e) 100 + stats::filter(e, 0.7, "recursive")),
    "several steps" = noise + 5 * apply(
      noise, 2, function(x) rnorm(5)[findInterval(seq_len(n), sort(sample(n, 4))) + 1]
    ),
    "coarse clock" = round(noise),
    outliers = matrix(100 * exp(rt(n * m, 2) / 100), n)
  )
}

for (kind in c("flat", "warm-up", "step", "correlated", "several steps", "coarse clock", "outliers")) {
  test_that(paste("many series at once have the changepoints each has alone:", kind), {
    set.seed(51)
    for (n in c(5, 20, 83, 140)) {
      x <- made_up_series(kind, n, 40)
      floor <- (1e-4 * apply(x, 2, median))^2
      penalty <- steady_penalty(n)
      many <- changepoints_many(x, penalty, floor = floor)
      expect_equal(many, one_by_one(x, penalty, floor), check.attributes = FALSE)
    }
  })
}

test_that("golden values hold", {
  nile <- as.numeric(datasets::Nile)
  two <- cbind(nile, rev(nile))
  expect_identical(changepoints_many(two, 3 * log(100))[series == 1, cut], c(4L, 6L, 28L, 97L))
  expect_identical(changepoints_many(two, 4 * log(100))[series == 1, cut], c(4L, 6L, 28L))
  expect_identical(nrow(changepoints_many(two, 15 * log(100))), 0L)
  staircase <- c(rep(3, 12), rep(1.3, 48), 1 + 0.01 * sin(1.7 * 60:199))
  expect_identical(changepoints_many(cbind(staircase, 2 * staircase))$cut, c(12L, 60L, 12L, 60L))
})

test_that("too few values or no series have no changepoint", {
  expect_identical(nrow(changepoints_many(matrix(c(1, 9, 1), 3))), 0L)
  expect_identical(nrow(changepoints_many(matrix(numeric(), 20, 0))), 0L)
})
