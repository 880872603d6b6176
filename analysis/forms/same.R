#: {compares: levels, needs: compare, partial: true, parameters: {within: above-one}}
# The levels make no difference: every level's ratio to the first lies between 1 / within and within, two one-sided
# tests each. Levels that were not measured are left out; the first that was is the one the others are held against.

#' @inheritParams form_best_of
form_same <- function(contrasts, parameters) {
  within <- parameters$within
  contrasts[denominator == 1][, `:=`(target_lower = 1 / within, target_upper = within)][]
}
