staircase <- c(rep(3, 12), rep(1.3, 48), 1 + 0.01 * sin(1.7 * 60:199))
cuts_of <- function(x, penalty = 15 * log(length(x))) changepoints_many(cbind(x, rev(x)), penalty)[series == 1, cut]

test_that("R's Nile: golden values of STATISTICS.md", {
  nile <- as.numeric(datasets::Nile)
  expect_identical(cuts_of(nile, 3 * log(100)), c(4L, 6L, 28L, 97L))
  expect_identical(cuts_of(nile, 4 * log(100)), c(4L, 6L, 28L))
  expect_identical(cuts_of(nile, 15 * log(100)), integer())
})

test_that("200 points that step down twice: golden values", {
  expect_identical(cuts_of(staircase), c(12L, 60L))
  expect_identical(cuts_of(staircase * 1e6), c(12L, 60L))
})

test_that("too few values have no changepoint", {
  expect_identical(cuts_of(c(1, 9, 1)), integer())
})

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

kinds <- c("flat", "warm-up", "step", "correlated", "several steps", "coarse clock", "outliers")

test_that("partitioning is exact: no partition of a short series costs less", {
  set.seed(5)
  n <- 10
  penalty <- 3
  every <- lapply(0:(2^(n - 1) - 1), function(bits) which(bitwAnd(bits, 2^(0:(n - 2))) > 0))
  for (kind in kinds) for (x in asplit(made_up_series(kind, n, 3), 2)) {
    cost <- function(values) {
      length(values) * (log(2 * pi) + log(max(mean((values - mean(values))^2), 1e-4)) + 1)
    }
    total <- function(cuts) {
      parts <- split(x, findInterval(seq_len(n), cuts + 1))
      if (any(lengths(parts) < 2)) return(Inf)
      sum(vapply(parts, cost, 0)) + penalty * length(cuts)
    }
    found <- changepoints_many(as.matrix(x), penalty, floor = 1e-4)$cut
    expect_equal(total(found), min(vapply(every, total, 0)), info = kind)
  }
})

for (kind in kinds) {
  test_that(paste("many series at once have the changepoints each has alone:", kind), {
    set.seed(51)
    for (n in c(5, 20, 83, 140)) {
      x <- made_up_series(kind, n, 300)
      floor <- (1e-4 * apply(x, 2, median))^2
      penalty <- steady_penalty(n)
      many <- changepoints_many(x, penalty, floor = floor)
      # Series 281 to 300 lie in two groups where each has 140 values.
      some <- c(1:20, 281:300)
      alone <- lapply(some, function(i) changepoints_many(x[, i, drop = FALSE], penalty, floor[i])$cut)
      expect_identical(many[series %in% some], data.table(series = rep(some, lengths(alone)), cut = unlist(alone)))
    }
  })
}

test_that("no series have no changepoint", {
  expect_identical(nrow(changepoints_many(matrix(numeric(), 20, 0))), 0L)
})
