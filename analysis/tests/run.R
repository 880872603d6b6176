# Runs every test of the analysis: Rscript analysis/tests/run.R. Last line: counts. Status 1 on any failure.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
analysis_dir <- normalizePath(dirname(dirname(script)))
source(file.path(analysis_dir, "load.R"))

results <- testthat::test_dir(
  file.path(analysis_dir, "tests", "testthat"),
  reporter = "summary", env = new.env(parent = globalenv()), stop_on_failure = FALSE
)
results <- as.data.frame(results)
failed <- sum(results$failed) + sum(results$error)
passed <- sum(results$passed)
cat(sprintf("testthat: %d passed, %d failed\n", passed, failed))
quit(status = as.integer(failed > 0 || passed == 0), save = "no")
