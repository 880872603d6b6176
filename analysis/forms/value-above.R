#: {compares: values, needs: values, parameters: {limit: positive}}
# A cell's own measure is above `limit`: a one-sided test on its forks.

#' @param contrasts data.table, one row: the cells of the claim's `values`
#' @return it, with `target_lower` and `target_upper`
form_value_above <- function(contrasts, parameters) {
  contrasts[, `:=`(target_lower = parameters$limit, target_upper = Inf)][]
}
