# The ratios in figures and tables that are not those of claims, each with an id and a row.

ratio_sides <- c("environment", "image_id", "protocol", "cell")
ratio_columns <- columns_of("ratios.csv")

#' Every ratio of a report that does not belong to a claim.
#'
#' - `protocol`: a cell under the experiment's first protocol, over the same cell under the last one
#' - `reference`: a cell over the same one in the first environment and CPU profile of its machine; last protocol
#' - `provider`: a provider over the fastest one at the same operation. Last protocol, only for experiments that ask
#'   what providers offer.
#'
#' The reference and the fastest provider have a row too: 1, without an interval.
#'
#' @return the table `ratios.csv` of the dictionary. If a cell has a single fork, there is no interval.
ratio_table <- function(forks, definitions, observed = NULL) {
  forks <- with_programmes(forks, observed, definitions$experiments)
  long <- with_observed(forks_by_measure(forks), observed)
  cells <- unique(long[, c(cell_columns(forks), "measure"), with = FALSE])
  cells[, `:=`(own_environment = environment, own_image_id = image_id)]
  setorderv(cells, c(cell_columns(forks), "measure"))
  pairs <- rbindlist(c(list(no_ratios()), lapply(definitions$experiments, function(study) {
    timed <- cells[experiment == study$id & measure == (study$measure %||% "wall")]
    last <- timed[protocol %in% utils::tail(names(study$protocols), 1)]
    rbind(
      protocol_pairs(timed, names(study$protocols)), reference_pairs(last, definitions),
      if (identical(study$not_offered, "mark")) provider_pairs(last, long)
    )
  })))
  estimated(pairs, long, cell_states(forks), definitions$settings$confidence %||% 0.95)
}

#' Pairs with their estimates, and the worse warm-up state of their two cells.
estimated <- function(pairs, long, states, confidence) {
  if (nrow(pairs) == 0) return(no_rows(ratio_columns))
  pairs[, `:=`(protocol = numerator_protocol, target_lower = 0, target_upper = Inf)]
  found <- estimate_pairs(pairs, long, confidence, lone = TRUE)
  same <- found[, numerator_environment == denominator_environment & numerator_image_id == denominator_image_id &
                  numerator_protocol == denominator_protocol & numerator_cell == denominator_cell]
  estimates <- c("lower", "upper", "log_ratio", "se_log", "df")
  found[!is.finite(ratio) | ratio == 0, ratio := NA_real_]
  found[same & is.finite(ratio), (c("ratio", estimates)) := c(list(1), rep(list(NA_real_), length(estimates)))]
  found[same, method := ""]
  found[, ratio_id := sprintf("r%d", .I)]
  with_warm_up(found, states)[, ratio_columns, with = FALSE]
}

#' Pairs two tables of cells row by row.
sided <- function(kind, one, two) {
  name <- function(cells, which) stats::setNames(cells[, ratio_sides, with = FALSE], paste0(which, ratio_sides))
  keys <- one[, .(kind = rep(kind, .N), experiment, machine_id, measure)]
  cbind(keys, name(one, "numerator_"), name(two, "denominator_"))
}

no_ratios <- function() {
  sides <- paste0(rep(c("numerator_", "denominator_"), each = length(ratio_sides)), ratio_sides)
  no_rows(c("kind", "experiment", "machine_id", "measure", sides))
}

#' Every cell of `one` over the cells of `two` that match it in all but the `free` columns.
ratios_between <- function(kind, one, two, free) {
  pairs <- agreeing_cells(one, two, free)
  sided(kind, pairs$one, pairs$two)
}

protocol_pairs <- function(cells, protocols) {
  first <- protocols[1]
  last <- utils::tail(protocols, 1)
  ratios_between("protocol", cells[protocol %in% first], cells[protocol %in% last], "protocol")
}

