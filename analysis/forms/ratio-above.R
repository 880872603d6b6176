#: {compares: ratios, needs: ratios, parameters: {limit: positive}}
# A ratio is above `limit`: a one-sided test.

#' @inheritParams form_ratio_about
form_ratio_above <- function(contrasts, parameters) {
  contrasts[, `:=`(target_lower = parameters$limit, target_upper = Inf)][]
}
