# From contrasts to verdicts: one p value per claim, Holm over the report.

#' Forks that a verdict needs in every cell it uses.
verdict_forks <- 5L

#' Every verdict, in the order in which they are counted and shown; those that say that a claim was not judged.
verdict_kinds <- c("supported", "refuted", "undecided", "not comparable", "not testable here")
unjudged_kinds <- c("not comparable", "not testable here")

#' Reduce the contrasts of one claim in one place to its two p values.
#'
#' A claim says that every contrast lies inside its target. So it is supported when all do (intersection-union test,
#' Berger 1982: the largest p, no correction needed) and refuted when some contrast lies outside (union-intersection:
#' the least p times the number of contrasts, Bonferroni). The claim's p is twice the smaller of both, so that the two
#' directions share alpha, as a 95 % interval does.
#'
#' A claim that one level is the best of several is refuted also where all are alike: all contrasts of some `group` lie
#' within the margin (intersection-union, the largest p; over the groups the least times their number). Either of the
#' two refutes, so the smaller counts times 2.
#'
#' @param p_support,p_refute of each contrast; `p_alike`, NA where the claim has no such margin; `group` of each
#' @return list: `p`, `direction` (`supported` or `refuted`), `decisive` (position of the contrast that decides: the one
#'   nearest to breaking the claim, or the one that broke it), `alike` (whether being alike is what refutes it),
#'   `tests` (by how much the decisive contrast's own p is multiplied)
combine_contrasts <- function(p_support, p_refute, p_alike = NULL, group = rep("", length(p_alike))) {
  support <- max(p_support)
  broken <- min(1, length(p_refute) * min(p_refute))
  same <- if (length(p_alike) > 0 && !anyNA(p_alike)) vapply(split(p_alike, group), max, 0)
  alike <- length(same) > 0 && min(1, length(same) * min(same)) < broken
  refute <- if (length(same) == 0) broken else min(1, 2 * min(broken, length(same) * min(same)))
  refuted <- refute < support
  list(
    p = min(1, 2 * min(support, refute)),
    direction = if (refuted) "refuted" else "supported",
    decisive = if (!refuted) {
      which.max(p_support)
    } else if (alike) {
      which(group == names(same)[which.min(same)] & p_alike == min(same))[1]
    } else {
      which.min(p_refute)
    },
    alike = refuted && alike,
    tests = 2 * (if (refuted && alike) length(same) else if (refuted) length(p_refute) else 1) *
      (if (refuted && length(same) > 0) 2 else 1)
  )
}

#' Holm's adjustment and the verdicts it allows.
#'
#' @param verdicts data.table with `p` (NA where the claim isn't judged, or was counted: then its `verdict` stands),
#'   `direction`, `unsettled` (whether it rests on times that are not settled); `alpha` for the whole report
#' @return the same with `p_holm`, `verdict` of the judged rows
settle <- function(verdicts, alpha) {
  judged <- !is.na(verdicts$p)
  verdicts[, p_holm := NA_real_]
  verdicts[judged, p_holm := stats::p.adjust(p, "holm")]
  verdicts[judged, verdict := fifelse(p_holm <= alpha & !unsettled, direction, "undecided")]
  verdicts[]
}

#' The contrasts of one claim, variant and place as one row of `verdicts.csv`, before Holm.
#'
#' @param usable contrasts with estimates, at least one; rows of the same `pair` are judged together
#' @return list: `contrast` to `p`, and `direction`, `sentence`, `target` for the words
summarise_contrasts <- function(usable) {
  rows <- if (anyDuplicated(usable$pair)) join_settings(usable) else usable
  combined <- combine_contrasts(rows$p_support, rows$p_refute, rows$p_alike, rows$group)
  decisive <- rows[combined$decisive]
  forks <- min(rows$forks_min)
  # That all are alike rests on all of its group.
  basis <- if (combined$alike) alike_rows(rows[group == decisive$group]) else decisive
  times <- unsettled_among(rows, basis, combined$direction)
  sentence <- decisive[["sentence"]] %||% contrast_sentence(decisive)
  target <- target_words(decisive$target_lower, decisive$target_upper, !identical(decisive[["ratio_scale"]], FALSE))
  position <- if (combined$alike) {
    limit_position(decisive, 1 / decisive$alike, decisive$alike)
  } else {
    limit_position(decisive)
  }
  c(list(
    contrast = decisive$contrast, estimate = decisive$ratio, lower = decisive$lower, upper = decisive$upper,
    contrasts = nrow(usable), forks_min = forks, settled = times$settled, settled_why = times$settled_why,
    turning = times$turning, unsettled = times$open, p = if (forks >= verdict_forks) combined$p else NA_real_,
    direction = combined$direction,
    sentence = if (combined$alike) {
      sprintf("all alike, within a factor of %s; the farthest apart: %s", format_plain(decisive$alike), sentence)
    } else {
      sentence
    },
    target = target, tests = combined$tests
  ), position)
}

#' Contrasts that refute a claim by lying within a factor of `alike` of 1: turned by what would take them out of it.
alike_rows <- function(rows) {
  copy(rows)[rests_on_times(measure), turning := turning_factor(lower, upper, 1 / alike, alike)][]
}

no_contrasts <- list(
  contrast = NA_character_, estimate = NA_real_, lower = NA_real_, upper = NA_real_, contrasts = 0L,
  forks_min = NA_integer_, settled = "", settled_why = "", turning = NA_real_, unsettled = FALSE,
  p = NA_real_, direction = NA_character_, sentence = NA_character_, target = NA_character_
)
