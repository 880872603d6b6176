# {{9,5},{8,3}}, {{10,6},{7,11}}, {{1,12},{2,4}}: innermost the iteration.
nested <- array(c(9, 5, 8, 3, 10, 6, 7, 11, 1, 12, 2, 4), c(2, 2, 3))

test_that("three levels: golden values", {
  found <- variance_components(nested)
  expect_golden(found$mean, 6.5)
  expect_golden(found$s_squared, c(16.5, 2.5833333, 3.5625))
  expect_golden(found$t_squared, c(16.5, -5.6666667, 2.2708333))
})

test_that("flattened to 3 forks of 4: golden values", {
  found <- variance_components(matrix(nested, 4))
  expect_golden(found$s_squared, c(12.7222222, 3.5625))
  expect_golden(found$t_squared[2], 0.3819444)
})

test_that("the paper's own example gives its T squared", {
  values <- array(c(3, 4, 3, 1.2, 3.1, 3, 0.2, 1, 1.5, 1, 2, 3), c(3, 2, 2))
  expect_golden(variance_components(values)$t_squared, c(0.7266667, 0.2627778, 0.7747222))
})

test_that("lme4's Dyestuff: golden values", {
  found <- variance_components(dyestuff)
  expect_golden(found$mean, 1527.5)
  expect_golden(found$s_squared[1], 2451.25)
  expect_golden(found$t_squared[2], 1764.05)
})

test_that("components from fork means agree with the balanced design", {
  table <- matrix(nested, 4)
  found <- fork_components(colMeans(table), apply(table, 2, sd), rep(4, 3))
  expect_golden(unlist(found), c(12.7222222, 3.5625, 0.3819444))
})

test_that("a single fork or single iterations leave components empty, not zero", {
  expect_identical(fork_components(5, 1, 10)$s2_squared, NA_real_)
  expect_identical(fork_components(c(5, 6), c(NA, NA), c(1, 1))$s1_squared, NA_real_)
})
