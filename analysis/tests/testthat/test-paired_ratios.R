set.seed(95)
covariances <- function(one, two) {
  list(var1 = var(one), var2 = var(two), var_difference = var(one - two))
}
paired <- function(one, two, n = length(one), first = n) {
  own <- covariances(one[seq_len(first)], two[seq_len(first)])
  paired_ratios(mean(one), n, mean(two), n, own$var1, own$var2, own$var_difference, n, first)
}

test_that("where all blocks are common the ratio is Student's t on log differences", {
  for (n in c(2, 5, 9)) {
    one <- rnorm(n)
    two <- one + rnorm(n)
    found <- paired(one, two)
    reference <- t.test(one, two, paired = TRUE)
    expect_equal(found$ratio, exp(unname(reference$estimate)))
    expect_equal(c(found$lower, found$upper), exp(as.numeric(reference$conf.int)))
    expect_equal(found$df, unname(reference$parameter))
    expect_equal(found$spread, sd(one - two))
    expect_identical(found$blocks, as.integer(n))
  }
})

test_that("one block has no interval", {
  expect_equal(paired_ratios(0.1, 1, 0, 1, NA_real_, NA_real_, NA_real_, 1)$lower, NA_real_)
})

test_that("what one cell was measured in more counts too: without covariance it is both cells' variance", {
  found <- paired_ratios(0.1, 10, 0, 40, 4, 9, 13, 10)
  expect_equal(found$se_log, sqrt(4 / 10 + 9 / 40))
  shared <- paired_ratios(0.1, 10, 0, 40, 4, 9, 5, 10)
  expect_equal(shared$se_log, sqrt(4 / 10 + 9 / 40 - 2 * 4 * 10 / 400))
  expect_equal(shared$df, 9)
})

test_that("after two stages mean and number are of both, variances and freedom of the first", {
  one <- rnorm(20)
  two <- one + rnorm(20)
  found <- paired(one, two, first = 10)
  difference <- one - two
  expect_equal(found$log_ratio, mean(difference))
  expect_equal(found$se_log, sd(difference[1:10]) / sqrt(20))
  expect_equal(found$df, 9)
})
