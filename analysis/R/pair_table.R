# Every pair of cells that differ in one respect only: what the explorer compares.

#' Ratios of all cells that are alike in all but one respect, measured on one machine in one experiment.
#'
#' `dimension` says in which respect: `protocol`, `provider`, `cpu_profile`, a `factor.*` column, or of environments
#' `jdk` (same operating system), `system` (same JDK) or `environment` (both differ). Each pair has one row: the level
#' that is declared first is the denominator, but the last protocol is.
#'
#' @param forks the table `forks.csv`, of forks that count; `definitions` of definitions.json
#' @return the table `pairs.csv` of the dictionary; no interval where a cell has a single fork
pair_table <- function(forks, definitions) {
  columns <- columns_of("pairs.csv")
  long <- forks_by_measure(forks)
  cells <- unique(long[, c(cell_columns(forks), "measure"), with = FALSE])
  dimensions <- c("protocol", "provider", "cpu_profile", factor_columns(cells), "environment")
  pairs <- rbindlist(lapply(dimensions, function(column) pairs_along(column, cells, definitions)))
  if (nrow(pairs) == 0) return(as.data.table(sapply(columns, function(column) character())))
  pairs[, `:=`(protocol = numerator_protocol, target_lower = 0, target_upper = Inf)]
  found <- estimate_pairs(pairs, long, definitions$settings$confidence %||% 0.95, lone = TRUE)
  found <- found[is.finite(ratio) & ratio > 0]
  found[, pair_id := sprintf("p%d", .I)]
  with_settled(found, cell_states(forks))[, columns, with = FALSE]
}

#' The pairs along one column, each once.
pairs_along <- function(column, cells, definitions) {
  varying <- if (column == "environment") c("environment", "image_id") else column
  own <- cells[!is.na(cells[[column]]) & nzchar(cells[[column]])]
  set(own, j = "rank", value = match(own[[column]], level_order(column, own[[column]], definitions)))
  same <- setdiff(names(own), c("cell", "rank", varying))
  sides <- merge(
    own[, one := .I][, c(same, "rank", "one"), with = FALSE], own[, two := .I][, c(same, "rank", "two"), with = FALSE],
    by = same, allow.cartesian = TRUE, suffixes = c("_one", "_two"), sort = FALSE
  )[rank_one > rank_two]
  setorder(sides, one, two)
  result <- sided(column, own[sides$one], own[sides$two])
  setnames(result, "kind", "dimension")
  if (column == "environment") result[, dimension := environment_dimension(.SD, definitions$environments)]
  result
}

#' In what two environments differ.
environment_dimension <- function(pairs, environments) {
  ids <- vapply(environments, function(entry) as.character(entry$id), "")
  part <- function(name, side) {
    value <- vapply(environments, function(entry) as.character(entry[[name]] %||% ""), "")
    value[match(pairs[[paste0(side, "_environment")]], ids)]
  }
  one_system <- part("system", "numerator") == part("system", "denominator")
  one_jdk <- part("jdk_id", "numerator") == part("jdk_id", "denominator")
  fcase(one_system & !one_jdk, "jdk", !one_system & one_jdk, "system", default = "environment")
}

#' The levels of a column as the experiments declare them, then the others; protocols from the last to the first.
level_order <- function(column, values, definitions) {
  declared <- switch(column,
    environment = vapply(definitions$environments, function(entry) as.character(entry$id), ""),
    provider = names(definitions$providers),
    cpu_profile = names(definitions$cpu_profiles),
    protocol = rev(unlist(lapply(definitions$experiments, function(each) names(each$protocols)))),
    unlist(lapply(definitions$experiments, function(each) names(each$factors[[sub("^factor\\.", "", column)]])))
  )
  unique(c(declared, sort(unique(values))))
}
