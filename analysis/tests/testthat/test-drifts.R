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
