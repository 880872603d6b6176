test_that("two settings that agree, differ, or leave it open", {
  p <- function(...) order_p_values(c(...), c(0.01, 0.01), c(9, 9))
  expect_lt(p(-1, -0.5)$p_support, 1e-6)
  expect_lt(p(1, 0.5)$p_support, 1e-6)
  expect_lt(p(1, -0.5)$p_refute, 1e-6)
  expect_gt(p(1, -0.5)$p_support, 0.99)
  expect_gt(p(1, 0)$p_support, 0.49)
  expect_gt(p(1, 0)$p_refute, 0.49)
  expect_identical(order_p_values(1, 0.1, 9)$p_support, NA_real_)
  expect_identical(order_p_values(c(1, NA), c(0.1, NA), c(9, NA))$p_refute, NA_real_)
})

test_that("three settings: one that differs is one too many, and the pairs are counted", {
  found <- order_p_values(c(1, 1, -1), rep(0.3, 3), rep(9, 3))
  expect_equal(found$p_support, pt(1 / 0.3, 9))
  expect_equal(found$p_refute, 3 * pt(-1 / 0.3, 9))
})

# The probability that a test at level z calls the same order, or opposite orders, for true t of `a` and `b`.
called <- function(a, b, z, df) {
  critical <- qt(1 - z, df)
  up <- function(ncp) suppressWarnings(pt(critical, df, ncp, lower.tail = FALSE))
  list(same = up(a) * up(b) + up(-a) * up(-b), opposite = up(a) * up(-b) + up(-a) * up(b))
}

test_that("that the data choose the direction costs nothing: the size over all of the null is the level", {
  for (df in c(4, 8, 18)) {
    for (z in c(0.005, 0.025, 0.05)) {
      grid <- expand.grid(a = seq(0, 9, by = 0.25), b = seq(0, 9, by = 0.25))
      # Opposite or no orders are the null of "the same", agreeing or no orders that of "opposite".
      expect_lte(max(called(grid$a, -grid$b, z, df)$same), z * (1 + 1e-6))
      expect_lte(max(called(grid$a, grid$b, z, df)$opposite), z * (1 + 1e-6))
    }
  }
})
