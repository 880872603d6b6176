# Student's interval of a mean, for one sample or a whole column of them.

#' Half-width of Student's interval.
#'
#' @param sd,n standard deviation and number of the independent values (fork means)
#' @param confidence e.g. 0.95
#' @return half-width in the unit of sd; NA below 2 values
t_half_width <- function(sd, n, confidence = 0.95) {
  quantile <- suppressWarnings(stats::qt((1 + confidence) / 2, n - 1))
  fifelse(n > 1, quantile * sd / sqrt(n), NA_real_)
}

#' The interval one would get by taking all iterations for independent: too narrow, computed as a warning only.
#'
#' @param means,sds,counts of the iterations of each fork
#' @return half-width in the unit of the means
pooled_half_width <- function(means, sds, counts, confidence = 0.95) {
  total <- sum(counts)
  if (total < 2) return(NA_real_)
  grand <- sum(counts * means) / total
  within <- sum((counts - 1) * fifelse(counts > 1, as.numeric(sds), 0)^2)
  spread <- sqrt((within + sum(counts * (means - grand)^2)) / (total - 1))
  t_half_width(spread, total, confidence)
}