reference_pairs <- function(cells, definitions) {
  column <- c("environment", "image_id", "cpu_profile")
  ids <- environment_ids(definitions$environments)
  profiles <- names(measured_profiles(cells$cpu_profile, definitions$cpu_profiles))
  ranked <- cells[order(
    match(environment, ids, nomatch = length(ids) + 1L), environment, image_id, match(cpu_profile, profiles)
  )]
  of_machine <- lapply(split(ranked, by = "machine_id"), function(own) {
    if (nrow(unique(own[, column, with = FALSE])) < 2) return(NULL)
    reference <- own[own[1, column, with = FALSE], on = column]
    rbind(sided("reference", reference, reference), ratios_between("reference", own, reference, column))
  })
  rbindlist(of_machine)
}

provider_pairs <- function(cells, long) {
  operation <- setdiff(cell_columns(cells), c("cell", "provider"))
  means <- long[mean_ns > 0, .(log_mean = mean(log(mean_ns))), by = cell_id]
  found <- means[cells, on = cell_id, nomatch = NULL]
  setorderv(found, c(operation, "log_mean", "provider"))
  fastest <- found[, .SD[1], by = operation]
  rbind(sided("provider", fastest, fastest), ratios_between("provider", found, fastest, "provider"))
}

#' Two tables of cells with the same rows: every pair that agrees in all columns where both have a value, except the
#' `free` columns.
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

# Every pair of cells that differ in one respect only, which the explorer compares.

#' Ratios of all cells that differ in exactly one respect, measured on one machine in one experiment.
#'
#' `dimension` names the respect: `protocol`, `provider`, `cpu_profile` or a `factor.*` column. For environments it is
#' `jdk` (same operating system), `system` (same JDK) or `environment` (both differ). Each pair has one row. The level
#' that is declared first is the denominator; of protocols it is the last.
#'
#' @return the table `pairs.csv` of the dictionary. There is no interval if a cell has a single fork.
pair_table <- function(forks, definitions) {
  columns <- columns_of("pairs.csv")
  long <- forks_by_measure(forks)
  cells <- unique(long[, c(cell_columns(forks), "measure"), with = FALSE])
  dimensions <- c("protocol", "provider", "cpu_profile", factor_columns(cells), "environment")
  pairs <- rbindlist(lapply(dimensions, function(column) pairs_along(column, cells, definitions)))
  if (nrow(pairs) == 0) return(no_rows(columns))
  pairs[, `:=`(protocol = numerator_protocol, target_lower = 0, target_upper = Inf)]
  found <- estimate_pairs(pairs, long, definitions$settings$confidence %||% 0.95, lone = TRUE)
  found <- found[is.finite(ratio) & ratio > 0]
  found[, pair_id := sprintf("p%d", .I)]
  with_warm_up(found, cell_states(forks))[, columns, with = FALSE]
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

#' The respect in which two environments differ.
environment_dimension <- function(pairs, environments) {
  ids <- environment_ids(environments)
  part <- function(name, side) {
    value <- vapply(environments, function(entry) as.character(entry[[name]] %||% ""), "")
    value[match(pairs[[paste0(side, "_environment")]], ids)]
  }
  one_system <- part("system", "numerator") == part("system", "denominator")
  one_jdk <- part("jdk_id", "numerator") == part("jdk_id", "denominator")
  fcase(one_system & !one_jdk, "jdk", !one_system & one_jdk, "system", default = "environment")
}

#' The levels of a column in the order of the experiments' declarations, then the others. Protocols are sorted from the
#' last to the first.
level_order <- function(column, values, definitions) {
  declared <- switch(column,
    environment = environment_ids(definitions$environments),
    provider = names(definitions$providers),
    cpu_profile = names(definitions$cpu_profiles),
    protocol = rev(unlist(lapply(definitions$experiments, function(each) names(each$protocols)))),
    unlist(lapply(definitions$experiments, function(each) names(each$factors[[sub("^factor\\.", "", column)]])))
  )
  unique(c(declared, sort(unique(values))))
}
