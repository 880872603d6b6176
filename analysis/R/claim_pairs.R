# The pairs of cells whose ratios a claim needs, each with its target interval and its words.

pair_columns <- c(
  place_columns, "variant", "item", "needed", "group", "pair", "setting", "scope", "joint_scope",
  "numerator", "denominator", paste0("numerator_", side_columns), paste0("denominator_", side_columns),
  "own_profile", "target_lower", "target_upper"
)

#' Pairs of a claim in an experiment's cells.
#'
#' @param cells of `claim_cells`
#' @param claim the claim of the experiment file, a list
#' @param form an entry of `claim_forms`
#' @return data.table with `pair_columns`. A `group` is a setting that can only be judged when all its pairs have
#'   estimates: `item` numbers them, `needed` is how many there must be. Pairs of levels form a group per setting, a
#'   ratio is one by itself. Rows of the same `pair` are judged together; they differ in `setting`, the level of the
#'   claim's `across`.
claim_pairs <- function(cells, claim, form) {
  comparisons()[[form$compares]](cells[matching(cells, claim$among)], claim, form)
}

#' What forms may compare, and what makes its pairs: the one list of them.
comparisons <- function() {
  none <- function(cells, claim, form) NULL
  list(
    levels = all_level_pairs, ratios = ratio_pairs, differences = ratio_pairs, series = series_pairs,
    values = value_pairs, steps = step_pairs,
    # Judged without pairs: by R/judge/call_verdicts.R and count_verdicts.R, and not at all.
    calls = none, counts = none, nothing = none
  )
}

#' Pairs of levels; for a partial form, of the levels that each place has.
all_level_pairs <- function(cells, claim, form) {
  levels <- as.character(unlist(claim$compare$levels))
  if (form$across) cells <- cells[matching(cells, across_filter(claim))]
  if (!form$partial) return(level_pairs(cells, levels, claim, form))
  column <- column_of(claim$compare$factor)
  if (!column %in% names(cells)) return(NULL)
  cells[, there := paste(sort(unique(match(cells[[column]][.I], levels))), collapse = " "), by = place_columns]
  parts <- lapply(unique(cells$there), function(key) {
    present <- levels[as.integer(strsplit(key, " ", fixed = TRUE)[[1]])]
    if (length(present) < 2) NULL else level_pairs(cells[there == key], present, claim, form)
  })
  rbindlist(parts)
}

across_filter <- function(claim) stats::setNames(list(claim$across$levels), claim$across$factor)

#' Pairs of levels within every combination of all else.
level_pairs <- function(cells, levels, claim, form) {
  column <- column_of(claim$compare$factor)
  candidates <- CJ(numerator = seq_along(levels), denominator = seq_along(levels))[numerator != denominator]
  wanted <- form$targets(candidates, claim$parameters)
  wanted[, item := .I]
  across <- if (form$across) column_of(claim$across$factor)
  # Besides its keys, the parts of a place that the claim's `each` and `across` name hold a pair together.
  own <- c("own_profile", "system", "platform", "jdk")
  named <- intersect(c(across, column_of(unlist(claim$each))), own)
  context <- setdiff(c(cell_columns(cells), named), c("cell", column))
  if (!column %in% names(cells)) cells <- copy(cells)[0][, (column) := character()]
  called <- level_label_column(claim$compare$factor) %||% column
  keep <- unique(c(context, "cell", "own_environment", "own_image_id", called))
  words <- setdiff(c("system_label", "jdk_label", "own_profile"), keep)
  parts <- lapply(seq_len(nrow(wanted)), function(row) {
    target <- wanted[row]
    one <- cells[cells[[column]] == levels[target$numerator], c(keep, words), with = FALSE]
    two <- cells[cells[[column]] == levels[target$denominator], keep, with = FALSE]
    pairs <- merge(one, two, by = context, suffixes = c(".one", ".two"), sort = FALSE, allow.cartesian = TRUE)
    pairs[, `:=`(level = target$item, target_lower = target$target_lower, target_upper = target$target_upper)]
  })
  pairs <- rbindlist(parts)
  setnames(pairs, paste0(called, c(".one", ".two")), c("numerator", "denominator"))
  setnames(
    pairs, as.vector(outer(c("own_environment", "own_image_id", "cell"), c(".one", ".two"), paste0)),
    as.vector(outer(side_columns, c("numerator_", "denominator_"), function(name, side) paste0(side, name)))
  )
  shown <- setdiff(shown_columns(cells, context, claim), c(column, called))
  pairs[, `:=`(scope = cell_words(pairs, shown), joint_scope = cell_words(pairs, setdiff(shown, across)))]
  pairs[, variant := variant_labels(claim$each, pairs)]
  setting <- if (is.null(across)) rep("", nrow(pairs)) else pairs[[across]]
  group <- do.call(paste, c(pairs[, setdiff(context, across), with = FALSE], sep = "\r"))
  pairs[, `:=`(setting = setting, group = group)]
  # Settings in the order of the claim's list.
  pairs[, item := level + match(setting, c("", unlist(claim$across$levels))) / 1000]
  if (!"own_profile" %in% names(pairs)) pairs[, own_profile := ""]
  pairs[, needed := nrow(wanted) * uniqueN(setting), by = place_columns]
  # A single setting can't be compared with another.
  if (form$across) pairs <- pairs[needed > nrow(wanted)]
  pairs[, pair := if (is.null(across)) "" else paste(group, level, sep = "\r")]
  pairs[, pair_columns, with = FALSE]
}

