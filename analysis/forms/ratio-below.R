#: {compares: ratios, needs: ratios, parameters: {limit: positive}}
# A ratio is below `limit`: a one-sided test.

#' @inheritParams form_ratio_about
form_ratio_below <- function(contrasts, parameters) {
  contrasts[, `:=`(target_lower = 0, target_upper = parameters$limit)][]
}
