# Shares of a run's time.
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

# How times moved between stages and sittings: what was made up is found, where too little is there nothing is said.
#' Forks of four ciphers, later rounds of which are of stage 2 and take `moved` times as long; rounds a minute apart,
#' but for a pause behind round 5.
moved_forks <- function(moved, count = 10, cv = 1e-3) {
  set.seed(7)
  forks <- made_up_forks(four_ciphers(), count, cv)
  forks[, stage := fifelse(number > 5, 2L, 1L)]
  forks[number > 5, wall_ns_per_op := wall_ns_per_op * moved][]
}
their_rounds <- function(forks, pause_s = 0) {
  rounds <- unique(forks[, .(experiment, environment, image_id, machine_id, round, number)])
  begun <- as.POSIXct("2026-11-22T23:57:00", "UTC", format = "%Y-%m-%dT%H:%M:%S") +
    60 * rounds$number + fifelse(rounds$number > 5, pause_s, 0)
  told <- function(time) paste0(format(time, "%Y-%m-%dT%H:%M:%S"), "+00:00")
  rounds[, `:=`(started_at = told(begun), finished_at = told(begun + 50))][]
}

test_that("a machine that became slower between stages is found, by its factor", {
  forks <- moved_forks(1.03)
  found <- drift_table(forks, their_rounds(forks))
  expect_identical(names(found), drift_columns)
  expect_equal(found[, .(between, first, later, cells, marked)], data.table(
    between = "stage", first = 1L, later = 2L, cells = 4L, marked = TRUE
  ))
  expect_equal(found$drift, 1.03, tolerance = 1e-3)
  means <- forks[, .(log_mean = mean(log(wall_ns_per_op))), by = .(cell, stage)]
  change <- means[stage == 2, log_mean] - means[stage == 1, log_mean]
  expect_equal(log(c(found$lower, found$upper)), as.vector(stats::t.test(change)$conf.int))
})

test_that("what moves by less than matters, or by chance, is told and not marked", {
  forks <- moved_forks(1.005)
  found <- drift_table(forks, their_rounds(forks))
  expect_equal(found$drift, 1.005, tolerance = 1e-3)
  expect_false(found$marked)
  noisy <- moved_forks(1, cv = 0.2)
  expect_false(drift_table(noisy, their_rounds(noisy))$marked)
})

test_that("a sitting ends with an hour without rounds, not at midnight", {
  forks <- moved_forks(1.03)[, stage := 1L]
  expect_identical(nrow(drift_table(forks, their_rounds(forks))), 0L)
  expect_identical(nrow(drift_table(forks, their_rounds(forks, 3000))), 0L)
  found <- drift_table(forks, their_rounds(forks, 3700))
  expect_equal(found[, .(between, first, later, marked)], data.table(
    between = "sitting", first = 1L, later = 2L, marked = TRUE
  ))
})

test_that("sittings are those of a machine", {
  forks <- moved_forks(1)
  other <- copy(forks)[, machine_id := "m2"]
  rounds <- rbind(their_rounds(forks), their_rounds(other)[, `:=`(
    started_at = sub("2026-11-2", "2026-12-2", started_at), finished_at = sub("2026-11-2", "2026-12-2", finished_at)
  )])
  expect_identical(drift_table(rbind(forks, other), rounds)$between, c("stage", "stage"))
})

test_that("two cells tell nothing, nor do none", {
  forks <- moved_forks(1.03)[factor.cipher %in% c("DES", "AES")]
  expect_identical(nrow(drift_table(forks, their_rounds(forks))), 0L)
  expect_identical(names(drift_table(forks[0], their_rounds(forks)[0])), drift_columns)
})

test_that("verdicts say on which marked drifts they rest, and others don't", {
  forks <- rbind(moved_forks(1.03), moved_forks(1)[, `:=`(environment = "debian-13", image_id = "sha256:bb")])
  definitions <- made_up_definitions(list(K1 = ordered_claim("best-of", c("AES", "DES"))))
  judged <- judge_made_up(forks, definitions)
  drifts <- drift_table(forks, their_rounds(forks))
  expect_identical(drifts$marked, c(TRUE, FALSE))
  told <- with_drifts(copy(judged$verdicts), judged$open$contrasts, drifts)
  expect_identical(told[environment == "debian-12"]$caveat, "times of stage 2 are 3 % above those of stage 1 (d1)")
  expect_identical(told[environment == "debian-13"]$caveat, "")
  expect_match(drift_notes(drifts)$message, "^times of stage 2 are 3 % above .*: the machine moved while")
  expect_identical(nrow(drift_notes(drifts[marked == FALSE])), 0L)
})
