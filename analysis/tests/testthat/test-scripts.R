# The entry points as a user calls them.
inside("basics")

call_script <- function(script, ...) {
  rscript <- file.path(R.home("bin"), "Rscript")
  output <- suppressWarnings(
    system2(rscript, shQuote(c(file.path(analysis_dir, script), ...)), stdout = TRUE, stderr = TRUE)
  )
  list(status = attr(output, "status") %||% 0L, output = as.character(output))
}

set.seed(31)
work <- tempfile("work")
raw <- file.path(work, "raw")
for (number in 1:5) write_round(raw, "kofahi2013", "debian-12-temurin-17", number, kofahi_cells())
definitions <- file.path(work, "definitions.json")
claims <- list(K1 = ordered_claim("best-of", c("Blowfish", "DES", "Triple-DES", "AES")))
jsonlite::write_json(made_up_definitions(claims), definitions, auto_unbox = TRUE)
published <- file.path(work, "published")
dir.create(published)

whole_chain <- function(out) {
  results <- list(
    call_script("tidy.R", "--raw", raw, "--cpu_apart", "kofahi2013", "--out", out),
    call_script("estimate.R", "--tidy", out),
    call_script("judge.R", "--tidy", out, "--definitions", definitions, "--published", published)
  )
  for (result in results) expect_identical(result, list(status = 0L, output = character()))
  files <- sort(list.files(out), method = "radix")
  stats::setNames(tools::md5sum(file.path(out, files)), files)
}

test_that("raw rounds become every tidy table, the same bytes each time", {
  first <- whole_chain(file.path(work, "one"))
  expect_named(first, c(
    "calibration.csv", "call_checks.csv", "cells.csv", "chain.csv.gz", "compilations.csv.gz", "contrasts.csv",
    "counts.csv.gz", "drifts.csv", "forks.csv", "iterations.csv.gz", "machine_verdicts.csv", "notes.csv",
    "observations.csv.gz", "observed.csv", "observed_means.csv", "offers.csv",
    "pauses.csv.gz", "pilots.csv", "plans.csv", "published_ratios.csv", "ratios.csv", "rounds.csv",
    "sensitivity.csv", "variance_shares.csv", "verdicts.csv"
  ))
  expect_identical(first, whole_chain(file.path(work, "two")))
  verdicts <- read_table(file.path(work, "one", "verdicts.csv"))
  expect_identical(verdicts$verdict, "refuted")
  expect_setequal(read_table(file.path(work, "one", "observed_means.csv"))$measure, c("user", "system"))
})

test_that("every script has --help", {
  for (script in c("tidy.R", "estimate.R", "judge.R")) {
    help <- call_script(script, "--help")
    expect_identical(help$status, 0L)
    expect_match(paste(help$output, collapse = " "), "Options:")
  }
})

test_that("bad input ends in one line and status 2", {
  wrong <- call_script("tidy.R", "--raw", "/no/such", "--out", work)
  expect_identical(wrong$status, 2L)
  expect_length(wrong$output, 1)
  expect_match(wrong$output, "^/no/such: no such directory; expected .*; correct the path$")
  unlink(file.path(raw, "kofahi2013/debian-12-temurin-17/r003/gc/002.log"))
  damaged_round <- call_script("tidy.R", "--raw", raw, "--out", file.path(work, "three"))
  expect_identical(damaged_round$status, 2L)
  expect_match(damaged_round$output, "r003/gc/002.log: is missing")
  expect_false(dir.exists(file.path(work, "three")))
})

test_that("what a script calls of a room is exported by it", {
  names_in <- function(files, pattern) {
    unlist(lapply(files, function(file) regmatches(text <- readLines(file), regexpr(pattern, text, perl = TRUE))))
  }
  sources <- list.files(file.path(analysis_dir, "R"), "\\.R$", recursive = TRUE, full.names = TRUE)
  exports <- list.files(file.path(analysis_dir, "R"), "^NAMESPACE$", recursive = TRUE, full.names = TRUE)
  exported <- unlist(strsplit(unlist(lapply(exports, readLines)), "[^A-Za-z0-9_.]+"))
  inner <- setdiff(names_in(sources, "^[a-z][a-z0-9_.]+(?= <- function)"), exported)
  expect_gt(length(inner), 50)
  kept <- options(keep.parse.data = TRUE) # which a run that measures coverage switches off
  on.exit(options(kept))
  scripts <- setdiff(list.files(analysis_dir, "\\.R$"), "rooms.R") # which makes the rooms
  for (script in file.path(analysis_dir, scripts)) {
    words <- utils::getParseData(parse(script, keep.source = TRUE))
    called <- words$text[words$token == "SYMBOL_FUNCTION_CALL"]
    expect_gt(length(called), 0)
    own <- names_in(script, "^[a-z][a-z0-9_.]+(?= <- function)")
    expect_identical(intersect(setdiff(called, own), inner), character(), info = script)
  }
})
