#: {compares: counts, needs: [values, measure, equals], parameters: {}}
# At every visit the measure is what the claim's `equals` says: a number, or another measure of the same visit. What is
# counted has no interval and no p value: the claim holds when all visits do, and is refuted by one that doesn't.

#' @inheritParams form_value_above
#' @param parameters list: `equals`, the number; 1 where it is a measure, for what was observed over that
form_every <- function(contrasts, parameters) {
  contrasts[, `:=`(target_lower = parameters$equals, target_upper = parameters$equals)][]
}