#' Pairs of the claim's `ratios`: cells of the same place, workload and provider that agree in every factor both have.
#'
#' A factor that only one cell has is free and gives several pairs; so is a name that both filters set.
ratio_pairs <- function(cells, claim, form) {
  wanted <- form$targets(data.table(item = seq_along(claim$ratios)), claim$parameters)
  parts <- lapply(seq_len(nrow(wanted)), function(row) {
    target <- wanted[row]
    ratio <- claim$ratios[[target$item]]
    free <- column_of(intersect(names(ratio$numerator), names(ratio$denominator)))
    pairs <- agreeing_cells(cells[matching(cells, ratio$numerator)], cells[matching(cells, ratio$denominator)], free)
    words <- pair_words(cells, pairs$one, pairs$two, claim)
    places <- pairs$one[, c(place_columns, "own_profile"), with = FALSE]
    places[, `:=`(
      variant = variant_labels(claim$each, pairs$one, pairs$two), item = 1, needed = 1L,
      group = paste(target$item, seq_len(.N)), pair = "", setting = "",
      scope = words$scope, joint_scope = words$scope, numerator = words$numerator, denominator = words$denominator,
      numerator_environment = pairs$one$own_environment, numerator_image_id = pairs$one$own_image_id,
      numerator_cell = pairs$one$cell, denominator_environment = pairs$two$own_environment,
      denominator_image_id = pairs$two$own_image_id, denominator_cell = pairs$two$cell,
      target_lower = target$target_lower, target_upper = target$target_upper
    )]
  })
  rbindlist(parts)[, pair_columns, with = FALSE]
}

#' Two tables of cells of the same rows: every pair that agrees wherever both have a value, but for the `free` columns.
agreeing_cells <- function(one, two, free) {
  base <- setdiff(c("experiment", place_columns, "workload", "provider"), free)
  left <- one[, c(base), with = FALSE][, one_row := .I]
  right <- two[, c(base), with = FALSE][, two_row := .I]
  pairs <- merge(left, right, by = base, allow.cartesian = TRUE, sort = FALSE)
  setorder(pairs, one_row, two_row)
  one <- one[pairs$one_row]
  two <- two[pairs$two_row]
  apart <- c("cell", "own_environment", "own_image_id", "protocol")
  agree <- do.call(paste, one[, apart, with = FALSE]) != do.call(paste, two[, apart, with = FALSE])
  for (column in setdiff(factor_columns(one), free)) {
    agree <- agree & (is.na(one[[column]]) | is.na(two[[column]]) | one[[column]] == two[[column]])
  }
  list(one = one[agree], two = two[agree])
}
