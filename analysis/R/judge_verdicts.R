# From contrasts to verdicts: one p value per claim, and Holm's correction within each family.

#' Forks that a verdict needs in every cell it uses.
verdict_forks <- 5L

#' Every verdict with its words, in the order in which verdicts are counted and shown.
#'
#' `decided_kinds` are the verdicts of claims that were decided, `unjudged_kinds` those of claims that were not judged.
verdict_words <- c(
  holds = "holds", "other-size" = "right direction, other size", opposite = "opposite direction",
  "does-not-hold" = "does not hold", undecided = "undecided", "not-comparable" = "not comparable",
  "not-testable" = "not testable"
)
verdict_kinds <- names(verdict_words)
decided_kinds <- verdict_kinds[1:4]
unjudged_kinds <- verdict_kinds[6:7]

#' Verdicts in words.
describe_verdict <- function(verdict) unname(verdict_words[as.character(verdict)])

#' Reduce the contrasts of one claim in one stratum to its two p values.
#'
#' A claim says that every contrast lies inside its target. It holds when all do (intersection-union test, Berger 1982).
#' That p value is the largest one, without a correction. It does not hold when some contrast lies outside
#' (union-intersection test). That p value is the smallest one times the number of contrasts (Bonferroni). The claim's p
#' is twice the smaller of both, so that the two directions share alpha, as in a 95 % interval.
#'
#' A claim that one level is the best of several is also refuted where all are alike. All contrasts of some `group` then
#' lie within the margin. Within a group, this is an intersection-union test, with the largest p. Over the groups, it is
#' the smallest p times their number. Either of the two refutes the claim, so the smaller p is doubled.
#'
#' @param p_alike NA where the claim has no such margin
#' @return list: `p`, `answer` (`holds` or `does-not-hold`), `decisive`, `alike`, `tests`. `decisive` is the position of
#'   the contrast that decides: the one nearest to refuting the claim, or the one that refuted it. `alike` is TRUE where
#'   the claim is refuted because all are alike. `tests` is the factor by which the decisive contrast's p is multiplied
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

#' The other answer, for a form that claims the opposite of its target.
other_answer <- function(answer) setdiff(c("holds", "does-not-hold"), answer)

#' Holm's adjustment within each family, and the resulting verdicts.
#'
#' @param verdicts data.table with `p`, `answer`, `unproven`, `family`. `p` is NA where the claim isn't judged, or was
#'   counted; its `verdict` is then kept. `unproven` is TRUE where the verdict is based on times not proven compiled.
#'   Without `family`, all rows are one family
#' @return the same with `p_holm`, `verdict` of the judged rows, and `step`: the factor by which Holm multiplies a row's
#'   p. For a row that does not pass, it is the number of those rows
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

#' Separate answers for direction and size, and the verdicts that follow from them.
#'
#' A claim that a ratio is about 10 has a direction, above 1, and a size. Its direction is the study's where all
#' contrasts lie on that side (intersection-union), and the opposite one where all lie on the other.
#'
#' The tests of direction and size are one-sided tests of the limits of one interval. At most one limit is on the wrong
#' side of the true value, so that a row's tests share its level. That level is the one at which Holm decided the row,
#' or left it undecided (Guilbaud 2008).
#'
#' @param verdicts of `adjust_holm`, with `p_same` and `p_opposite` of `summarise_contrasts`, `sized`, `unproven_side`
#' @return the same with `direction` (`same`, `opposite`, `undecided`), `size` (`same`, `other`, `undecided`), and
#'   `verdict`. Where the claim has no direction or size, that column is empty
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

