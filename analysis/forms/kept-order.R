#: {compares: levels, needs: compare, partial: true, across: true, featured: true, parameters: {}}
# The levels, which are providers, stand in the same order in every level of the claim's `across`, except where one of
# a pair uses features of the CPU that not all of those have (`features` of bench/providers.yaml): such pairs are
# told, not judged.

#' @inheritParams form_best_of
form_kept_order <- function(contrasts, parameters) each_pair_once(contrasts)
