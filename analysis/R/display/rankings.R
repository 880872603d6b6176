# Which provider is how fast at an operation: the order of providers, each held against the fastest.

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

#' Providers in the order of their time, for every operation.
#'
#' @param forks the forks that count, of one experiment: `place`, `protocol`, `cpu_profile`, `workload`, `provider`,
#'   `wall_ns_per_op`, `factor.*`
#' @param study the experiment's definition
#' @return data.table: `place`, `protocol`, `cpu_profile`, `workload`, `algorithm`, `level`, `provider`, `rank`,
#'   `mean_ns`, and `ratio` to the fastest with `lower`, `upper` (95 %, Welch on log fork means); operations that a
#'   single provider has are of rank 1
rank_providers <- function(forks, study) {
  forks <- copy(forks[wall_ns_per_op > 0])
  forks[, `:=`(algorithm = algorithm_words(forks), level = security_level(forks, study))]
  by <- c("place", "protocol", "cpu_profile", "workload", "algorithm", "level")
  ranked <- forks[, .(
    n = .N, log = mean(log(wall_ns_per_op)), v = stats::var(log(wall_ns_per_op)), mean_ns = mean(wall_ns_per_op)
  ), by = c(by, "provider")]
  setorderv(ranked, c(by, "log", "provider"))
  ranked[, `:=`(rank = seq_len(.N), best = log[1], best_v = v[1], best_n = n[1]), by = by]
  ratios <- ranked[, suppressWarnings(welch_ratio(log, v, n, best, best_v, best_n))]
  ranked[, `:=`(ratio = ratios$ratio, lower = ratios$lower, upper = ratios$upper)]
  ranked[rank == 1, `:=`(lower = NA_real_, upper = NA_real_)]
  ranked[, c("n", "log", "v", "best", "best_v", "best_n") := NULL][]
}

#' The rankings of an experiment that asks what providers offer, in the reference environment and under the last
#' protocol; none of another experiment.
#'
#' @return as `rank_providers`
experiment_rankings <- function(data, id, profiles = names(data$profiles)[1]) {
  study <- data$experiments[[id]]
  forks <- data$forks[experiment == id & protocol == utils::tail(protocols_of(study), 1) & cpu_profile %in% profiles]
  if (!identical(study$not_offered, "mark") || nrow(forks) == 0) return(NULL)
  forks <- valid_forks(forks)[as.integer(place) == min(as.integer(place))]
  ranked <- rank_providers(forks, study)
  ranked[order(match(workload, names(study$workloads)), level, algorithm, rank)]
}
