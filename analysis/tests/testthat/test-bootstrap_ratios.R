set.seed(5)
pair_of <- function(one, two, lower = 0.5, upper = 2) {
  forks <- made_up_forks(data.table(workload = c("a", "b"), ns = c(1, 1)), length(one))
  forks[, wall_ns_per_op := c(one, two)]
  pairs <- data.table(experiment = "kofahi2013", machine_id = "m1", protocol = "modern", measure = "wall")
  for (which in c("numerator", "denominator")) {
    pairs[, paste0(which, c("_environment", "_image_id")) := list("debian-12", "sha256:aa")]
  }
  pairs[, `:=`(numerator_cell = "a.1", denominator_cell = "b.2", target_lower = lower, target_upper = upper)]
  long <- forks_by_measure(forks)
  list(welch = estimate_pairs(pairs, long, paired = FALSE), boot = bootstrap_estimates(pairs, long))
}

test_that("quantiles of t* are those of all resamples, on samples small enough to list them", {
  one <- c(0, 0.1, 0.3)
  two <- c(0, 0.05, 0.2)
  every <- as.matrix(expand.grid(1:3, 1:3, 1:3))
  moments <- lapply(list(one, two), function(values) {
    resamples <- apply(every, 1, function(row) values[row])
    list(mean = colMeans(resamples) - mean(values), squared = apply(resamples, 2, var) / 3)
  })
  se <- sqrt(outer(moments[[1]]$squared, moments[[2]]$squared, `+`))
  t_star <- (outer(moments[[1]]$mean, moments[[2]]$mean, `-`) / se)[se > 0]
  set.seed(11)
  found <- t_star_quantiles(one, two, confidence = 0.8, resamples = 200000)
  # The quantiles of so few values jump, so a draw may end on either side of a jump.
  expect_true(all(found >= quantile(t_star, c(0.095, 0.895)) - 1e-9))
  expect_true(all(found <= quantile(t_star, c(0.105, 0.905)) + 1e-9))
})

test_that("with normal forks the interval is near Welch's, and the estimate is the same", {
  found <- pair_of(exp(rnorm(20, 0, 0.02)), exp(rnorm(20, 0, 0.02)))
  expect_identical(found$boot$ratio, found$welch$ratio)
  expect_equal(found$boot$lower, found$welch$lower, tolerance = 0.005)
  expect_equal(found$boot$upper, found$welch$upper, tolerance = 0.005)
})

test_that("the p values agree with the interval at its own level", {
  found <- pair_of(exp(rnorm(10, 0, 0.02)^2), exp(rnorm(10, 0.01, 0.02)))$boot
  at <- function(lower, upper) {
    below <- (found$log_ratio - log(found$lower)) / qt(0.975, found$df)
    above <- (log(found$upper) - found$log_ratio) / qt(0.975, found$df)
    target_p_values(found$log_ratio, below, found$df, lower, upper, above)
  }
  expect_equal(at(found$lower, Inf)$p_support, 0.025)
  expect_equal(at(0, found$upper)$p_support, 0.025)
  expect_equal(at(found$upper, Inf)$p_refute, 0.025)
  expect_equal(at(0, found$lower)$p_refute, 0.025)
})

test_that("skewed forks have a skewed interval, and the same one every time", {
  skewed <- exp(0.3 * rexp(10))
  plain <- exp(rnorm(10, 0, 0.001))
  set.seed(1)
  first <- pair_of(skewed, plain)$boot
  set.seed(2)
  second <- pair_of(skewed, plain)$boot
  expect_identical(first, second)
  expect_gt(log(first$upper) - first$log_ratio, first$log_ratio - log(first$lower))
})

test_that("two forks keep what they have, and R's generator is left alone", {
  forks <- pair_of(c(1, 1.01), c(1, 1.01))
  expect_identical(forks$boot, forks$welch)
  set.seed(3)
  before <- .Random.seed
  expect_length(with_seed(1, rnorm(3)), 3)
  expect_true(identical(.Random.seed, before))
})
