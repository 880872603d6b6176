# Commands of the analysis, in this process or in one of their own. Both give `status`, `output`, and `errors`: the
# lines of stderr.

#' Call a command in this process, without another start of R.
call_command <- function(command, ...) {
  testthat::local_mocked_bindings(
    leave = function(status) stop(structure(list(status = as.integer(status)), class = c("left", "condition"))),
    .package = "jcarerun"
  )
  errors <- character()
  keep <- function(said) {
    errors <<- c(errors, strsplit(sub("\n$", "", conditionMessage(said)), "\n", fixed = TRUE)[[1]])
    invokeRestart("muffleMessage")
  }
  output <- utils::capture.output(status <- tryCatch(
    {
      withCallingHandlers(run_command(c(command, ...)), message = keep)
      0L
    },
    left = function(left) left$status
  ))
  list(status = status, output = output, errors = errors)
}

#' Run a script of the analysis as a user does.
run_script <- function(file, ...) {
  errors <- tempfile()
  script <- shQuote(c(file.path(analysis_dir, file), ...))
  output <- suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), script, stdout = TRUE, stderr = errors))
  list(status = attr(output, "status") %||% 0L, output = as.character(output), errors = readLines(errors))
}
