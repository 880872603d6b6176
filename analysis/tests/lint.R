# Lints every R file of the analysis with analysis/.lintr: Rscript analysis/tests/lint.R. Status 1 on any lint.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
analysis_dir <- dirname(dirname(script))
lints <- lintr::lint_dir(analysis_dir, relative_path = FALSE)
if (length(lints) > 0) print(lints)
cat(sprintf("lintr: %d lints in %s\n", length(lints), analysis_dir))
quit(status = as.integer(length(lints) > 0), save = "no")
