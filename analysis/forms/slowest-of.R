#: {compares: levels, needs: compare, parameters: {alike: above-one*}}
# The first level of the claim's list is the slowest of them: its ratio to every other one is above 1. With `alike`,
# levels that are all alike refute it, as for best-of.

#' @inheritParams form_best_of
form_slowest_of <- function(contrasts, parameters) {
  contrasts[numerator == 1][, `:=`(target_lower = 1, target_upper = Inf)][]
}
