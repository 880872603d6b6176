inside("estimate")

test_that("the paired ratio of each of many pairs is Student's t on log differences over blocks", {
  set.seed(95)
  differences <- list(rnorm(5), rnorm(2), rnorm(9))
  found <- paired_ratios(vapply(differences, mean, 0), vapply(differences, var, 0), lengths(differences))
  reference <- lapply(differences, t.test)
  ends <- vapply(reference, function(test) as.numeric(test$conf.int), c(0, 0))
  expect_equal(found$paired_ratio, exp(vapply(reference, function(test) unname(test$estimate), 0)))
  expect_equal(rbind(found$paired_lower, found$paired_upper), exp(ends))
  expect_identical(found$blocks, c(5L, 2L, 9L))
})

test_that("one block has no interval", {
  expect_equal(paired_ratios(0.1, NA_real_, 1)$paired_lower, NA_real_)
})
