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

folder <- write_round(tempfile("raw"), "kofahi2013", "debian-12-temurin-17", 1, kofahi_cells())

test_that("cells.csv keeps levels as text", {
  forks <- read_cells_csv(folder)
  expect_identical(forks$fork, c(1, 2, 3, 4))
  expect_identical(forks$factor.size[1], "100 KB")
})

test_that("iterations.csv is all numbers; values beyond 2^31 survive", {
  rows <- read_iterations_csv(folder)
  expect_gt(rows$start_epoch_ms[1], 1.7e12)
  expect_true(all(vapply(rows, is.double, TRUE)))
})

test_that("a round of before compilers' time was recorded has none", {
  file <- file.path(folder, "iterations.csv")
  rows <- read_csv_strictly(file)
  fwrite(rows[, !"jit_ms"], file)
  expect_true(all(is.na(read_iterations_csv(folder)$jit_ms)))
})

set.seed(5)
raw <- tempfile("raw")
cells <- kofahi_cells()
broken <- c("2" = "steal_share;spin_ratio", "3" = "steal_share", "4" = "gc_share", "5" = "steal_share")
disturbed <- write_round(raw, "kofahi2013", "debian-12-temurin-17", 1, cells, broken = broken, again = c(3L, 2L))
write_round(raw, "kofahi2013", "debian-12-temurin-17", 2, cells)
tables <- tidy_rounds(raw, find_rounds(raw))
first <- tables$forks[number == 1]

test_that("forks that were run again are forks of the same cell", {
  expect_identical(first$fork, as.numeric(1:6))
  expect_identical(first$cell[5:6], first$cell[3:2])
  expect_identical(first$rerun_of, c(NA, NA, NA, NA, 3, 2))
  expect_identical(tables$rounds$forks, c(4L, 4L))
  expect_identical(tables$iterations[round == "r001", .N], 6L * 12L)
})

test_that("valid forks and first forks are the two analyses' forks", {
  expect_identical(first$valid, c(TRUE, FALSE, FALSE, FALSE, FALSE, TRUE))
  expect_identical(first$invalid_cause[1:4], c("", "steal_share;spin_ratio", "steal_share", "gc_share"))
  expect_identical(valid_forks(first)$fork, c(1, 6))
  expect_identical(first_forks(first)$fork, as.numeric(1:4))
  expect_identical(cell_means(valid_forks(tables$forks))[measure == "wall", forks], c(2L, 2L, 1L, 1L))
})

test_that("what disturbed a fork is told as shares and rates, and stays empty where it isn't exposed", {
  row <- read_csv_strictly(file.path(disturbed, "interference.csv"))[1]
  expect_equal(first$steal_share[1], row$steal_ms / row$cpu_ms)
  expect_equal(first$others_share[1], row$others_ms / row$cpu_ms)
  expect_equal(first$involuntary_per_s[1], 12 / (row$window_ms / 1000))
  expect_equal(first$gc_share[1], 0)
  expect_equal(first$spin_ratio[1], 1.1)
  expect_true(all(is.na(first$throttled)))
})

test_that("the table survives its file", {
  path <- tempfile(fileext = ".csv")
  write_table(tables$forks, path)
  again <- read_table(path, fork_columns)
  expect_identical(again$valid, tables$forks$valid)
  expect_equal(again$rerun_of, tables$forks$rerun_of)
  expect_identical(again$invalid_cause[2], "steal_share;spin_ratio")
  expect_equal(interference_notes(again, list()), interference_notes(tables$forks, list()))
})

test_that("a note says how many forks were disturbed, by cause, run again, and lost", {
  words <- list(gate = list(steal_share = "by other machines", spin_ratio = "by a slower CPU"))
  notes <- interference_notes(tables$forks, words)
  expect_identical(notes$where, "kofahi2013/debian-12-temurin-17")
  expect_identical(notes$message, paste0(
    "3 of 8 forks were disturbed (2 by other machines, 1 by a slower CPU, 1 gc_share) and decide nothing; ",
    "2 were run again, and 2 have no undisturbed fork in their round"
  ))
  expect_identical(nrow(interference_notes(tables$forks[number == 2], words)), 0L)
})

iterations <- data.table(
  fork = c(1, 1, 2), iteration = c(1, 2, 1), start_uptime_ms = c(0, 100, 0), end_uptime_ms = c(100, 200, 100)
)

test_that("an iteration holds the time its own fork stood still inside it", {
  pauses <- data.table(fork = c(1, 1, 1), uptime_ms = c(10, 50, 250), pause_ms = c(2, 3, 9))
  found <- join_pauses(copy(iterations), pauses)
  expect_identical(found$pause_ms, c(5, 0, 0))
  expect_identical(found$pauses, c(2L, 0L, 0L))
})

test_that("a pause over a border is split by overlap and counted in both", {
  found <- join_pauses(copy(iterations), data.table(fork = 1, uptime_ms = 98, pause_ms = 5))
  expect_identical(found$pause_ms, c(2, 3, 0))
  expect_identical(found$pauses, c(1L, 1L, 0L))
})

test_that("no pause at all is zero, not missing", {
  found <- join_pauses(copy(iterations), data.table(fork = numeric(), uptime_ms = numeric(), pause_ms = numeric()))
  expect_identical(found$pause_ms, c(0, 0, 0))
})

test_that("keyed iterations join as well (defect: the key was taken for the span)", {
  keyed <- setkey(copy(iterations), fork, iteration)
  expect_identical(join_pauses(keyed, data.table(fork = 2, uptime_ms = 5, pause_ms = 1))$pause_ms, c(0, 0, 1))
})
