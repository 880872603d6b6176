# Errors for people: one line that says file, what is wrong, what was expected, and the remedy.

#' Stop with an error for people.
#'
#' @param file the file (or option) that is wrong
#' @param what,expected,remedy what was found; what should be there; what to do. The condition keeps all four, for those
#'   who go on without the file
refuse <- function(file, what, expected, remedy) {
  text <- sprintf("%s: %s; expected %s; %s", file, what, expected, remedy)
  stop(structure(
    class = c("refusal", "error", "condition"),
    list(
      message = one_line(text), call = NULL, file = file, what = what, expected = expected, remedy = remedy
    )
  ))
}

#' Names in one line of prose, cut after five.
some_of <- function(names) {
  names <- as.character(names)
  shown <- paste(utils::head(names, 5), collapse = ", ")
  if (length(names) > 5) sprintf("%s and %d more", shown, length(names) - 5) else shown
}

#' The left value unless it is NULL (R gained this operator in 4.4).
`%||%` <- function(left, right) if (is.null(left)) right else left
