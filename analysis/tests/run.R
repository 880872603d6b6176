# Runs the tests of the analysis: Rscript analysis/tests/run.R [PATTERN], all of them or those of the files whose names
# match. Where all run and covr is installed it prints which share of each room's expressions they reached, scripts that
# tests start as processes of their own not counted. Last line: counts. Status 1 on any failure.

pattern <- commandArgs(TRUE)
with_coverage <- length(pattern) == 0 && requireNamespace("covr", quietly = TRUE)
options(keep.source = with_coverage)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(dirname(script)), "rooms.R"), chdir = TRUE)

#' Let a test file see all that rooms define, not only their exports.
inside <- function(...) {
  for (name in c(...)) {
    own <- room(name)$inside
    twice <- intersect(names(own), names(parent.frame()))
    if (length(twice) > 0) stop("inside(\"", name, "\"): ", twice[1], " is defined already")
    list2env(mget(names(own), own), parent.frame())
  }
}

#' Evaluate an expression and print which share of each room's expressions it reached.
#'
#' covr counts in the functions themselves, so that it also sees calls of the copies that other rooms import.
reached <- function(expression) {
  rooms <- list.files(file.path(analysis_dir, "R"))
  functions <- new.env(parent = environment())
  for (name in rooms) {
    found <- Filter(is.function, as.list(room(name)$inside))
    list2env(stats::setNames(found, paste0(name, "/", names(found))), functions)
  }
  run <- tempfile(fileext = ".R")
  writeLines("force(expression)", run)
  counted <- as.data.frame(covr::environment_coverage(functions, run))
  hit <- tapply(counted$value > 0, basename(dirname(counted$filename)), mean)
  cat(sprintf("coverage of %s: %.1f %%\n", names(hit), 100 * hit), sep = "")
  cat(sprintf("coverage: %.0f%% of expressions\n", 100 * mean(counted$value > 0)))
}

library(data.table)
run_tests <- function() {
  results <<- as.data.frame(testthat::test_dir(
    file.path(analysis_dir, "tests", "testthat"),
    filter = if (length(pattern) > 0) pattern[1],
    reporter = "summary", env = new.env(parent = globalenv()), stop_on_failure = FALSE
  ))
}
if (with_coverage) reached(run_tests()) else run_tests()
failed <- sum(results$failed) + sum(results$error)
passed <- sum(results$passed)
cat(sprintf("testthat: %d passed, %d failed\n", passed, failed))
quit(status = as.integer(failed > 0 || passed == 0), save = "no")
