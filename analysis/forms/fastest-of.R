#: {compares: levels, needs: compare, parameters: {}}
# The first level of the claim's list is the fastest of them: its ratio to every other one is below 1.

#' @param contrasts data.table with `numerator` and `denominator`, positions in the claim's list of levels, every
#'   ordered pair of two
#' @return the pairs this form needs, with `target_lower` and `target_upper`, where the claim wants their ratio
form_fastest_of <- function(contrasts, parameters) {
  contrasts[numerator == 1][, `:=`(target_lower = 0, target_upper = 1)][]
}
