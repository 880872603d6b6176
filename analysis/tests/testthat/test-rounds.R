set.seed(11)
raw <- tempfile("raw")
cells <- rbind(
  kofahi_cells()[, cell := paste0(cell, ".m")],
  kofahi_cells()[, `:=`(protocol = "as-published", mode = "single-shot", warmup = "0", iteration_ms = 0)]
)
for (number in 1:3) {
  write_round(raw, "kofahi2013", "debian-12-temurin-17", number, cells)
  write_round(raw, "kofahi2013", "debian-sid-openjdk-8", number, cells[8:1], image_id = "sha256:bb", gc = "jdk8")
}
rounds <- find_rounds(raw)
tables <- tidy_rounds(raw, rounds)

changed_copy <- function(change) {
  copy <- tempfile("raw")
  dir.create(file.path(copy, dirname(rounds[1])), recursive = TRUE)
  file.copy(file.path(raw, rounds[1]), file.path(copy, dirname(rounds[1])), recursive = TRUE)
  change(file.path(copy, rounds[1]))
  copy
}

test_that("rounds are found below the raw directory, or named by a file", {
  expect_length(rounds, 6)
  list_file <- tempfile()
  writeLines(c(rounds[2], "", paste0(rounds[1], "/")), list_file)
  expect_identical(find_rounds(raw, list_file), rounds[1:2])
  writeLines(rounds[c(1, 1)], list_file)
  expect_refusal(find_rounds(raw, list_file), "twice")
  file.create(empty <- tempfile())
  expect_refusal(find_rounds(raw, empty), "names no round")
})

test_that("a round without round.json is found, an unfinished one isn't", {
  copy <- changed_copy(function(folder) unlink(file.path(folder, "round.json")))
  unfinished <- file.path(copy, dirname(rounds[1]), ".part-x")
  dir.create(unfinished)
  file.create(file.path(unfinished, "cells.csv"))
  expect_identical(find_rounds(copy), rounds[1])
})

test_that("tables have the documented columns", {
  expect_identical(names(tables$iterations), c(
    "experiment", "environment", "round", iterations_columns, "pause_ms", "pauses", "segment", "measured"
  ))
  expect_identical(
    names(tables$pauses),
    c("experiment", "environment", "round", "fork", "uptime_ms", "pause_ms", "kind", "cause", "side")
  )
  expect_identical(names(tables$forks), c(
    "experiment", "environment", "image_id", "machine_id", "cell", "workload", "protocol", "provider", "cpu_profile",
    "factor.cipher", "factor.size", "round", "number", "fork", "iterations", "measured_iterations", "steady",
    "steady_from",
    "wall_ns_per_op", "cpu_ns_per_op", "process_cpu_ns_per_op", "sd_within_wall_ns", "sd_within_cpu_ns",
    "wall_ns_per_op_unpaused", "cpu_ns_per_op_unpaused", "iterations_paused", "pauses", "pause_ms",
    "stage", "looks", "planned", gate_columns, "warm_up_state", "warm_up_why", "jit_share", "operations_before",
    "operations_measured"
  ))
  expect_true(
    all(c("number", "tier", "image_id", "machine_id", "elapsed_s", "forks", "path") %in% names(tables$rounds))
  )
  expect_false("providers" %in% names(tables$rounds))
})

test_that("nothing is lost or doubled", {
  expect_identical(nrow(tables$forks), 6L * 8L)
  expect_identical(nrow(tables$iterations), 6L * 8L * 12L)
  expect_identical(sum(tables$rounds$forks), 48L)
  expect_identical(tables$forks[, sum(pauses)], nrow(tables$pauses))
})

test_that("fork means are near the truth, warm-up left out", {
  merged <- merge(tables$forks, unique(cells[, .(cell, ns)]), by = "cell")
  expect_lt(max(abs(merged[protocol == "steady-state", wall_ns_per_op / ns - 1])), 0.05)
  expect_identical(unique(tables$forks[protocol == "steady-state", steady]), "warm-up")
  published <- tables$forks[protocol == "as-published"]
  expect_identical(unique(published$steady), "not sought")
  expect_identical(unique(published$measured_iterations), 12L)
})

test_that("every iteration's pauses come from its own fork's log, in both formats", {
  warmed_up <- tables$forks[protocol == "steady-state", .(environment, round, fork)]
  inside <- tables$iterations[warmed_up, on = names(warmed_up)]
  inside <- inside[, .(ms = sum(pause_ms)), by = .(environment, round, fork)]
  expect_gt(min(inside$ms), 0)
  expect_true(all(tables$iterations[, pause_ms <= end_uptime_ms - start_uptime_ms + 1e-6]))
})

test_that("the same data gives the same tables, whatever was read before", {
  again <- tidy_rounds(raw, rounds)
  for (name in names(tables)) expect_identical(lapply(again[[name]], c), lapply(tables[[name]], c))
})

test_that("a fork whose provider lacks the algorithm leaves nothing, and is in offers", {
  copy <- changed_copy(function(folder) {
    rows <- readLines(file.path(folder, "iterations.csv"))
    writeLines(rows[!startsWith(rows, "2,")], file.path(folder, "iterations.csv"))
    rows <- readLines(file.path(folder, "interference.csv"))
    writeLines(rows[!startsWith(rows, "2,")], file.path(folder, "interference.csv"))
    unlink(file.path(folder, "gc/002.log"))
    writeLines(
      c("fork,offered,why,answer", '1,yes,"",ab', '2,no,"No, it has none",'), file.path(folder, "offered.csv")
    )
  })
  found <- tidy_rounds(copy, rounds[1])
  expect_false(2 %in% found$forks$fork)
  expect_identical(found$offers[, .(fork, offered, why)], data.table(
    fork = c(1, 2), offered = c("yes", "no"), why = c("", "No, it has none")
  ))
  expect_identical(names(found$offers), offers_columns)
  expect_identical(nrow(tables$offers), 0L)
})

test_that("a round that the list names must be there", {
  expect_refusal(tidy_rounds(raw, "kofahi2013/debian-12-temurin-17/r009"), "r009: is missing")
})
