# From contrasts to verdicts: one p value per claim, Holm over the report.

#' Forks that a verdict needs in every cell it uses.
verdict_forks <- 5L

#' Every verdict, in the order in which they are counted and shown, with its words; those that say that a claim was
#' decided, and that it was not judged.
verdict_words <- c(
  holds = "holds", "other-size" = "right direction, other size", opposite = "opposite direction",
  "does-not-hold" = "does not hold", undecided = "undecided", "not-comparable" = "not comparable",
  "not-testable" = "not testable"
)
verdict_kinds <- names(verdict_words)
decided_kinds <- verdict_kinds[1:4]
unjudged_kinds <- verdict_kinds[6:7]

#' A verdict in words. What a run has no benchmarks for is not testable in it, though it may be in another.
#'
#' @param verdict of `verdict_kinds`; `cause` of `with_causes`. Vectorised
describe_verdict <- function(verdict, cause = "") {
  words <- unname(verdict_words[as.character(verdict)])
  fifelse(as.character(verdict) == "not-testable" & cause %in% "not measured", "not measured", words)
}

#' Reduce the contrasts of one claim in one place to its two p values.
#'
#' A claim says that every contrast lies inside its target. So it holds when all do (intersection-union test,
#' Berger 1982: the largest p, no correction needed) and does not when some contrast lies outside (union-intersection:
#' the least p times the number of contrasts, Bonferroni). The claim's p is twice the smaller of both, so that the two
#' directions share alpha, as a 95 % interval does.
#'
#' A claim that one level is the best of several does not hold either where all are alike: all contrasts of some `group`
#' lie within the margin (intersection-union, the largest p; over the groups the least times their number). Either of
#' the two breaks it, so the smaller counts times 2.
#'
#' @param p_support,p_refute of each contrast; `p_alike`, NA where the claim has no such margin; `group` of each
#' @return list: `p`, `answer` (`holds` or `does-not-hold`), `decisive` (position of the contrast that decides: the one
#'   nearest to breaking the claim, or the one that broke it), `alike` (whether being alike is what breaks it),
#'   `tests` (by how much the decisive contrast's own p is multiplied)
combine_contrasts <- function(p_support, p_refute, p_alike = NULL, group = rep("", length(p_alike))) {
  support <- max(p_support)
  outside <- min(1, length(p_refute) * min(p_refute))
  same <- if (length(p_alike) > 0 && !anyNA(p_alike)) vapply(split(p_alike, group), max, 0)
  alike <- length(same) > 0 && min(1, length(same) * min(same)) < outside
  refute <- if (length(same) == 0) outside else min(1, 2 * min(outside, length(same) * min(same)))
  broken <- refute < support
  list(
    p = min(1, 2 * min(support, refute)),
    answer = if (broken) "does-not-hold" else "holds",
    decisive = if (!broken) {
      which.max(p_support)
    } else if (alike) {
      which(group == names(same)[which.min(same)] & p_alike == min(same))[1]
    } else {
      which.min(p_refute)
    },
    alike = broken && alike,
    tests = 2 * (if (broken && alike) length(same) else if (broken) length(p_refute) else 1) *
      (if (broken && length(same) > 0) 2 else 1)
  )
}

#' The other answer, for a form that claims the contrary of its target.
other_answer <- function(answer) setdiff(c("holds", "does-not-hold"), answer)

#' Holm's adjustment within each family, and the answers it allows.
#'
#' @param verdicts data.table with `p` (NA where the claim isn't judged, or was counted: then its `verdict` stands),
#'   `answer`, `unproven` (whether it rests on times not proven compiled), `family`: all are one where it is left out;
#'   `alpha` for each family
#' @return the same with `p_holm`, `verdict` of the judged rows, and `step`: by how much Holm multiplies a row's own p,
#'   for a row that is not let through the number of those
adjust_holm <- function(verdicts, alpha) {
  if (!"family" %in% names(verdicts)) verdicts[, family := ""]
  verdicts[, `:=`(p_holm = NA_real_, step = NA_real_)]
  judged <- !is.na(verdicts$p)
  verdicts[judged, p_holm := stats::p.adjust(p, "holm"), by = family]
  verdicts[judged, step := {
    passed <- p_holm <= alpha
    fifelse(passed, .N - frank(p, ties.method = "first") + 1, max(1, sum(!passed)))
  }, by = family]
  verdicts[judged, verdict := fifelse(p_holm <= alpha & !unproven, answer, "undecided")]
  verdicts[]
}

