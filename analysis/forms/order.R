#: {compares: levels, needs: compare, parameters: {}}
# The levels stand from fast to slow: every ratio of neighbours is below 1, which is the whole order by transitivity.

#' @inheritParams form_best_of
form_order <- function(contrasts, parameters) {
  contrasts[denominator == numerator + 1][, `:=`(target_lower = 0, target_upper = 1)][]
}
