inside("estimate")

three_by_four <- matrix(c(9, 5, 8, 3, 10, 6, 7, 11, 1, 12, 2, 4), 4)

test_that("exact standard error: golden value", {
  expect_golden(hierarchical_standard_error(three_by_four), 1.2596847)
})

test_that("resamples have that standard error", {
  set.seed(31)
  found <- hierarchical_resamples(asplit(three_by_four, 2), mean, 20000)
  expect_equal(sd(found), 1.2596847, tolerance = 0.02)
})

test_that("the interval of a median holds the median, and forks may differ in length", {
  set.seed(32)
  found <- hierarchical_interval(list(c(1, 2, 3), c(2, 3, 4, 5), 3))
  expect_identical(found$estimate, 3)
  expect_true(found$lower < 3 && found$upper > 3)
  expect_identical(hierarchical_interval(list(7, 7))$upper, 7)
})
