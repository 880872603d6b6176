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
      expect_equal(many, one_by_one(x, penalty, floor), ignore_attr = TRUE)
    }
  })
}

test_that("no series have no changepoint", {
  expect_identical(nrow(changepoints_many(matrix(numeric(), 20, 0))), 0L)
})
