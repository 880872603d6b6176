# Whether settled times are those of a long JVM.

inside("runs")

made_up_plateaus <- function(...) {
  rows <- data.table(...)
  defaults <- list(
    environment = "e", cell = "c", cpu_profile = "native", workload = "decrypt", factor.cipher = "AES",
    protocol = "modern", settled = "proved", operations_before = 10, operations_measured = 90
  )
  for (name in setdiff(names(defaults), names(rows))) set(rows, j = name, value = defaults[[name]])
  rows[]
}

test_that("a proved fork on a plateau is wrong, one that is not proved is not", {
  forks <- made_up_plateaus(
    protocol = c("modern", "modern", "modern", "as-published", "as-published"),
    workload = c("decrypt-short", "decrypt-short", "decrypt", "decrypt", "decrypt"),
    settled = c("proved", "not proved", "proved", "by definition", "by definition"),
    wall_ns_per_op = c(2e6, 2e6, 2.03e5, 2e5, 2.1e5)
  )
  found <- plateaus(forks)
  expect_identical(found$way, c("short", "short", "warmed"))
  expect_identical(found$settled, c("not proved", "proved", "proved"))
  expect_equal(found$truth_us, rep(200, 3))
  expect_equal(found$ratio, c(10, 10, 1.015))
  expect_identical(found$wrong, c("no", "yes", "no"))
  expect_identical(found$operations, rep(100, 3))
})

test_that("cells and places are kept apart", {
  forks <- made_up_plateaus(
    cpu_profile = c("native", "core2", "native", "core2"), protocol = rep(c("modern", "as-published"), each = 2),
    wall_ns_per_op = c(100, 300, 100, 200)
  )
  found <- plateaus(forks)
  expect_identical(found$cpu_profile, c("core2", "native"))
  expect_identical(found$wrong, c("yes", "no"))
})
