#: {compares: values, needs: values, parameters: {value: positive, within: above-one}}
# A cell's own measure is about `value`: between value / within and value * within, two one-sided tests on its forks.

#' @inheritParams form_value_above
#' @param parameters list: `value`, `within` (a factor)
form_value_about <- function(contrasts, parameters) {
  value <- parameters$value
  within <- parameters$within
  contrasts[, `:=`(target_lower = value / within, target_upper = value * within)][]
}
