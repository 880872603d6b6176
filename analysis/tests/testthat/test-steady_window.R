# Iterations of forks, from a matrix of their times: a column per fork.
timed_forks <- function(times) {
  data.table(iteration = rep(seq_len(nrow(times)), ncol(times)), duration_ns = c(times) * 10, operations = 10)
}
# Ten forks of twenty iterations that vary by 3 %, iterations by 0.5 %.
still <- function() {
  set.seed(4)
  100 * exp(rep(rnorm(10, 0, 0.03), each = 20) + rnorm(200, 0, 0.005))
}
warm_up_state <- function(times, warm = 2, measured = 4, wanted = 0.01) {
  steady_warmup(timed_forks(matrix(times, 20)), warm, measured, 20, wanted)
}

test_that("times that stay as they are have become steady at once, whatever forks do", {
  expect_equal(warm_up_state(still()), 2)
  expect_equal(warm_up_state(rep(100, 200)), 2)
})

test_that("a window waits until the mean is that of the forks' end", {
  falls <- 1 + 0.04 * pmax(12 - seq_len(20), 0) / 12
  expect_gte(warm_up_state(still() * falls), 7)
  expect_lte(warm_up_state(still() * falls), 12)
  expect_gte(warm_up_state(still() / falls), 7)
  expect_equal(warm_up_state(still() * falls, wanted = 0.4), 2)
  expect_equal(warm_up_state(still() * (1 + (20:1) / 100)), 16)
})

test_that("one fork of ten that is late does not count as drift", {
  times <- matrix(still(), 20)
  times[1:8, 3] <- 1.1 * times[1:8, 3]
  expect_equal(warm_up_state(times), 2)
})

test_that("drift counts beyond its bound, where R's own t test tells it from 0", {
  set.seed(6)
  for (mean in c(0.1, 0.3, 0.6, 2)) {
    x <- rnorm(10, mean)
    expect_identical(drifts(x, 0), t.test(x)$p.value < 0.2)
    expect_false(drifts(x, 4))
  }
  expect_true(drifts(rep(-1, 3), 0.5))
  expect_false(drifts(rep(0, 3), 0) || drifts(rep(1, 3), 1))
})
