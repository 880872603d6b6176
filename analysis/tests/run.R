# Runs the tests of the analysis: Rscript analysis/tests/run.R [PATTERN], all of them or those of the files whose names
# match. Last line: counts. Status 1 on any failure.

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

library(data.table)
pattern <- commandArgs(TRUE)
results <- testthat::test_dir(
  file.path(analysis_dir, "tests", "testthat"),
  filter = if (length(pattern) > 0) pattern[1],
  reporter = "summary", env = new.env(parent = globalenv()), stop_on_failure = FALSE
)
results <- as.data.frame(results)
failed <- sum(results$failed) + sum(results$error)
passed <- sum(results$passed)
cat(sprintf("testthat: %d passed, %d failed\n", passed, failed))
quit(status = as.integer(failed > 0 || passed == 0), save = "no")
