# Whether settled times are those of a long JVM.

inside("runs")

made_up_plateaus <- function(...) {
  forks <- data.table(...)
  defaults <- list(
    environment = "e", cell = "c", cpu_profile = "native", factor.cipher = "AES", factor.fork = NA, settled = "proved",
    experiment = "plateaus", round = "1", operations_before = 10, operations_measured = 90
  )
  for (name in setdiff(names(defaults), names(forks))) set(forks, j = name, value = defaults[[name]])
  forks[, fork := .I]
  plateaus(forks, forks[, .(end_uptime_ms = c(500, 900 + fork)), by = c("experiment", "environment", "round", "fork")])
}

test_that("a proved fork on a plateau is wrong, one that is not proved is not", {
  found <- made_up_plateaus(
    workload = c("decrypt-short", "decrypt-short", "decrypt", "decrypt-long", "decrypt-long"),
    settled = c("proved", "not proved", "proved", "by definition", "by definition"),
    wall_ns_per_op = c(2e6, 2e6, 2.03e5, 2e5, 2.1e5)
  )
  expect_identical(found$way, c("short", "short", "warmed"))
  expect_identical(found$settled, c("not proved", "proved", "proved"))
  expect_equal(found$truth_us, rep(200, 3))
  expect_equal(found$ratio, c(10, 10, 1.015))
  expect_identical(found$wrong, c("no", "yes", "no"))
  expect_identical(found$operations, rep(100, 3))
  expect_equal(found$uptime_s, c(0.902, 0.901, 0.903))
})

test_that("forks of a cell differ: none is wrong alone", {
  found <- made_up_plateaus(
    workload = c("hash", "hash", "hash", "hash-long"), factor.fork = c("1", "2", "3", NA),
    wall_ns_per_op = c(100, 110, 121, 100)
  )
  expect_identical(found$forks, 3L)
  expect_equal(found$ratio, 1.1)
  expect_equal(c(found$least, found$most), c(1, 1.21))
  expect_identical(found$wrong, "no")
})

test_that("cells and places are kept apart", {
  found <- made_up_plateaus(
    cpu_profile = c("native", "core2", "native", "core2"), workload = rep(c("hash", "hash-long"), each = 2),
    wall_ns_per_op = c(100, 300, 100, 200)
  )
  expect_identical(found$cpu_profile, c("core2", "native"))
  expect_identical(found$wrong, c("yes", "no"))
})
