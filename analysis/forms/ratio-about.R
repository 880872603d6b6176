#: {compares: ratios, needs: ratios, parameters: {value: positive, within: above-one}}
# A ratio is about `value`: between value / within and value * within, two one-sided tests on the log scale.

#' @param contrasts data.table, one row per entry of the claim's `ratios`
#' @param parameters list: `value`, `within` (a factor)
#' @return all rows, with `target_lower` and `target_upper`
form_ratio_about <- function(contrasts, parameters) {
  value <- parameters$value
  within <- parameters$within
  contrasts[, `:=`(target_lower = value / within, target_upper = value * within)][]
}
