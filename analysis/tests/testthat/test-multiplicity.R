inside("estimate")

p <- c(0.01, 0.04, 0.03, 0.005)

test_that("Holm, Benjamini-Hochberg: golden values", {
  expect_golden(holm(p), c(0.03, 0.06, 0.06, 0.02))
  expect_golden(benjamini_hochberg(p), c(0.02, 0.04, 0.04, 0.02))
})

test_that("missing p values don't count", {
  expect_equal(holm(c(0.04, NA)), c(0.04, NA))
  expect_equal(benjamini_hochberg(c(NA, 0.04)), c(NA, 0.04))
})
