#: {compares: levels, needs: compare, parameters: {}}
# The first level of the claim's list is the slowest of them: its ratio to every other one is above 1.

#' @inheritParams form_fastest_of
form_slowest_of <- function(contrasts, parameters) {
  contrasts[numerator == 1][, `:=`(target_lower = 1, target_upper = Inf)][]
}
