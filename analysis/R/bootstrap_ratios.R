# Bootstrap-t for ratios of two cells: Welch's interval without Student's distribution (Efron and Tibshirani 1993,
# chapter 16).

#' Bootstrap samples for each contrast, and the generator's start.
ratio_resamples <- 1999L
ratio_seed <- 20260101L

#' Quantiles of t* for two cells: both are resampled, and t* = (difference of means* - difference of means) / standard
#' error*, with Welch's standard error. Resamples without variation have no t* and don't count.
#'
#' @param one,two log fork means, at least 3 each
#' @return numeric of 2: the (1 - confidence) / 2 and (1 + confidence) / 2 quantiles of t*; NA where there are too few
#'   forks
t_star_quantiles <- function(one, two, confidence = 0.95, resamples = ratio_resamples) {
  if (min(length(one), length(two)) < 3) return(c(NA_real_, NA_real_))
  moments <- lapply(list(one, two), function(values) {
    draws <- fork_resamples(values - mean(values), resamples)
    n <- length(values)
    means <- colMeans(draws)
    list(mean = means, squared = pmax(colMeans(draws^2) - means^2, 0) / (n - 1))
  })
  se <- sqrt(moments[[1]]$squared + moments[[2]]$squared)
  # Sums of squares can't tell less than this from 0.
  kept <- se > 1e-7 * sqrt(stats::var(one) / length(one) + stats::var(two) / length(two))
  if (!any(kept)) return(c(NA_real_, NA_real_))
  t_star <- (moments[[1]]$mean - moments[[2]]$mean)[kept] / se[kept]
  stats::quantile(t_star, (1 + c(-1, 1) * confidence) / 2, names = FALSE, type = 6)
}

#' Ratios with bootstrap-t intervals of forks, whatever rounds they are of, and p values that agree with them.
#'
#' The p values need tails that no number of resamples reaches. So Student's t is stretched on each side until its 95 %
#' interval is the bootstrap's, and its tails are taken. `se_log` is the wider side's.
#'
#' @param pairs,forks as for `estimate_pairs`
#' @return Welch's estimates with `lower`, `upper`, `se_log`, `p_support`, `p_refute` anew; pairs with fewer than 3
#'   forks in a cell keep Welch's
bootstrap_estimates <- function(pairs, forks, confidence = 0.95) {
  pairs <- estimate_pairs(pairs, forks, confidence, paired = FALSE)
  forks <- forks[experiment %in% pairs$experiment & measure %in% pairs$measure & mean_ns > 0]
  values <- split(log(forks$mean_ns), do.call(paste, c(forks[, cell_id, with = FALSE], sep = "\r")))
  key <- function(which) do.call(paste, c(side_of(pairs, which)[, cell_id, with = FALSE], sep = "\r"))
  one <- key("numerator")
  two <- key("denominator")
  both <- paste(one, two)
  asked <- which(!is.na(pairs$se_log) & pairs$se_log > 0)
  asked <- asked[!duplicated(both[asked])]
  quantiles <- with_seed(ratio_seed, vapply(asked, function(row) {
    t_star_quantiles(values[[one[row]]], values[[two[row]]], confidence)
  }, c(0, 0)))
  at <- match(both, both[asked])
  student <- stats::qt((1 + confidence) / 2, pairs$df)
  # The upper quantile makes the lower end.
  below <- pairs$se_log * pmax(quantiles[2, at], 0) / student
  above <- pairs$se_log * pmax(-quantiles[1, at], 0) / student
  known <- which(is.finite(below) & is.finite(above))
  pairs[known, `:=`(
    lower = exp(log_ratio - (student * below)[known]), upper = exp(log_ratio + (student * above)[known]),
    se_log = pmax(below, above)[known]
  )]
  pairs[known, c("p_support", "p_refute") := target_p_values(
    log_ratio, below[known], df, target_lower, target_upper, above[known]
  )]
  pairs[]
}

#' Bootstrap samples of forks, one per column.
fork_resamples <- function(values, resamples) {
  n <- length(values)
  matrix(values[sample.int(n, n * resamples, replace = TRUE)], n)
}
