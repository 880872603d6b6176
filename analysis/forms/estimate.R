#: {compares: ratios, needs: ratios, parameters: {}, judged: false}
# A question without an answer to hold against: the ratio is estimated with its interval, and no verdict is given.

#' @inheritParams form_ratio_about
form_estimate <- function(contrasts, parameters) {
  contrasts[, `:=`(target_lower = 0, target_upper = Inf)][]
}
