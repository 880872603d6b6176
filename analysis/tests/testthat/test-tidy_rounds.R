inside("read")

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

damaged_copy <- function(damage, seal = FALSE) {
  copy <- tempfile("raw")
  dir.create(file.path(copy, dirname(rounds[1])), recursive = TRUE)
  file.copy(file.path(raw, rounds[1]), file.path(copy, dirname(rounds[1])), recursive = TRUE)
  file.copy(paste0(file.path(raw, rounds[1]), ".whole"), file.path(copy, dirname(rounds[1])))
  folder <- file.path(copy, rounds[1])
  damage(folder)
  if (seal) seal_round(folder)
  copy
}
refuses <- function(damage, ..., seal = FALSE) expect_refusal(tidy_rounds(damaged_copy(damage, seal), rounds[1]), ...)
edit <- function(file, change) {
  function(folder) writeLines(change(readLines(file.path(folder, file))), file.path(folder, file))
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
  copy <- damaged_copy(function(folder) unlink(file.path(folder, "round.json")))
  unfinished <- file.path(copy, dirname(rounds[1]), ".part-x")
  dir.create(unfinished)
  file.create(file.path(unfinished, "cells.csv"))
  expect_identical(find_rounds(copy), rounds[1])
  expect_refusal(tidy_rounds(copy, find_rounds(copy)), "round.json: is missing")
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
    "stage", "planned", gate_columns, "settled", "settled_why", "jit_share", "operations_before", "operations_measured"
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
  expect_lt(max(abs(merged[protocol == "modern", wall_ns_per_op / ns - 1])), 0.05)
  expect_identical(unique(tables$forks[protocol == "modern", steady]), "warm-up")
  published <- tables$forks[protocol == "as-published"]
  expect_identical(unique(published$steady), "not sought")
  expect_identical(unique(published$measured_iterations), 12L)
})

test_that("every iteration's pauses come from its own fork's log, in both formats", {
  modern <- tables$forks[protocol == "modern", .(environment, round, fork)]
  inside <- tables$iterations[modern, on = names(modern)][, .(ms = sum(pause_ms)), by = .(environment, round, fork)]
  expect_gt(min(inside$ms), 0)
  expect_true(all(tables$iterations[, pause_ms <= end_uptime_ms - start_uptime_ms + 1e-6]))
})

test_that("an undamaged copy passes", {
  expect_identical(nrow(tidy_rounds(damaged_copy(identity), rounds[1])$forks), 8L)
})

test_that("a truncated JMH JSON is refused by name", {
  refuses(edit("jmh/003.json", function(lines) substr(lines, 1, 80)), "jmh/003.json", "isn't whole JSON")
})

test_that("an empty GC log, and one that is no GC log, are refused by name", {
  refuses(function(folder) close(file(file.path(folder, "gc/002.log"), "w")), "gc/002.log: is empty")
  refuses(edit("gc/002.log", function(lines) "hello"), "gc/002.log: isn't a GC log")
})

test_that("any missing file of a round is refused by name", {
  files <- c(
    "round.json", "cells.csv", "iterations.csv", "interference.csv", "gates.tsv",
    "jmh/001.json", "jmh/001.txt", "gc/001.log", "audit.json",
    "manifest.sha256", "jvm/flags-native.txt", "limits.txt"
  )
  for (file in files) refuses(function(folder) unlink(file.path(folder, file)), file, "is missing")
  expect_refusal(tidy_rounds(raw, "kofahi2013/debian-12-temurin-17/r009"), "r009: is missing")
})

test_that("a time that JMH did not measure is refused, even with a fresh manifest", {
  change <- function(lines) {
    fields <- strsplit(lines[5], ",")[[1]]
    fields[6] <- format(as.numeric(fields[6]) * 1.01, digits = 15)
    lines[5] <- paste(fields, collapse = ",")
    lines
  }
  refuses(edit("iterations.csv", change), "jmh/001.json", "iteration 4 took", seal = TRUE)
})

test_that("a row that JMH doesn't vouch for is caught by the manifest", {
  refuses(edit("iterations.csv", function(lines) sub(",0$", ",1", lines)), "iterations.csv", "was altered")
  refuses(edit("commands.txt", function(lines) "other"), "commands.txt", "was altered")
  refuses(edit("manifest.sha256", function(lines) rev(lines)), "manifest.sha256", "was altered", ".whole")
})

test_that("forks of cells.csv and iterations.csv must be the same", {
  refuses(edit("cells.csv", function(lines) lines[-3]), "interference.csv", "each of 7 forks")
  refuses(
    edit("iterations.csv", function(lines) lines[!startsWith(lines, "2,")]), "iterations.csv", "fork 2 has 0 iterations"
  )
  refuses(edit("iterations.csv", function(lines) c(lines, lines[2])), "iterations.csv", "fork 1 has iteration 1 twice")
})

test_that("a JMH result of another benchmark or length is refused", {
  refuses(
    edit("jmh/001.json", function(lines) sub("FileCipher.encrypt", "Other.run", lines)), "jmh/001.json", "Other.run"
  )
  refuses(
    edit("jmh/001.json", function(lines) sub("[[", "[[5.0, ", lines, fixed = TRUE)), "jmh/001.json", "13 iterations"
  )
})

test_that("the same data gives the same tables, whatever was read before", {
  again <- tidy_rounds(raw, rounds)
  for (name in names(tables)) expect_identical(lapply(again[[name]], c), lapply(tables[[name]], c))
})

test_that("a fork whose provider lacks the algorithm leaves nothing, and is in offers", {
  copy <- damaged_copy(function(folder) {
    rows <- readLines(file.path(folder, "iterations.csv"))
    writeLines(rows[!startsWith(rows, "2,")], file.path(folder, "iterations.csv"))
    rows <- readLines(file.path(folder, "interference.csv"))
    writeLines(rows[!startsWith(rows, "2,")], file.path(folder, "interference.csv"))
    unlink(file.path(folder, c("jmh/002.json", "jmh/002.txt", "gc/002.log")))
    writeLines(
      c("fork,offered,why,answer", '1,yes,"",ab', '2,no,"No, it has none",'), file.path(folder, "offered.csv")
    )
  }, seal = TRUE)
  found <- tidy_rounds(copy, rounds[1])
  expect_false(2 %in% found$forks$fork)
  expect_identical(found$offers[, .(fork, offered, why)], data.table(
    fork = c(1, 2), offered = c("yes", "no"), why = c("", "No, it has none")
  ))
  expect_identical(names(found$offers), offers_columns)
  expect_identical(nrow(tables$offers), 0L)
})

test_that("a damaged offered.csv is refused", {
  wrong <- function(lines) function(folder) writeLines(lines, file.path(folder, "offered.csv"))
  refuses(wrong(c("fork,offered,why,answer", '1,maybe,"",')), "says maybe", seal = TRUE)
  refuses(wrong(c("fork,offered,why,answer", '99,yes,"",')), "cells.csv lacks", seal = TRUE)
})
