#: {compares: ratios, needs: ratios, parameters: {lower: positive, upper: positive}}
# A ratio lies between `lower` and `upper`: two one-sided tests on the log scale (Schuirmann 1987), as for
# ratio-about, with two ends that need not lie evenly about a middle.

#' @inheritParams form_ratio_about
form_ratio_between <- function(contrasts, parameters) {
  contrasts[, `:=`(target_lower = parameters$lower, target_upper = parameters$upper)][]
}
