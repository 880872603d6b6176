#: {compares: differences, needs: ratios, parameters: {lower: number, upper: number*, points: positive*}}
# Numerator less denominator lies between `lower` and `upper`, which is left out where there is none: two one-sided
# tests on the measure's own scale. `points` multiplies the measure: 100 for shares whose difference is told in
# percentage points.

#' @inheritParams form_ratio_about
form_difference_between <- function(contrasts, parameters) {
  contrasts[, `:=`(target_lower = parameters$lower, target_upper = parameters$upper %||% Inf)][]
}
