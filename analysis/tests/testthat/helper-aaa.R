# What all tests use: directories, expectations, and commands. Other helpers depend on this file, which is read first.

analysis_dir <- analysis_path()
published_folder <- file.path(dirname(analysis_dir), "data", "published")

#' Golden values hold to 1e-6, relative.
expect_golden <- function(found, expected, tolerance = 1e-6) {
  expect_equal(unname(found), expected, tolerance = tolerance)
}

#' A refusal in one line that holds every given text.
expect_refusal <- function(code, ...) {
  problem <- tryCatch(
    {
      code
      NULL
    },
    refusal = identity
  )
  expect_s3_class(problem, "refusal")
  text <- if (is.null(problem)) "" else conditionMessage(problem)
  expect_false(grepl("\n", text, fixed = TRUE))
  for (part in c(...)) expect_match(text, part, fixed = TRUE)
}

fixture <- function(name) testthat::test_path("fixtures", name)

#' A new directory.
new_folder <- function() {
  folder <- tempfile("folder")
  dir.create(folder)
  folder
}

#' A log of these lines.
log_of <- function(...) {
  path <- tempfile(fileext = ".log")
  writeLines(c(...), path)
  path
}

#' A function that makes data once and gives copies of them, which a test may change.
made_once <- function(make) {
  known <- NULL
  function() {
    if (is.null(known)) known <<- make()
    lapply(known, function(part) if (is.data.table(part)) copy(part) else part)
  }
}

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

# lme4's Dyestuff: yield of 6 batches (columns) with 5 samples each (Davies and Goldsmith 1972).
dyestuff <- matrix(c(
  1545, 1440, 1440, 1520, 1580, 1540, 1555, 1490, 1560, 1495, 1595, 1550, 1605, 1510, 1560,
  1445, 1440, 1595, 1465, 1545, 1595, 1630, 1515, 1635, 1625, 1520, 1455, 1450, 1480, 1445
), 5)
