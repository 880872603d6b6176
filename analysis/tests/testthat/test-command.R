options <- list(
  raw = list(text = "the raw directory", required = TRUE, folder = TRUE), rounds = list(text = "a list", file = TRUE)
)

test_that("options come as --name VALUE", {
  expect_identical(read_arguments(options, "", c("--raw", tempdir())), list(raw = tempdir()))
})

test_that("a wrong command line is refused with what is wrong and what there is", {
  expect_refusal(read_arguments(options, "", c("--row", "x")), "'--row' is unknown", "--raw, --rounds")
  expect_refusal(read_arguments(options, "", "--raw"), "--raw has no value")
  expect_refusal(read_arguments(options, "", character()), "--raw is missing", "the raw directory")
  expect_refusal(read_arguments(options, "", c("--raw", tempdir(), "--raw", tempdir())), "given twice")
  expect_refusal(read_arguments(options, "", c("--raw", "/no/such")), "/no/such: no such directory")
  expect_refusal(read_arguments(options, "", c("--raw", tempdir(), "--rounds", "/no/such")), "/no/such: no such file")
})

test_that("--help names purpose and every option", {
  text <- usage_text(options, "Tidies rounds.")
  for (part in c("Tidies rounds.", "--raw", "the raw directory", "--rounds", "(optional)", "--help")) {
    expect_match(text, part, fixed = TRUE)
  }
})

set.seed(31)
work <- tempfile("work")
raw <- file.path(work, "raw")
for (number in 1:5) write_round(raw, "kofahi2013", "debian-12-temurin-17", number, kofahi_cells())
definitions <- file.path(work, "definitions.json")
claims <- list(K1 = ordered_claim("best-of", c("Blowfish", "DES", "Triple-DES", "AES")))
published <- file.path(work, "published")
dir.create(published)

#' What the rules run, one after the other; planning writes the definitions and the pairs of cells.
whole_chain <- function(out, call) {
  tidied <- call("tidy", "--raw", raw, "--cpu_apart", "kofahi2013", "--out", out)
  planned <- resolved(valid_forks(read_table(file.path(out, "forks.csv"))), made_up_definitions(claims))
  jsonlite::write_json(planned$definitions, definitions, auto_unbox = TRUE)
  write_table(planned$pairs, file.path(out, "claim_pairs.csv"))
  results <- list(
    tidied, call("judge", "--tidy", out, "--definitions", definitions, "--published", published)
  )
  for (result in results) expect_identical(result, list(status = 0L, output = character(), errors = character()))
  files <- sort(list.files(out), method = "radix")
  stats::setNames(tools::md5sum(file.path(out, files)), files)
}

test_that("raw rounds become every tidy table, the same bytes each time", {
  first <- whole_chain(file.path(work, "one"), function(...) run_script("run.R", ...))
  expect_named(first, c(
    "calibration.csv", "call_checks.csv", "calls.csv.gz", "cells.csv", "chain.csv.gz", "claim_list.csv",
    "claim_pairs.csv", "claim_summary.csv", "compilations.csv.gz", "contrasts.csv", "counts.csv.gz", "departures.csv",
    "drifts.csv", "forks.csv", "iterations.csv.gz", "machine_verdicts.csv", "notes.csv", "observations.csv.gz",
    "observed.csv", "observed_means.csv", "offers.csv", "pairs.csv", "pauses.csv.gz", "plans.csv",
    "published_ratios.csv", "ratios.csv", "reference_forks.csv", "rounds.csv", "sensitivity.csv", "today.csv",
    "verdicts.csv"
  ))
  expect_identical(first, whole_chain(file.path(work, "two"), call_command))
  verdicts <- read_table(file.path(work, "one", "verdicts.csv"))
  expect_identical(verdicts$verdict, "does-not-hold")
  observed <- read_table(file.path(work, "one", "observed_means.csv"))$measure
  expect_setequal(observed, c("user", "system", "gc.reported", "gc.stopped", "gc.stopped-over-reported"))
})

test_that("every command has --help", {
  for (command in names(package_functions("command"))) {
    help <- call_command(command, "--help")
    expect_identical(help$status, 0L)
    expect_match(paste(help$output, collapse = " "), "Options:")
  }
})

test_that("bad input ends in one line and status 2", {
  wrong <- call_command("tidy", "--raw", "/no/such", "--out", work)
  expect_identical(wrong$status, 2L)
  expect_length(wrong$errors, 1)
  expect_match(wrong$errors, "^/no/such: no such directory; expected .*; correct the path$")
  unlink(file.path(raw, "kofahi2013/debian-12-temurin-17/r003/gc/002.log"))
  damaged_round <- call_command("tidy", "--raw", raw, "--out", file.path(work, "three"))
  expect_identical(damaged_round$status, 2L)
  expect_match(damaged_round$errors, "r003/gc/002.log: is missing")
  expect_false(dir.exists(file.path(work, "three")))
})
