# Runs the tests of the analysis: Rscript analysis/tests/run.R [PATTERN], all of them or those of the files whose names
# match. The last lines are the slowest tests and the counts. Status 1 on any failure.

pattern <- commandArgs(TRUE)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
analysis_dir <- normalizePath(dirname(dirname(script)))
# Interpreted functions of this package take less time than compiling them would, even on a thousand rounds.
invisible(compiler::enableJIT(0))
pkgload::load_all(analysis_dir, helpers = FALSE, attach_testthat = FALSE, quiet = TRUE)
results <- as.data.frame(testthat::test_dir(
  file.path(analysis_dir, "tests", "testthat"),
  filter = if (length(pattern) > 0) pattern[1], reporter = "summary",
  env = new.env(parent = asNamespace("jcarerun")), load_package = "none", stop_on_failure = FALSE
))
slowest <- head(results[order(-results$real), ], 20)
cat(sprintf("%5.1f s  %s: %s\n", slowest$real, slowest$file, slowest$test), sep = "")
failed <- sum(results$failed) + sum(results$error)
passed <- sum(results$passed)
cat(sprintf("testthat: %d passed, %d failed\n", passed, failed))
quit(status = as.integer(failed > 0 || passed == 0), save = "no")
