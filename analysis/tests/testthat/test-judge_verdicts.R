test_that("Holm: golden values", {
  rows <- data.table(p = c(0.01, 0.04, 0.03, 0.005), answer = "holds", verdict = "", unproven = FALSE)
  found <- adjust_holm(rows, 0.05)
  expect_equal(found$p_holm, c(0.03, 0.06, 0.06, 0.02))
  expect_identical(found$verdict, c("holds", "undecided", "undecided", "holds"))
})

test_that("claims without p are left as they are and don't count in Holm", {
  rows <- data.table(
    p = c(0.04, NA), answer = c("does-not-hold", NA), verdict = c("", "not-testable"), unproven = FALSE
  )
  found <- adjust_holm(rows, 0.05)
  expect_identical(found$verdict, c("does-not-hold", "not-testable"))
  expect_equal(found$p_holm, c(0.04, NA))
})

test_that("a claim holds when all contrasts are inside: the largest p, twice", {
  found <- combine_contrasts(c(0.001, 0.010, 0.002), c(0.999, 0.99, 0.998))
  expect_identical(found, list(p = 0.02, answer = "holds", decisive = 2L, alike = FALSE, tests = 2))
})

test_that("a claim does not hold when some contrast is outside: the least p times their number, twice", {
  found <- combine_contrasts(c(0.001, 0.999, 0.001), c(0.999, 0.001, 0.999))
  expect_equal(found$p, 2 * 3 * 0.001)
  expect_identical(found[-1], list(answer = "does-not-hold", decisive = 2L, alike = FALSE, tests = 6))
})

test_that("p never exceeds 1", {
  expect_equal(combine_contrasts(c(0.6, 0.5), c(0.6, 0.7))$p, 1)
})
