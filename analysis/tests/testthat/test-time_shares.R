test_that("time is split between iterations, forks, engine and gaps; a long gap is another sitting", {
  rounds <- data.table(
    path = c("a", "b", "c"), elapsed_s = c(10, 10, 10),
    started_at = c("2026-01-01T00:00:00.000Z", "2026-01-01T00:00:12.500Z", "2026-01-01T01:00:00.000Z"),
    finished_at = c("2026-01-01T00:00:10.500Z", "2026-01-01T00:00:23.000Z", "2026-01-01T01:00:10.500Z")
  )
  forks <- data.table(elapsed_ms = c(9000, 9000, 9000))
  iterations <- data.table(start_uptime_ms = c(400, 400, 400), end_uptime_ms = c(8400, 8400, 8400))
  shares <- time_shares(rounds, forks, iterations)
  expect_equal(shares$part, c("iterations", "forks' start and set-up", "engine", "between rounds", "all"))
  # Between rounds: 2 s of gap, and half a second in each round beside its container.
  expect_equal(shares$seconds, c(24, 3, 3, 3.5, 33.5))
  expect_equal(shares$share_pct, 100 * c(24, 3, 3, 3.5, 33.5) / 33.5)
})

test_that("forks' own time is split by protocol; one that has no iteration counts in none", {
  key <- function(...) data.table(experiment = "e", environment = "d", round = "r", ...)
  forks <- key(
    fork = 1:4, protocol = c("steady-state", "steady-state", "as-published", "steady-state"),
    elapsed_ms = c(5000, 5000, 1000, 9e9)
  )
  iterations <- key(
    fork = c(1, 1, 2, 3), start_uptime_ms = c(2000, 3100, 2500, 400), end_uptime_ms = c(3000, 4100, 4500, 700)
  )
  shares <- fork_shares(forks, iterations)
  parts <- c("before the first iteration", "iterations", "between and after them")
  expect_identical(shares$part, rep(parts, 2))
  expect_identical(shares$protocol, rep(c("as-published", "steady-state"), each = 3))
  expect_equal(shares$seconds, c(0.4, 0.3, 0.3, 4.5, 4, 1.5))
  expect_equal(shares$share_pct, c(40, 30, 30, 45, 40, 15))
})
