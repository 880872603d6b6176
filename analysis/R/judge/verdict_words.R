# Sentences of the verdicts.

#' Three significant digits, no exponent.
number_words <- function(x) {
  format_one <- function(value) format(signif(value, 3), scientific = FALSE, trim = TRUE, digits = 15)
  vapply(x, format_one, "")
}

#' `AES takes 0.12 times the CPU time of Blowfish (encrypt, 100 KB, random, sunjce)`
contrast_sentence <- function(contrast) {
  what <- measure_phrase(contrast$measure)
  if (!nzchar(contrast$denominator)) {
    return(sprintf("%s: the %s is %s", contrast$numerator, what, number_words(contrast$ratio)))
  }
  scope <- if (nzchar(contrast$scope)) sprintf(" (%s)", contrast$scope) else ""
  sprintf(
    "%s %s %s times the %s of %s%s", contrast$numerator, if (is_time(contrast$measure)) "takes" else "has",
    number_words(contrast$ratio), what, contrast$denominator, scope
  )
}

#' A target interval in words.
target_words <- function(lower, upper) {
  if (lower <= 0 && is.infinite(upper)) return("the same clear order in all")
  if (lower <= 0) return(paste("below", number_words(upper)))
  if (is.infinite(upper)) return(paste("above", number_words(lower)))
  sprintf("%s to %s", number_words(lower), number_words(upper))
}

#' Why a verdict is what it is, without what it leaves uncovered.
verdict_reason <- function(row) {
  if (row$verdict == "not testable here") return(row$reason)
  if (is.na(row$p)) {
    return(sprintf("%d forks; a verdict needs %d. So far %s", as.integer(row$forks_min), verdict_forks, row$sentence))
  }
  if (row$verdict != "inconclusive") return(row$sentence)
  told <- sprintf(
    "%s, interval %s to %s, wanted %s", row$sentence, number_words(row$lower), number_words(row$upper), row$target
  )
  if (row$unsettled) paste0(told, unsettled_words(row)) else told
}

#' Names in a sentence: `a`, `a and b`, `a, b and c`.
list_words <- function(names) {
  n <- length(names)
  if (n < 2) return(paste(names, collapse = ""))
  paste(paste(names[-n], collapse = ", "), "and", names[n])
}
