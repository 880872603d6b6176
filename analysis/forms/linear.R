#: {compares: series, needs: compare, parameters: {deviation: positive}, oneOf: {margin: positive, intercept: positive}}
# Time grows linearly with the claim's levels, which are sizes: with `margin`, the exponent of growth lies within it
# of 1; with `intercept`, what a call takes before its first byte, over the time of the largest size, lies within it
# of 0. Two one-sided tests each (R/linearity.R). Where the curve does not fit, and misses some size by more
# than the part `deviation`, the claim is not supported.

#' @param contrasts data.table, one row per series of cells that differ in the size alone
#' @return all rows, with `target_lower` and `target_upper` of the exponent or of the intercept
form_linear <- function(contrasts, parameters) {
  middle <- if (is.null(parameters$intercept)) 1 else 0
  margin <- if (is.null(parameters$intercept)) parameters$margin else parameters$intercept
  contrasts[, `:=`(target_lower = middle - margin, target_upper = middle + margin)][]
}
