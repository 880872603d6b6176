# Two one-sided tests that a ratio lies within bounds (Schuirmann 1987).

#' Test that a ratio lies between two bounds.
#'
#' The report's claims use the same test through `target_p_values`; here with what a reader wants to see of it. The
#' ratio is equivalent at level alpha when p <= alpha, which is when the interval of confidence 1 - 2 alpha lies within
#' the bounds.
#'
#' @param log_ratio,se_log,df estimate on the log scale, of `welch_ratio`
#' @param bounds the two bounds of the ratio, on its own scale
#' @param alpha level of each of the two tests
#' @return list: `t` (against the lower and the upper bound), `p` (the larger of the two), `lower`, `upper` (the
#'   interval)
two_one_sided_tests <- function(log_ratio, se_log, df, bounds, alpha = 0.05) {
  interval <- log_interval(log_ratio, se_log, df, 1 - 2 * alpha)
  list(
    t = (log_ratio - log(bounds)) / se_log,
    p = target_p_values(log_ratio, se_log, df, bounds[1], bounds[2])$p_support,
    lower = interval$lower, upper = interval$upper
  )
}
