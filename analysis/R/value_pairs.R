# Claims about a cell's own measure rather than a ratio of two cells: as pairs whose denominator is 1.

#' One pair per cell of the claim's `values`; its denominator has no cell.
#'
#' @inheritParams claim_pairs
#' @return data.table with `pair_columns`
value_pairs <- function(cells, claim, form) {
  wanted <- form$targets(data.table(item = 1L), claim$parameters)
  own <- cells[matching(cells, claim$values)]
  columns <- shown_columns(cells, c("workload", factor_columns(cells), "provider"), claim)
  pairs <- own[, c(place_columns, "own_profile"), with = FALSE]
  pairs[, `:=`(
    variant = variant_labels(claim$each, own), item = 1, needed = 1L, group = as.character(seq_len(.N)), pair = "",
    setting = "", scope = "", joint_scope = "", numerator = cell_words(own, columns), denominator = "",
    numerator_environment = own$own_environment, numerator_image_id = own$own_image_id, numerator_cell = own$cell,
    denominator_environment = own$own_environment, denominator_image_id = own$own_image_id, denominator_cell = "",
    target_lower = wanted$target_lower, target_upper = wanted$target_upper
  )]
  pairs[, pair_columns, with = FALSE]
}