#' Direction and size apart, and the verdicts that they make.
#'
#' A claim that a ratio is about 10 has a direction, above 1, and a size. Its direction is the study's where all
#' contrasts lie on that side (intersection-union), and the opposite one where all lie on the other. Both tests, and
#' those of the size, are one-sided tests of limits of one interval: at most one limit is on the wrong side of the
#' truth, so that a row's tests share its level. That level is the one at which Holm decided about the row, or left it
#' undecided (Guilbaud 2008).
#'
#' @param verdicts of `adjust_holm`, with `p_same` and `p_opposite` of `summarise_contrasts`, `sized`, `unproven_side`
#' @return the same with `direction` (`same`, `opposite`, `undecided`; empty where the claim has none), `size` (`same`,
#'   `other`, `undecided`; empty where it has none), and `verdict`
with_direction <- function(verdicts, alpha) {
  sided <- verdicts$sized %in% c(TRUE, FALSE) & !is.na(verdicts$p) & !is.na(verdicts$p_same)
  verdicts[, `:=`(direction = "", size = "")]
  verdicts[sided, direction := fcase(
    verdict == "holds", "same", unproven_side | 2 * pmin(p_same, p_opposite) * step > alpha, "undecided",
    p_same < p_opposite, "same", default = "opposite"
  )]
  verdicts[sided & sized %in% TRUE, size := fcase(
    verdict == "holds", "same", verdict == "does-not-hold", "other", default = "undecided"
  )]
  verdicts[verdict == "does-not-hold" & direction == "same" & size == "other", verdict := "other-size"]
  verdicts[verdict == "does-not-hold" & direction == "opposite", verdict := "opposite"]
  verdicts[]
}

#' The contrasts of one claim, variant and place as one row of `verdicts.csv`, before Holm.
#'
#' @param usable contrasts with estimates, at least one; rows of the same `pair` are judged together; `points` whether
#'   differences count in percentage points
#' @return list: `contrast` to `p`, and `answer`, `sentence`, `target` for the words; `p_same` and `p_opposite`, that
#'   all lie on the claimed side and on the other one, NA where it has none; `sized`, whether the target says more than
#'   a side
summarise_contrasts <- function(usable, points = FALSE) {
  rows <- if (anyDuplicated(usable$pair)) join_settings(usable) else usable
  combined <- combine_contrasts(rows$p_support, rows$p_refute, rows$p_alike, rows$group)
  decisive <- rows[combined$decisive]
  forks <- min(rows$forks_min)
  # That all are alike rests on all of its group.
  basis <- if (combined$alike) alike_rows(rows[group == decisive$group]) else decisive
  times <- unproven_among(rows, basis, combined$answer)
  sentence <- decisive[["sentence"]] %||% contrast_sentence(decisive, points)
  target <- target_words(decisive$target_lower, decisive$target_upper, !identical(decisive[["ratio_scale"]], FALSE))
  position <- if (combined$alike) {
    limit_position(decisive, 1 / decisive$alike, decisive$alike)
  } else {
    limit_position(decisive)
  }
  c(list(
    contrast = decisive$contrast, estimate = decisive$ratio, lower = decisive$lower, upper = decisive$upper,
    contrasts = nrow(usable), forks_min = forks, warm_up_state = times$warm_up_state, warm_up_why = times$warm_up_why,
    tipping_factor = times$tipping_factor, unproven = times$open,
    p = if (forks >= verdict_forks) combined$p else NA_real_,
    answer = combined$answer, p_same = max(rows$p_same), p_opposite = max(rows$p_opposite),
    sized = any(rows$sized), unproven_side = times$open_side,
    sentence = if (combined$alike) {
      sprintf("all alike, within a factor of %s; the farthest apart: %s", format_plain(decisive$alike), sentence)
    } else {
      sentence
    },
    target = target, tests = combined$tests
  ), position)
}

#' Contrasts that break a claim by lying within a factor of `alike` of 1: turned by what would take them out of it.
alike_rows <- function(rows) {
  copy(rows)[rests_on_times(measure), tipping_factor := tipping_factor(lower, upper, 1 / alike, alike)][]
}

no_contrasts <- list(
  contrast = NA_character_, estimate = NA_real_, lower = NA_real_, upper = NA_real_, contrasts = 0L,
  forks_min = NA_integer_, warm_up_state = "", warm_up_why = "", tipping_factor = NA_real_, unproven = FALSE,
  p = NA_real_, answer = NA_character_, p_same = NA_real_, p_opposite = NA_real_, sized = NA, unproven_side = FALSE,
  sentence = NA_character_, target = NA_character_
)
