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
