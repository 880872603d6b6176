# Which provider is how fast at an operation: the order of providers, each with its ratio to the fastest.

#' The levels of a cell's factors in words, such as `AES`, or `AES 1 MB`.
algorithm_words <- function(table) {
  words <- do.call(paste, lapply(factor_columns(table), function(name) table[[name]]))
  trimws(gsub("\\s+", " ", words))
}

#' The security level that the definitions give a cell's algorithm; NA where they give none.
#'
#' @param table data.table with `factor.*`; `study` the experiment's definition
security_level <- function(table, study) {
  found <- rep(NA_real_, nrow(table))
  for (column in factor_columns(table)) {
    levels <- study$factors[[sub("^factor\\.", "", column)]]
    told <- vapply(levels, function(parameters) as.numeric(parameters$level %||% NA), 0)
    found <- fcoalesce(found, unname(told[table[[column]]]))
  }
  found
}

#' The providers of an experiment that asks what they offer, in the order of their time for every operation, in each
#' environment; NULL of another experiment.
#'
#' @return as `ratios_of`, with `algorithm`, `level`, `rank`, `mean_ns` of cells.csv; operations that a single provider
#'   has are of rank 1
experiment_rankings <- function(data, id, profiles = names(data$profiles)[1]) {
  study <- data$experiments[[id]]
  ranked <- ratios_of(data, id, "provider")[cpu_profile %in% profiles & is.finite(ratio)]
  if (nrow(ranked) == 0) return(NULL)
  ranked[, `:=`(algorithm = algorithm_words(ranked), level = security_level(ranked, study))]
  ranked[, rank := rank(ratio, ties.method = "first"), by = .(place, cpu_profile, workload, algorithm, level)]
  ranked[, mean_ns := data$cells[ranked, on = c(shown_cell_key, "measure"), x.mean_ns]]
  ranked[order(as.integer(place), match(workload, names(study$workloads)), level, algorithm, rank)]
}
