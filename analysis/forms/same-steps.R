#: {compares: steps, needs: measures, across: true, parameters: {alike: above-one}}
# The steps of an operation stand in the same order in every level of the claim's `across`: each of its measures, the
# time of one step over that of another in the same fork, is above 1 in all of them, or below 1 in all, or within a
# factor of `alike` of 1 in all (R/same_steps.R). A single ratio of two steps has no target of its own.

#' @param contrasts data.table, one row per measure of the claim
#' @return all rows, with `target_lower` and `target_upper`
form_same_steps <- function(contrasts, parameters) {
  contrasts[, `:=`(target_lower = 0, target_upper = Inf)][]
}
