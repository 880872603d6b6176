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
#'
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
#'
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
#'
#' @param alike a factor; 1 if no ratio counts as nearly equal
#'
#' @return list: `p_support`, `p_refute`
kept_p_values <- function(log_ratio, se_log, df, alike = 1) {
  found <- order_p_values(log_ratio, se_log, df)
  if (alike == 1 || is.na(found$p_support)) return(found)
  near <- target_p_values(log_ratio, se_log, df, 1 / alike, alike)
  list(
    p_support = min(1, 2 * min(found$p_support, max(near$p_support))),
    p_refute = max(found$p_refute, min(1, length(log_ratio) * min(near$p_refute)))
  )
}
