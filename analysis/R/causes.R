# Why a verdict is undecided, and how many forks per cell would decide it. All tables and texts take both from here.

#' Relative distance from a limit, on either side, within which a narrower interval is not worth measuring.
close_part <- 0.02

#' Probability that the needed forks decide the claim, if its estimate is the true value.
wanted_power <- 0.9

#' The position of a contrast relative to the nearest limit of its target.
#'
#' @param row a contrast with its estimate and `spread`
#' @param lower,upper its target; open ends are 0 or infinite. An order has no target; its limit is 1
#' @return list: `gap`, from the estimate to the limit, and `spread` of one fork of each cell, both on the estimate's
#'   scale; `df`. The distance `reach` from the limit at which an interval is too close to call (NA unless a ratio).
#'   TRUE in `close` means that the whole interval lies within `reach`.
#'   TRUE in `misfit` means that a curve was to be fitted and does not fit
limit_position <- function(row, lower = row$target_lower, upper = row$target_upper) {
  ratio <- !identical(row[["ratio_scale"]], FALSE)
  limits <- c(lower, upper)
  limits <- limits[is.finite(limits) & !(ratio & limits <= 0)]
  if (length(limits) == 0) limits <- 1
  # Exponents, shares and differences have intervals that are symmetric on the linear scale.
  to <- if (ratio && is.finite(row$log_ratio)) log else identity
  list(
    gap = min(abs(to(row$ratio) - to(limits))), spread = row$spread, df = row$df,
    reach = if (ratio) log1p(close_part) else NA_real_,
    close = ratio && any(row$lower >= limits / (1 + close_part) & row$upper <= limits * (1 + close_part)),
    misfit = isTRUE(row[["misfit"]])
  )
}

#' Forks per cell until a claim is decided, if its estimate does not change.
#'
#' N = ((t_{1-level} + t_{power}) * spread / gap)^2, the number for a one-sided test (Lachin 1981, section 2). Student's
#' quantiles replace the normal's. Their degrees of freedom are those that the spread has now, as in Stein's first
#' stage. Measurement also ends once the interval lies within `reach` of the limit on both sides. This takes N =
#' (t_{0.975} * spread / (reach - gap))^2 forks; the smaller N counts.
#'
#' @param level of the one-sided test; the others are from `limit_position`. All are vectorised
#' @return number of forks, not rounded; Inf where the gap is 0 and there is no reach
deciding_forks <- function(gap, spread, df, reach, level) {
  decide <- ((stats::qt(1 - level, df) + stats::qt(wanted_power, df)) * spread / gap)^2
  close <- (stats::qt(0.975, df) * spread / (reach - gap))^2
  pmin(decide, fifelse(gap < reach, close, Inf), na.rm = TRUE)
}

#' The cause of every undecided verdict, and the forks that would decide it.
#'
#' Causes that more forks cannot remove come first. The level that a claim must meet is that of Holm's next step. It is
#' divided by the number of tests that the decisive contrast represents.
#'
#' @param verdicts from `adjust_holm`, with `tests` of `combine_contrasts` and the columns of `limit_position` (NA
#'   without a contrast)
#'
#' @return `verdicts` with `cause` and `forks_needed` per cell. Only verdicts that are undecided or not testable have a
#'   cause; a cause already in a row is kept. The value of `forks_needed` is NA where more forks alone don't help, or
#'   the number is unknown
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

#' `a factor of 1.46`; a factor that would be printed as 1 is given in per cent.
wrong_by <- function(factor) if (factor < 1.01) "less than 1 %" else paste("a factor of", format_plain(factor))

#' A cause in words, with the forks that would decide the claim.
#'
#' @param row a verdict with `cause`, `forks_needed`, `tipping_factor`; its `warm_up_why` is printed where it has one
#'
#' @return text without a capital or a full stop; empty without a cause
undecided_words <- function(row) {
  cause <- row[["cause"]]
  if (is.null(cause) || is.na(cause) || !nzchar(cause)) return("")
  text <- switch(
    cause,
    "warm-up unproven" = paste0(
      "warm-up unproven", if (nzchar(row[["warm_up_why"]] %||% "")) sprintf(" (%s)", row$warm_up_why),
      # At 1 the interval includes the limit, or the estimate is not a ratio: no tipping factor exists.
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
