# The command line of the analysis: Rscript analysis/run.R COMMAND [--name VALUE ...]; --help lists both.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
if (!requireNamespace("pkgload", quietly = TRUE)) {
  message("R: package pkgload is missing; expected it to be installed; install it, or run in the analysis image")
  quit(status = 2, save = "no")
}
# Interpreted functions of this package take less time than compiling them would, even on a thousand rounds.
invisible(compiler::enableJIT(0))
pkgload::load_all(dirname(script), export_all = TRUE, helpers = FALSE, attach_testthat = FALSE, quiet = TRUE)
run_command(commandArgs(TRUE))
