#: {compares: levels, needs: compare, partial: true, across: true, parameters: {}}
# The levels stand in the same order in every level of the claim's `across`: each pair's ratio is below 1 in all of
# them, or above 1 in all of them (R/same_order.R). A single ratio has no target of its own.

#' @inheritParams form_best_of
form_same_order <- function(contrasts, parameters) each_pair_once(contrasts)
