# Verdicts of claims about single calls: one per place, from rows of call_checks.csv, before Holm.

#' Verdict rows of a claim whose form compares calls.
#'
#' The typical cell's value is held against the target with Student's t over the place's cells on the log scale; of
#' several measures all must hold. Calls of code that is not settled are not judged. Without a target the value is
#' only shown.
#'
#' @param claim of `listed_claims`; `checks` the table `call_checks.csv`
#' @return data.table with the columns of `claim_verdicts`
call_verdicts <- function(claim, checks) {
  labels <- list(experiment = claim$experiment$id, claim = claim$id, measure = claim$measure, form = claim$form)
  own <- checks[experiment == claim$experiment$id & measure %in% claim$measures]
  if (nrow(own) == 0) {
    nowhere <- stats::setNames(as.list(rep(NA_character_, length(place_columns) + 1)), c(place_columns, "variant"))
    return(row_without_estimate(c(labels, nowhere), not_measured("no round of this experiment timed single calls")))
  }
  target <- claim_targets(claim)
  rows <- lapply(split(own, by = place_columns, sorted = FALSE), function(here) {
    place <- c(as.list(here[1, place_columns, with = FALSE]), list(variant = ""))
    p <- limit_p_values(here, target)
    if (anyNA(p$p_support) || nrow(here) < length(claim$measures)) {
      why <- without_estimate("too few forks", "fewer than 2 cells have forks enough for an interval")
      return(row_without_estimate(c(labels, place), why))
    }
    combined <- combine_contrasts(p$p_support, p$p_refute)
    decisive <- here[combined$decisive]
    excluded <- unique(claim$pairs$excluded[nzchar(claim$pairs$excluded)])
    asked <- (target$target_lower > 0 || is.finite(target$target_upper)) && length(excluded) == 0
    enough <- min(here$forks_min) >= verdict_forks
    sentence <- sprintf(
      "in the typical cell of %d the %s is %s", decisive$cells, measure_phrase(decisive$measure),
      format_plain(decisive$estimate)
    )
    told <- list(
      contrast = NA_character_, estimate = decisive$estimate, lower = decisive$lower, upper = decisive$upper,
      contrasts = 0L, forks_min = min(here$forks_min), settled = decisive$settled, settled_why = decisive$settled_why,
      turning = 1, unsettled = !decisive$settled %in% settled_states[1:2],
      p = if (enough && asked) combined$p else NA_real_, answer = combined$answer, sentence = sentence,
      target = target_words(target$target_lower, target$target_upper),
      verdict = if (asked) "undecided" else "not-comparable",
      reason = if (asked) "" else sprintf(
        "%s. Here: %s, interval %s to %s",
        c(excluded, claim$reason, "a question, without a number of the study")[1], sentence,
        format_plain(decisive$lower), format_plain(decisive$upper)
      ), covers = "", caveat = ""
    )
    as.data.table(c(labels, place, told))
  })
  rbindlist(rows, use.names = TRUE, fill = TRUE)
}

#' One-sided p values of estimates whose 95 % intervals are symmetric on the log scale, over `cells` of each.
limit_p_values <- function(rows, target) {
  df <- pmax(rows$cells - 1, NA_real_, na.rm = TRUE)
  df[df < 1] <- NA_real_
  se <- pmax(log(rows$upper / rows$lower) / 2 / stats::qt(0.975, df), 1e-12)
  target_p_values(log(rows$estimate), se, df, target$target_lower, target$target_upper)
}
