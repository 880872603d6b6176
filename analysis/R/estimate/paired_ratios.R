# Block-paired ratios of many pairs at once.

#' Student's t on the differences of log fork means over the rounds that both cells of a pair were measured in.
#'
#' @param mean,var,n mean, variance and number of the differences of log fork means over the common rounds of each pair
#' @param first number of differences that `var` is of; `back` as for `welch_ratio`
#' @return data.table: `paired_ratio`, `paired_lower`, `paired_upper`, `blocks`; NA below 2 rounds
paired_ratios <- function(mean, var, n, confidence = 0.95, first = n, back = exp) {
  enough <- first > 1
  result <- log_interval(mean, sqrt(var / n), pmax(first - 1, 1), confidence, back)
  result[!enough, c("ratio", "lower", "upper") := NA_real_]
  result[, .(paired_ratio = ratio, paired_lower = lower, paired_upper = upper, blocks = as.integer(n))]
}
