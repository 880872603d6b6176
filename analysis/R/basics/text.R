# Parts of texts.

#' First group of a pattern in each text; NA where the pattern does not occur.
picked <- function(text, pattern) {
  if (length(text) == 0) return(character())
  found <- regexpr(pattern, text, perl = TRUE, useBytes = TRUE)
  start <- attr(found, "capture.start")[, 1]
  group <- substring(text, start, start + attr(found, "capture.length")[, 1] - 1L)
  group[found < 0] <- NA_character_
  group
}
