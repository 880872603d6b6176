#: {compares: series, needs: compare, sizes: true, parameters: {margin: positive, deviation: positive}}
# Time grows linearly with the claim's levels, which are sizes: the exponent of growth lies within `margin` of 1, two
# one-sided tests (R/estimate/linearity.R). Where the curve does not fit, and misses some size by more than the part
# `deviation`, the claim is not supported.

#' @param contrasts data.table, one row per series of cells that differ in the size alone
#' @return all rows, with `target_lower` and `target_upper` of the exponent
form_linear <- function(contrasts, parameters) {
  margin <- parameters$margin
  contrasts[, `:=`(target_lower = 1 - margin, target_upper = 1 + margin)][]
}
