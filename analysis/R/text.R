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

# Parts of texts, and texts of parts.

#' Texts of whatever files hold, as one line each for people: control characters and line breaks are spaces, bytes that
#' are no UTF-8 their numbers, so that a name can't forge a line or speak to a terminal.
one_line <- function(text) {
  gsub("[\\p{Cc}\\p{Zl}\\p{Zp}]+", " ", iconv(text, "UTF-8", "UTF-8", sub = "byte"), perl = TRUE)
}

#' First group of a pattern in each text; NA where the pattern does not occur.
picked <- function(text, pattern) {
  if (length(text) == 0) return(character())
  found <- regexpr(pattern, text, perl = TRUE, useBytes = TRUE)
  start <- attr(found, "capture.start")[, 1]
  group <- substring(text, start, start + attr(found, "capture.length")[, 1] - 1L)
  group[found < 0] <- NA_character_
  group
}

#' Words in a sentence: `one`, `one and two`, `one, two and three`.
format_list <- function(words, last = "and") {
  words <- as.character(words)
  if (length(words) < 2) return(paste(words, collapse = ""))
  paste(paste(words[-length(words)], collapse = ", "), last, words[length(words)])
}

#' A number in a sentence of a tidy table: `digits` significant digits, no exponent, no zeros added.
format_plain <- function(x, digits = 3) {
  format_one <- function(value) format(signif(value, digits), scientific = FALSE, trim = TRUE, digits = 15)
  vapply(x, format_one, "")
}

#' Names in the order of their bytes, which R's own radix order refuses where they are of no declared encoding.
in_byte_order <- function(names) {
  bytes <- names
  Encoding(bytes) <- "bytes"
  names[order(bytes, method = "radix")]
}
