#: {compares: values, needs: values, parameters: {limit: positive}}
# A cell's own measure is below `limit`: a one-sided test on its forks.

#' @inheritParams form_value_above
form_value_below <- function(contrasts, parameters) {
  contrasts[, `:=`(target_lower = 0, target_upper = parameters$limit)][]
}
