# Whether proven times are those of a long JVM.

made_up_plateaus <- function(...) {
  forks <- data.table(...)
  defaults <- list(
    environment = "e", cell = "c", cpu_profile = "native", factor.cipher = "AES", factor.fork = NA,
    warm_up_state = "proven",
    experiment = "plateaus", round = "1", operations_before = 10, operations_measured = 90, code = "c2"
  )
  for (name in setdiff(names(defaults), names(forks))) set(forks, j = name, value = defaults[[name]])
  forks[, fork := .I]
  key <- c("experiment", "environment", "round", "fork")
  iterations <- forks[, .(
    start_uptime_ms = c(400, 500), end_uptime_ms = c(500, 900 + fork), duration_ns = 1e8, operations = 50, jit_ms = 0,
    measured = TRUE
  ), by = key]
  chain <- forks[, c(key, "code"), with = FALSE][, `:=`(depth = 0, method = "m", state = code, code = NULL)]
  compilations <- chain[0][, uptime_ms := numeric(0)]
  plateaus(forks, iterations, chain, compilations)
}

test_that("forks of each way and state are held against the mean of the long ones", {
  found <- made_up_plateaus(
    workload = c("decrypt-short", "decrypt-short", "decrypt", "decrypt", "decrypt-large-long", "decrypt-large-long"),
    warm_up_state = c("proven", "unproven", "proven", "proven", "by definition", "by definition"),
    wall_ns_per_op = c(2e6, 3e6, 2e5, 2e5, 1.6e5, 2.5e5)
  )
  expect_identical(found$way, c("short", "short", "warmed"))
  expect_identical(found$warm_up_state, c("proven", "unproven", "proven"))
  expect_identical(found$forks, c(1L, 1L, 2L))
  expect_identical(found$long_forks, rep(2L, 3))
  expect_identical(found$truth_forks, rep(2L, 3))
  expect_equal(found$truth_us, rep(205, 3))
  expect_equal(found$ratio, c(10, 15, 1))
  expect_equal(c(found$least[3], found$most[2]), c(1, 15))
  expect_identical(found$operations, rep(100, 3))
  expect_equal(found$uptime_s, c(0.901, 0.902, 0.9035))
})

test_that("two one-sided tests say whether a mean is within 2 % of the truth", {
  row <- function(ours, long) {
    workload <- rep(c("hash", "hash-long"), c(length(ours), length(long)))
    rounds <- as.character(c(seq_along(ours), seq_along(long)))
    made_up_plateaus(workload = workload, wall_ns_per_op = c(ours, long), round = rounds)
  }
  close <- row(c(100, 101, 100, 101), c(100, 101, 100, 101))
  expect_identical(close$within, "yes")
  expect_true(close$lower > 1 / 1.02 && close$upper < 1.02)
  expect_identical(row(c(105, 106, 105, 106), c(100, 101, 100, 101))$within, "no")
  expect_identical(row(c(95, 96, 95, 96), c(100, 101, 100, 101))$within, "no")
  expect_identical(row(c(95, 106, 95, 106), c(100, 101, 100, 101))$within, "open")
  expect_identical(row(100, c(100, 101, 100, 101))$within, "open")
})

test_that("a long fork whose own code was not compiled at its end is no truth", {
  row <- function(code) {
    made_up_plateaus(
      workload = c("hash", "hash", "hash-long", "hash-long"), wall_ns_per_op = c(100, 101, 100, 200),
      code = c("c2", "c2", code)
    )
  }
  mixed <- row(c("c2", "c1"))
  expect_identical(c(mixed$long_forks, mixed$truth_forks), c(2L, 1L))
  expect_equal(mixed$truth_us, 0.1)
  expect_equal(mixed$most, 1.01)
  expect_identical(mixed$within, "open")
  elsewhere <- made_up_plateaus(
    workload = c("hash", "hash-long", "hash-long"), wall_ns_per_op = 100, code = c("c2", "c1", "c2"),
    round = c("1", "1", "2")
  )
  expect_identical(c(elsewhere$ratio, elsewhere$least), c(NA_real_, NA_real_))
  expect_identical(elsewhere$within, "unknown")
  none <- row(c("c1", "interpreted"))
  expect_identical(none$truth_forks, 0L)
  expect_equal(none$truth_us, 0.15)
  expect_identical(none$within, "unknown")
  expect_lt(none$ratio, 1)
})

test_that("a cell without a long fork is told, without a ratio", {
  found <- made_up_plateaus(workload = c("hash", "encrypt", "hash-long"), wall_ns_per_op = c(100, 100, 100))
  expect_identical(found$workload, c("encrypt", "hash"))
  expect_identical(found$ratio, c(NA, 1))
  expect_identical(found$within, c("unknown", "open"))
})

test_that("cells and places are kept apart", {
  found <- made_up_plateaus(
    cpu_profile = c("native", "core2", "native", "core2"), workload = rep(c("hash", "hash-long"), each = 2),
    wall_ns_per_op = c(100, 300, 100, 200)
  )
  expect_identical(found$cpu_profile, c("core2", "native"))
  expect_equal(found$ratio, c(1.5, 1))
})

test_that("rows are summed up by class, way and state, but for those whose truth is not known", {
  rows <- data.table(
    cpu_profile = "native", way = c(rep("warmed", 5), "short"), warm_up_state = "proven",
    ratio = c(0.99, 1.01, 0.98, 0.02, NA, 3), within = c("yes", "open", "no", "unknown", "unknown", "open")
  )
  found <- plateau_summary(rows)
  expect_identical(found$way, c("short", "warmed"))
  expect_identical(found$rows, c(1L, 5L))
  told <- c(found$yes, found$open, found$no, found$unknown)
  expect_identical(told, c(0L, 1L, 1L, 1L, 0L, 1L, 0L, 2L))
  expect_equal(found$ratio, c(3, (0.99 * 1.01 * 0.98)^(1 / 3)))
  expect_identical(is.na(found$lower), c(TRUE, FALSE))
  half <- stats::qt(0.95, 2) * stats::sd(log(c(0.99, 1.01, 0.98))) / sqrt(3)
  expect_equal(found$upper[2], found$ratio[2] * exp(half))
  expect_equal(c(found$least[2], found$most[2]), c(0.98, 1.01))
})

test_that("where no row's truth is known, the summary counts them and says no more", {
  rows <- data.table(cpu_profile = "native", way = "warmed", warm_up_state = "proven", ratio = 0.02, within = "unknown")
  expect_no_warning(found <- plateau_summary(rows))
  expect_identical(found$unknown, 1L)
  expect_identical(found$ratio, NA_real_)
})
