# The pairs of cells whose ratios a claim needs, each with its target interval and its words.

pair_columns <- c(
  place_columns, "variant", "item", "needed", "group", "scope", "numerator", "denominator", "numerator_cell",
  "denominator_cell",
  "target_lower", "target_upper"
)

#' Pairs of a claim in an experiment's cells.
#'
#' @param cells data.table of one experiment's cells (keys only, one row each)
#' @param claim the claim of the experiment file, a list
#' @param form an entry of `claim_forms`
#' @return data.table with `pair_columns`. A `group` is a setting that can only be judged when all its pairs have
#'   estimates: `item` numbers them, `needed` tells how many. Pairs of levels form a group per setting, a ratio is one
#'   by itself.
claim_pairs <- function(cells, claim, form) {
  switch(form$compares,
    levels = level_pairs(cells[matching(cells, claim$among)], claim, form),
    ratios = ratio_pairs(cells[matching(cells, claim$among)], claim, form),
    nothing = NULL
  )
}

#' Pairs of levels within every combination of all else.
level_pairs <- function(cells, claim, form) {
  column <- column_of(claim$compare$factor)
  levels <- as.character(unlist(claim$compare$levels))
  candidates <- CJ(numerator = seq_along(levels), denominator = seq_along(levels))[numerator < denominator]
  wanted <- form$targets(candidates, claim$parameters)
  wanted[, item := .I]
  context <- setdiff(cell_columns(cells), c("cell", column))
  if (!column %in% names(cells)) cells <- cells[0][, (column) := character()]
  parts <- lapply(seq_len(nrow(wanted)), function(row) {
    target <- wanted[row]
    one <- cells[cells[[column]] == levels[target$numerator], c(context, "cell"), with = FALSE]
    two <- cells[cells[[column]] == levels[target$denominator], c(context, "cell"), with = FALSE]
    pairs <- merge(one, two, by = context, suffixes = c(".one", ".two"), sort = FALSE)
    pairs[, `:=`(
      item = target$item, numerator = levels[target$numerator], denominator = levels[target$denominator],
      target_lower = target$target_lower, target_upper = target$target_upper,
      numerator_cell = cell.one, denominator_cell = cell.two
    )]
  })
  pairs <- rbindlist(parts)
  pairs[, scope := cell_words(pairs, shown_columns(cells, context))]
  pairs[, variant := variant_labels(claim$each, pairs)]
  pairs[, `:=`(needed = nrow(wanted), group = do.call(paste, c(pairs[, context, with = FALSE], sep = "\r")))]
  pairs[, pair_columns, with = FALSE]
}

#' Pairs of the claim's `ratios`: cells of the same place, profile and provider that agree in every factor both have.
#'
#' A factor that only one cell has is free and gives several pairs; so is a name that both filters set.
ratio_pairs <- function(cells, claim, form) {
  wanted <- form$targets(data.table(item = seq_along(claim$ratios)), claim$parameters)
  parts <- lapply(seq_len(nrow(wanted)), function(row) {
    target <- wanted[row]
    ratio <- claim$ratios[[target$item]]
    free <- column_of(intersect(names(ratio$numerator), names(ratio$denominator)))
    pairs <- agreeing_cells(cells[matching(cells, ratio$numerator)], cells[matching(cells, ratio$denominator)], free)
    words <- pair_words(cells, pairs$one, pairs$two)
    places <- pairs$one[, place_columns, with = FALSE]
    places[, `:=`(
      variant = variant_labels(claim$each, pairs$one, pairs$two), item = 1L, needed = 1L,
      group = paste(target$item, pairs$one$cell, pairs$two$cell),
      scope = words$scope, numerator = words$numerator, denominator = words$denominator,
      numerator_cell = pairs$one$cell, denominator_cell = pairs$two$cell,
      target_lower = target$target_lower, target_upper = target$target_upper
    )]
  })
  rbindlist(parts)[, pair_columns, with = FALSE]
}

#' Two tables of cells of the same rows: every pair that agrees wherever both have a value, but for the `free` columns.
agreeing_cells <- function(one, two, free) {
  base <- setdiff(c("experiment", place_columns, "cpu_profile", "provider"), free)
  left <- one[, c(base), with = FALSE][, one_row := .I]
  right <- two[, c(base), with = FALSE][, two_row := .I]
  pairs <- merge(left, right, by = base, allow.cartesian = TRUE, sort = FALSE)
  setorder(pairs, one_row, two_row)
  one <- one[pairs$one_row]
  two <- two[pairs$two_row]
  agree <- one$cell != two$cell
  for (column in setdiff(grep("^factor\\.", names(one), value = TRUE), free)) {
    agree <- agree & (is.na(one[[column]]) | is.na(two[[column]]) | one[[column]] == two[[column]])
  }
  list(one = one[agree], two = two[agree])
}

#' What two cells share, and what sets each apart, in words; row by row, since factors may be shared in one pair only.
pair_words <- function(cells, one, two) {
  columns <- shown_columns(
    cells, c("workload", grep("^factor\\.", names(cells), value = TRUE), "provider", "cpu_profile")
  )
  shared <- copy(one)
  for (column in columns) {
    same <- !is.na(one[[column]]) & !is.na(two[[column]]) & one[[column]] == two[[column]]
    set(shared, which(!same), column, NA_character_)
    one <- copy(one)[same, (column) := NA_character_]
    two <- copy(two)[same, (column) := NA_character_]
  }
  list(
    scope = cell_words(shared, columns), numerator = side_words(one, columns), denominator = side_words(two, columns)
  )
}

#' `decrypt with ECB, 100 KB`: the workload, where it sets the cell apart, and the rest.
side_words <- function(cells, columns) {
  rest <- cell_words(cells, setdiff(columns, "workload"))
  workload <- fcoalesce(cells$workload, "")
  paste0(workload, fifelse(nzchar(workload) & nzchar(rest), " with ", ""), rest)
}

#' Columns worth words: the CPU profile only where there are several.
shown_columns <- function(cells, columns) {
  if (uniqueN(cells$cpu_profile) > 1) columns else setdiff(columns, "cpu_profile")
}
