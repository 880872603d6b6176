# Do the steps of an operation stand in the same order in several settings?

#' One pair per cell and measure of a claim about steps: the time of one step over that of another, in the same fork.
#'
#' The cells of a `pair` are alike but for the level of the claim's `across`, its `setting`.
#'
#' @inheritParams claim_pairs
#' @return data.table with `pair_columns`, a denominator without cell
step_pairs <- function(cells, claim, form) {
  across <- column_of(claim$across$factor)
  if (!across %in% names(cells)) return(NULL)
  own <- cells[matching(cells, across_filter(claim))]
  if (nrow(own) == 0) return(NULL)
  context <- setdiff(c(cell_columns(own), "own_profile"), c("cell", across))
  group <- do.call(paste, c(own[, context, with = FALSE], sep = "\r"))
  shown <- setdiff(shown_columns(own, c("workload", factor_columns(own), "provider"), claim), across)
  wanted <- form$targets(data.table(item = 1L), claim$parameters)
  pairs <- own[, c(place_columns, "own_profile"), with = FALSE]
  pairs[, `:=`(
    variant = variant_labels(claim$each, own), item = match(own[[across]], unlist(claim$across$levels)), group = group,
    pair = group, setting = own[[across]], scope = "", joint_scope = "", numerator = cell_words(own, shown),
    denominator = "", numerator_environment = own$own_environment, numerator_image_id = own$own_image_id,
    numerator_cell = own$cell, denominator_environment = own$own_environment,
    denominator_image_id = own$own_image_id, denominator_cell = "",
    target_lower = wanted$target_lower, target_upper = wanted$target_upper
  )]
  # What a group lacks another may have: then it was to be measured, and the group is not whole.
  pairs[, needed := uniqueN(setting), by = place_columns]
  pairs[needed > 1, pair_columns, with = FALSE]
}

#' p values for "the same order in all settings, or as good as alike in all", and for "opposite orders in some two".
#'
#' Two ways to keep a pattern, each an intersection-union test: that the order is the same (`order_p_values`), and that
#' the ratio lies within a factor of `alike` of 1 in every setting (two one-sided tests, the largest p). The smaller of
#' both counts, times 2 for the choice. It is broken only where both ways are closed: opposite orders in some two
#' settings, and a ratio beyond the factor in some setting (the least p times their number); the larger p counts.
#'
#' @inheritParams order_p_values
#' @param alike a factor; 1 where nothing counts as alike
#' @return list: `p_support`, `p_refute`
kept_p_values <- function(log_ratio, se_log, df, alike = 1) {
  found <- order_p_values(log_ratio, se_log, df)
  if (alike == 1 || is.na(found$p_support)) return(found)
  near <- target_p_values(log_ratio, se_log, df, 1 / alike, alike)
  list(
    p_support = min(1, 2 * min(found$p_support, max(near$p_support))),
    p_refute = max(found$p_refute, min(1, length(log_ratio) * min(near$p_refute)))
  )
}
