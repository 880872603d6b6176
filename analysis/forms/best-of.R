#: {compares: levels, needs: compare, parameters: {alike: above-one}}
# The first level of the claim's list is the best of them, which is the lowest: its ratio to every other one is below
# 1. Where all of them are alike, each within a factor of `alike` of the first by two one-sided tests, none is the
# best, and the claim is refuted ("all alike", R/verdicts.R).

#' @param contrasts data.table with `numerator` and `denominator`, positions in the claim's list of levels, every
#'   ordered pair of two
#' @return the pairs this form needs, with `target_lower` and `target_upper`, where the claim wants their ratio
form_best_of <- function(contrasts, parameters) {
  contrasts[numerator == 1][, `:=`(target_lower = 0, target_upper = 1)][]
}
