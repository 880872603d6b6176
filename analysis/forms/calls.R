#: {compares: calls, needs: text, parameters: {above: positive*, below: positive*}}
# A measure of single calls, in the typical cell, is above or below a limit; without one it is only estimated. The
# measures are those of R/call_checks.R.

#' @param contrasts data.table, one row
#' @return it, with `target_lower` and `target_upper`
form_calls <- function(contrasts, parameters) {
  contrasts[, `:=`(target_lower = parameters$above %||% 0, target_upper = parameters$below %||% Inf)][]
}