#' The contrasts of one claim, variant and stratum as one row of `verdicts.csv`, before Holm's correction.
#'
#' @param usable contrasts with estimates, at least one; rows of the same `pair` are judged together
#' @param points whether differences are in percentage points
#' @return list: `contrast` to `p`, and `answer`, `sentence`, `target` for the words. `p_same` and `p_opposite` test
#'   that all lie on the claimed side, or on the other one. They are NA where the claim has no side. `sized` is TRUE
#'   where the target says more than a side
summarise_contrasts <- function(usable, points = FALSE) {
  rows <- if (anyDuplicated(usable$pair)) join_settings(usable) else usable
  combined <- combine_contrasts(rows$p_support, rows$p_refute, rows$p_alike, rows$group)
  decisive <- rows[combined$decisive]
  forks <- min(rows$forks_min)
  # The answer that all are alike is based on the whole group.
  basis <- if (combined$alike) alike_rows(rows[group == decisive$group]) else decisive
  times <- unproven_among(rows, basis, combined$answer)
  sentence <- decisive[["sentence"]] %|% contrast_sentence(decisive, points)
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

#' Contrasts that refute a claim by lying within a factor of `alike` of 1. Their tipping factor would move them outside.
alike_rows <- function(rows) {
  copy(rows)[rests_on_times(measure), tipping_factor := tipping_factor(lower, upper, 1 / alike, alike)][]
}

no_contrasts <- list(
  contrast = NA_character_, estimate = NA_real_, lower = NA_real_, upper = NA_real_, contrasts = 0L,
  forks_min = NA_integer_, warm_up_state = "", warm_up_why = "", tipping_factor = NA_real_, unproven = FALSE,
  p = NA_real_, answer = NA_character_, p_same = NA_real_, p_opposite = NA_real_, sized = NA, unproven_side = FALSE,
  sentence = NA_character_, target = NA_character_
)

# Tests whether two CPU profiles (or other settings) put two levels in the same order, by one-sided p values from their
# log ratios.

#' p values for "the same order in all" and "opposite orders in some two", from one log ratio per setting.
#'
#' Same order: all ratios are above 1, or all are below. Each alternative is an intersection-union test, i.e. the
#' largest of the settings' one-sided p (Berger 1982). The smaller of the two results is taken. Opposite orders: one
#' setting's ratio is above 1 and another's is below. For a pair of settings the larger of the two p counts. The result
#' is the smallest over all pairs of settings, times the number of pairs.
#'
#' Choosing the direction from the data costs no factor of 2. Let z be the level of the test. Suppose that one true log
#' ratio is 0. A direction is then called with at most z times the probability that the other setting's ratio falls on
#' that side. The other setting cannot fall on both sides at once, so both directions together have a probability of at
#' most z. If the null hypothesis holds with both ratios away from 0, the probability is smaller still. This is the
#' qualitative interaction test of Gail and Simon (1985), whose critical values for two groups are the one-sided ones.
#' Zelterman (1990) shows the same. The tests compute the size over a grid of true ratios with the noncentral t
#' distribution. The estimates must be independent; they are, since the settings have different forks.
#'
#' @param log_ratio,se_log,df estimates, one per setting
#' @return list: `p_support` (the same order), `p_refute` (opposite orders). NA below two settings, or without an
#'   estimate.
order_p_values <- function(log_ratio, se_log, df) {
  settings <- length(log_ratio)
  if (settings < 2 || anyNA(log_ratio) || anyNA(se_log)) return(list(p_support = NA_real_, p_refute = NA_real_))
  t <- log_ratio / se_log
  t[is.nan(t)] <- 0
  above <- upper_tail(t, df)
  below <- upper_tail(-t, df)
  opposite <- outer(above, below, pmax)
  diag(opposite) <- 1
  list(
    p_support = min(max(above), max(below)), p_refute = min(1, choose(settings, 2) * min(opposite))
  )
}

#' The pairs of levels of a claim that is judged across settings: one row for each, with its joint p values.
#'
#' @param pairs estimates, with `setting` and `joint_scope` in words. Each `pair` has several rows (settings).
#' @return one row per pair: that of the setting whose direction is least clear. Column `sentence` is about all
#'   settings.
join_settings <- function(pairs) {
  weakest <- pairs[, .I[which.min(abs(log_ratio / se_log))[1]], by = pair]$V1
  joined <- pairs[weakest]
  said <- c("measure", "numerator", "denominator", "ratio", "setting", "scope", "joint_scope", "ratio_scale")
  said <- intersect(said, names(pairs))
  joined[, sentence := pairs[, .(text = settings_sentence(.SD)), by = pair, .SDcols = said]$text]
  worst <- pairs[, .I[which.max(fcoalesce(match(warm_up_state, warm_up_states), 0L))[1]], by = pair]$V1
  carried <- c("warm_up_state", "warm_up_why", "reference_reach")
  joined[, c(carried) := pairs[worst, carried, with = FALSE]]
  joined[, tipping_factor := pairs[, .(least = min(tipping_factor)), by = pair]$least]
  joined[, forks_min := pairs[, .(least = min(forks_min)), by = pair]$least]
  joined[]
}

#' `AES takes 0.2 times as long as DES with JDK 17 and 0.3 times with JDK 25 (encryption, SunJCE)`
settings_sentence <- function(rows) {
  time <- measure_phrase(rows$measure[1])
  if (!nzchar(rows$denominator[1])) {
    each <- paste(format_measured(rows$ratio), "with", rows$setting)
    return(sprintf("%s: the %s is %s", rows$numerator[1], time, format_list(each)))
  }
  first <- rows[1]
  first$scope <- ""
  scope <- if (nzchar(rows$joint_scope[1])) sprintf(" (%s)", rows$joint_scope[1]) else ""
  others <- sprintf("%s times with %s", format_measured(rows$ratio[-1]), rows$setting[-1])
  paste0(format_list(c(paste(contrast_sentence(first), "with", rows$setting[1]), others)), scope)
}

#' p values for "the same order in all settings, or nearly equal in all", and for "opposite orders in some two".
#'
#' A pattern can be kept in two ways, each an intersection-union test. In the first, the order is the same
#' (`order_p_values`). In the second, the ratio lies within a factor of `alike` of 1 in every setting (two one-sided
#' tests, the largest p). The smaller p counts, times 2 for the choice. The pattern is broken only if both ways are
#' excluded. Then two settings have opposite orders, and in some setting the ratio is beyond the factor. The p value of
#' the latter is the smallest, times the number of settings. The larger p of the two conditions counts.
#'
#' @inheritParams order_p_values
#' @param alike a factor; 1 if no ratio counts as nearly equal
kept_p_values <- function(log_ratio, se_log, df, alike = 1) {
  found <- order_p_values(log_ratio, se_log, df)
  if (alike == 1 || is.na(found$p_support)) return(found)
  near <- target_p_values(log_ratio, se_log, df, 1 / alike, alike)
  list(
    p_support = min(1, 2 * min(found$p_support, max(near$p_support))),
    p_refute = max(found$p_refute, min(1, length(log_ratio) * min(near$p_refute)))
  )
}
