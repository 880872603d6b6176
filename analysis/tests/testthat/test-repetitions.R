test_that("the paper's own example: golden values", {
  values <- array(c(3, 4, 3, 1.2, 3.1, 3, 0.2, 1, 1.5, 1, 2, 3), c(3, 2, 2))
  parts <- variance_components(values)$t_squared
  expect_golden(parts, c(0.7266667, 0.2627778, 0.7747222))
  expect_identical(best_repetitions(c(3, 20, 100), parts), c(5, 2))
})

test_that("a level without variation is measured once, one above which nothing varies as often as is affordable", {
  expect_identical(best_repetitions(c(1, 100), c(-0.5, 1)), 1)
  expect_identical(best_repetitions(c(1, 100), c(0, 0)), 1)
  expect_identical(best_repetitions(c(1, 100), c(1, -0.5)), Inf)
  expect_identical(best_repetitions(c(1, 100), c(1, -0.5), most = 50), 50)
})

test_that("no other number of repetitions gives a smaller variance for the same cost", {
  costs <- c(1, 30)
  parts <- c(4, 1)
  best <- best_repetitions(costs, parts)
  variance_times_cost <- function(r) (parts[2] + parts[1] / r) * (costs[2] + r * costs[1])
  expect_identical(which.min(vapply(1:100, variance_times_cost, 0)) + 0, best)
})
