# Do two CPU profiles (or other settings) put two levels in the same order? One-sided p values from their log ratios.

#' p values for "the same order in all" and "opposite orders in some two", from one log ratio per setting.
#'
#' Same order: all ratios are above 1, or all are below. Each alternative is an intersection-union test (the largest of
#' the settings' one-sided p, Berger 1982), and the smaller of both is taken. Opposite orders: one setting's ratio is
#' above 1 and another's below, the larger of the two p; the least over all pairs of settings, times the number of
#' pairs.
#'
#' That the data choose the direction costs no factor of 2. Say z is the test's level. Where one true log ratio is 0, a
#' direction can only be called with probability z times that of the other setting's falling on that side, and the other
#' setting cannot fall on both sides at once; so both directions together have at most z. Where the null holds with both
#' ratios away from 0, the probability is smaller still. This is the qualitative interaction test of Gail and Simon
#' (1985), whose critical values for two groups are the one-sided ones; Zelterman (1990) shows the same. The tests
#' compute the size over a grid of true ratios with the noncentral t distribution. The settings are of different forks,
#' so their estimates are independent, as this needs.
#'
#' @param log_ratio,se_log,df estimates, one per setting
#' @return list: `p_support` (the same order), `p_refute` (opposite orders); NA below two settings or without estimate
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
#' @param pairs estimates, several rows (settings) to each `pair`, with `setting` and `joint_scope` in words
#' @return one row per pair: that of the setting whose direction is least clear, and `sentence` about all settings
join_settings <- function(pairs) {
  weakest <- pairs[, .I[which.min(abs(log_ratio / se_log))[1]], by = pair]$V1
  joined <- pairs[weakest]
  joined[, sentence := pairs[, .(text = settings_sentence(.SD)), by = pair]$text]
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

#' p values for "the same order in all settings, or as good as alike in all", and for "opposite orders in some two".
#'
#' Two ways to keep a pattern, each an intersection-union test: that the order is the same (`order_p_values`), and that
#' the ratio lies within a factor of `alike` of 1 in every setting (two one-sided tests, the largest p). The smaller of
#' both counts, times 2 for the choice. It is broken only where both ways are closed: opposite orders in some two
#' settings, and a ratio beyond the factor in some setting (the least p times their number); the larger p counts.
#'
#' @inheritParams order_p_values
#' @param alike a factor; 1 where nothing counts as alike
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
