# Expectations of this suite.

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
