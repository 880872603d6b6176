# Verdicts of claims about iterations: one per place, from a row of iteration_checks.csv, before Holm.

#' Verdict rows of a claim whose form compares iterations.
#'
#' The quantity's logarithm is held against its target with Student's t over the place's cells: supported is a test on
#' each side (the larger p), refuted the smaller p times the number of sides; the claim's p is twice the smaller of
#' both, as for contrasts.
#'
#' @param claim of `listed_claims`; `form` its form; `checks` the table `iteration_checks.csv`
#' @return data.table with the columns of `claim_verdicts`
iteration_verdicts <- function(claim, form, checks) {
  labels <- list(experiment = claim$experiment$id, claim = claim$id, measure = "wall", form = claim$form)
  own <- checks[experiment == claim$experiment$id]
  if (nrow(own) == 0) {
    nowhere <- stats::setNames(as.list(rep(NA_character_, length(place_columns) + 1)), c(place_columns, "variant"))
    return(untestable_row(labels, nowhere, "no round of this experiment was measured"))
  }
  rows <- lapply(seq_len(nrow(own)), function(i) {
    place <- c(as.list(own[i, place_columns, with = FALSE]), list(variant = ""))
    found <- form$targets(own[i], claim$parameters)
    judged <- judged_logarithm(found)
    enough <- own$forks_min[i] >= verdict_forks
    if (is.na(judged$p)) {
      return(untestable_row(labels, place, "fewer than 2 cells have forks enough for an interval"))
    }
    told <- list(
      contrast = NA_character_, estimate = found$estimate, lower = found$lower, upper = found$upper, contrasts = 0L,
      forks_min = own$forks_min[i], settled = "", settled_why = "", turning = NA_real_, unsettled = FALSE,
      p = if (enough) judged$p else NA_real_,
      direction = judged$direction, sentence = found$sentence,
      target = target_words(found$target_lower, found$target_upper), verdict = "inconclusive", reason = "", covers = "",
      caveat = ""
    )
    as.data.table(c(labels, place, told))
  })
  rbindlist(rows, use.names = TRUE)
}

#' p and direction of an estimate with a 95 % interval, symmetric on the log scale, over `n` cells.
judged_logarithm <- function(found) {
  df <- found$n - 1
  if (!is.finite(found$lower) || !is.finite(found$upper) || df < 1) {
    return(list(p = NA_real_, direction = NA_character_))
  }
  se <- max(log(found$upper / found$lower) / 2 / stats::qt(0.975, df), 1e-12)
  above <- (log(found$estimate) - log(found$target_lower)) / se
  below <- (log(found$target_upper) - log(found$estimate)) / se
  sides <- c(above, below)[is.finite(c(above, below))]
  combined <- combine_contrasts(upper_tail(sides, df), upper_tail(-sides, df))
  combined[c("p", "direction")]
}
