# Why a verdict is undecided, and how many forks a cell it would take: the one place that says so.

#' The part by which an interval may lie around a limit on either side before narrowing it stops paying.
close_part <- 0.02

#' The chance that the forks needed decide the claim, if its estimate is the truth.
wanted_power <- 0.9

#' Where a contrast stands against the limit of its target that is nearest to it.
#'
#' @param row a contrast with its estimate and `spread`; `lower`, `upper` its target, the ends that are open 0 or
#'   infinite; an order, which has no target, turns at 1
#' @return list: `gap`, from the estimate to the limit, and `spread` of one fork of each cell, both on the estimate's
#'   scale; `df`; `reach`, how far off the limit an interval is still too close to it (NA for what is no ratio);
#'   `close`, whether the whole interval is; `misfit`, whether a curve was to be fitted and does not fit
limit_position <- function(row, lower = row$target_lower, upper = row$target_upper) {
  ratio <- !identical(row[["ratio_scale"]], FALSE)
  limits <- c(lower, upper)
  limits <- limits[is.finite(limits) & !(ratio & limits <= 0)]
  if (length(limits) == 0) limits <- 1
  # An exponent, a share, a difference: intervals that are even on their own scale.
  to <- if (ratio && is.finite(row$log_ratio)) log else identity
  list(
    gap = min(abs(to(row$ratio) - to(limits))), spread = row$spread, df = row$df,
    reach = if (ratio) log1p(close_part) else NA_real_,
    close = ratio && any(row$lower >= limits / (1 + close_part) & row$upper <= limits * (1 + close_part)),
    misfit = isTRUE(row[["misfit"]])
  )
}

#' Forks a cell until an estimate that stays where it is decides its claim.
#'
#' N = ((t_{1-level} + t_{power}) * spread / gap)^2, the number for a one-sided test (Lachin 1981, section 2), with
#' Student's quantiles at the degrees of freedom that the spread has now, as in Stein's first stage, in place of the
#' normal's. Or, where that is sooner, until the interval lies within `reach` of the limit on both sides, which ends it
#' too: N = (t_{0.975} * spread / (reach - gap))^2.
#'
#' @param gap,spread,df,reach of `limit_position`; `level` of the one-sided test. Vectorised
#' @return number of forks, not rounded; Inf where the gap is 0 and there is no reach
deciding_forks <- function(gap, spread, df, reach, level) {
  decide <- ((stats::qt(1 - level, df) + stats::qt(wanted_power, df)) * spread / gap)^2
  close <- (stats::qt(0.975, df) * spread / (reach - gap))^2
  pmin(decide, fifelse(gap < reach, close, Inf), na.rm = TRUE)
}

#' The cause of every undecided verdict, and what it would take.
#'
#' More forks settle nothing, so that comes first. The level that a claim must meet is that of Holm's next step, over
#' the tests that its decisive contrast stands for.
#'
#' @param verdicts of `adjust_holm`, with `tests` of `combine_contrasts` and the columns of `limit_position`, NA where
#'   there is no contrast; `alpha` for each family
#' @return the same with `cause` (of verdicts that are undecided or not testable; what a row brings stays) and
#'   `forks_needed` in every cell (NA where forks alone don't help, or nobody knows)
with_causes <- function(verdicts, alpha) {
  for (name in setdiff(c("cause", "family", "warm_up_why"), names(verdicts))) set(verdicts, j = name, value = "")
  verdicts[, left := max(1L, sum(!is.na(p)) - sum(p_holm <= alpha, na.rm = TRUE)), by = family]
  verdicts[, cause := fcase(
    !cause %in% c("", NA), cause, verdict != "undecided", "",
    unproven %in% TRUE & warm_up_why %in% disturbed_words, "disturbed", unproven %in% TRUE, "warm-up unproven",
    is.na(p), "too few forks",
    misfit %in% TRUE, "curve does not fit", p <= alpha, "lost to Holm", close %in% TRUE, "too close to call",
    default = "too wide"
  )]
  verdicts[, forks_needed := fcase(
    cause == "too few forks", as.double(verdict_forks),
    cause %in% c("lost to Holm", "too wide"),
    pmax(ceiling(deciding_forks(gap, spread, df, reach, alpha / left / tests)), forks_min + 1)
  )]
  verdicts[is.infinite(forks_needed), forks_needed := NA_real_]
  verdicts[]
}

#' `a factor of 1.46`; what would be 1 in print is given as a part.
wrong_by <- function(factor) if (factor < 1.01) "less than 1 %" else paste("a factor of", format_plain(factor))

#' A cause in words, with what it would take.
#'
#' @param row a verdict with `cause`, `forks_needed`, `tipping_factor`; where it has `warm_up_why`, that is printed too
#' @return text without a capital or a full stop; empty without a cause
undecided_words <- function(row) {
  cause <- row[["cause"]]
  if (is.null(cause) || is.na(cause) || !nzchar(cause)) return("")
  text <- switch(
    cause,
    "warm-up unproven" = paste0(
      "warm-up unproven", if (nzchar(row[["warm_up_why"]] %||% "")) sprintf(" (%s)", row$warm_up_why),
      # At 1 the interval reaches over the limit, or the number is no ratio: there is nothing to turn.
      if (isTRUE(row$tipping_factor > 1)) sprintf(": times wrong by %s would turn it", wrong_by(row$tipping_factor))
    ),
    "too few forks" = sprintf("too few forks: a verdict needs %d in every cell", verdict_forks),
    "curve does not fit" = "the curve does not fit, and more forks don't change that",
    disturbed = "disturbed", "not measured" = "not measured",
    "lost to Holm" = "significant alone, but not after Holm's correction over the study's verdicts under the protocol",
    "too close to call" = sprintf(
      "too close to call: within %s %% of the limit on both sides", format_plain(100 * close_part)
    ),
    "too wide" = "too wide an interval"
  )
  if (!cause %in% c("lost to Holm", "too wide") || is.na(row$forks_needed)) return(text)
  paste0(text, ": it would take about ", format_count(row$forks_needed), " forks a cell")
}
