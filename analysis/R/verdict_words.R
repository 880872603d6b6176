# Sentences of the verdicts.

#' `AES takes 0.12 times the CPU time of Blowfish (encrypt, 100 KB, random, sunjce)`
contrast_sentence <- function(contrast) {
  what <- measure_phrase(contrast$measure)
  if (!nzchar(contrast$denominator)) {
    return(sprintf("%s: the %s is %s", contrast$numerator, what, format_plain(contrast$ratio)))
  }
  if ("ratio_scale" %in% names(contrast) && !contrast$ratio_scale) return(difference_sentence(contrast, what))
  scope <- if (nzchar(contrast$scope)) sprintf(" (%s)", contrast$scope) else ""
  sprintf(
    "%s %s %s times the %s of %s%s", contrast$numerator, if (is_time(contrast$measure)) "takes" else "has",
    format_plain(contrast$ratio), what, contrast$denominator, scope
  )
}

#' `native has 31 more of the server-utilisation than core2 (uncached)`, in points where the claim counts in them.
difference_sentence <- function(contrast, what) {
  scope <- if (nzchar(contrast$scope)) sprintf(" (%s)", contrast$scope) else ""
  sprintf(
    "%s has %s %s of the %s than %s%s", contrast$numerator, format_plain(abs(contrast$ratio)),
    if (contrast$ratio < 0) "less" else "more", what, contrast$denominator, scope
  )
}

#' A target interval in words.
#'
#' @param ratio whether it is of a ratio, for which 0 is an open end
target_words <- function(lower, upper, ratio = TRUE) {
  open <- ratio && lower == 0
  if (open && is.infinite(upper)) return("the same clear order in all")
  if (lower == upper) return(format_plain(lower))
  if (open) return(paste("below", format_plain(upper)))
  if (is.infinite(upper)) return(paste("above", format_plain(lower)))
  sprintf("%s to %s", format_plain(lower), format_plain(upper))
}

#' Why a verdict is what it is, without what it leaves uncovered.
verdict_reason <- function(row) {
  if (row$verdict %in% unjudged_kinds || nzchar(row$reason)) return(row$reason)
  if (row$verdict != "undecided") return(row$sentence)
  told <- if (is.na(row$p)) {
    sprintf("%d forks; a verdict needs %d. So far %s", as.integer(row$forks_min), verdict_forks, row$sentence)
  } else {
    sprintf(
      "%s, interval %s to %s, wanted %s", row$sentence, format_plain(row$lower), format_plain(row$upper), row$target
    )
  }
  if (row$cause == "too few forks") told else paste0(told, "; ", undecided_words(row))
}
