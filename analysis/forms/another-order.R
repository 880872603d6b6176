#: {compares: levels, needs: compare, partial: true, across: true, reversed: true, parameters: {}}
# The order of the levels depends on the claim's `across`: some pair's ratio is below 1 in one of its levels and above 1
# in another. It is judged as "the same order" is (R/same_order.R), and the claim is the opposite of that.

#' @inheritParams form_best_of
form_another_order <- function(contrasts, parameters) each_pair_once(contrasts)
