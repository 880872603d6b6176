#: {compares: levels, needs: compare, parameters: {}}
# The first level of the claim's list is the fastest of them: its ratio to every other one is below 1.

#' @inheritParams form_best_of
form_fastest_of <- function(contrasts, parameters) {
  contrasts[numerator == 1][, `:=`(target_lower = 0, target_upper = 1)][]
}
