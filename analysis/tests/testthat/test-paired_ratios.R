inside("estimate")

test_that("many pairs at once get what each gets alone", {
  set.seed(95)
  differences <- list(rnorm(5), rnorm(2), 0.3, rnorm(9))
  many <- paired_ratios(
    vapply(differences, mean, 0), vapply(differences, var, 0), lengths(differences)
  )
  expect_equal(many, rbindlist(lapply(differences, paired_ratio)))
})
