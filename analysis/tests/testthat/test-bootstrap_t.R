inside("estimate")

test_that("the interval is the quantiles of t* turned around the mean, checked on a sample small enough to list", {
  values <- c(1, 2, 4)
  every <- as.matrix(expand.grid(1:3, 1:3, 1:3))
  resamples <- apply(every, 1, function(row) values[row])
  sds <- apply(resamples, 2, sd)
  t_star <- ((colMeans(resamples) - mean(values)) / (sds / sqrt(3)))[sds > 0]
  exact <- mean(values) - quantile(t_star, c(0.9, 0.1), names = FALSE, type = 1) * sd(values) / sqrt(3)
  set.seed(11)
  found <- bootstrap_t(values, confidence = 0.8, resamples = 40000)
  expect_equal(found$mean, mean(values))
  expect_equal(c(found$lower, found$upper), exact)
})

test_that("for normal forks it is near Student's", {
  set.seed(12)
  values <- qnorm(ppoints(20), 100, 1)
  found <- bootstrap_t(values, resamples = 20000)
  half <- t_half_width(sd(values), 20)
  expect_equal(c(found$lower, found$upper), mean(values) + c(-half, half), tolerance = 0.001)
})

test_that("skewed forks get the longer arm on the side of the tail", {
  set.seed(13)
  found <- bootstrap_t(exp(qnorm(ppoints(15), 0, 1)))
  expect_gt(found$upper - found$mean, 1.3 * (found$mean - found$lower))
})

test_that("the same seed gives the same interval, and too few or equal values none", {
  set.seed(14)
  one <- bootstrap_t(c(5, 6, 8, 9))
  set.seed(14)
  expect_identical(bootstrap_t(c(5, 6, 8, 9)), one)
  expect_identical(bootstrap_t(c(5, 6))$lower, NA_real_)
  expect_identical(bootstrap_t(c(5, 5, 5, 5)), list(mean = 5, lower = NA_real_, upper = NA_real_))
})
