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

# What to choose: for every operation that several providers offer, how much each does in a second, in every environment
# where they were compared.

#' Bytes that a call works on, by the parameters that the definitions give a cell's levels; NA where they tell none.
bytes_per_call <- function(table, study) {
  found <- vapply(table$workload, function(name) as.numeric(study$workloads[[name]]$params$bytes %||% NA), 0)
  for (column in factor_columns(table)) {
    levels <- study$factors[[sub("^factor\\.", "", column)]]
    told <- vapply(levels, function(parameters) suppressWarnings(as.numeric(parameters$bytes %||% NA)), 0)
    found <- data.table::fcoalesce(unname(told[table[[column]]]), found)
  }
  unname(found)
}

#' Means of time as MB (10^6 bytes) a second, or as operations a second where no length of text is known.
#'
#' @param mean_ns a time in ns, `bytes` what a call works on, NA where it is no text
speed_words <- function(mean_ns, bytes) {
  each <- ifelse(is.finite(bytes), 1e3 * bytes / mean_ns, 1e9 / mean_ns)
  unit <- ifelse(is.finite(bytes), "MB/s", "/s")
  paste0(format_significant(each), "\u00a0", unit)
}

#' The providers of one operation in one place, the fastest first: its speed is that of its cell's mean, another's
#' is less by its ratio to it, so that speeds have the order and quotients of the ratios (of geometric means).
#'
#' @param own rows of `provider_ratios` of one operation, all settled
choice_row <- function(own) {
  own <- own[order(rank)]
  own[, speed := speed_words(mean_ns[1] * ratio, bytes)]
  others <- own[-1]
  tied <- others$lower <= 1
  # Another's interval of the ratio to the fastest tells apart what lies outside it.
  seen <- suppressWarnings(max(sqrt(others$upper / others$lower) - 1, na.rm = TRUE))
  list(
    operation = own$operation[1], fastest = own$provider[1], speed = own$speed[1],
    others = paste0(ifelse(tied, "~\u00a0", ""), others$provider, " ", others$speed, collapse = "; "),
    seen = if (is.finite(seen)) paste0(format_percent(100 * seen), " %") else dash,
    ids = paste(own$ratio_id, collapse = " ")
  )
}

#' Every provider's ratio to the fastest one at an operation, with the cell's time and whether it is settled.
provider_ratios <- function(data, id) {
  ranked <- experiment_rankings(data, id)
  if (is.null(ranked)) return(NULL)
  ranked[, bytes := bytes_per_call(ranked, data$experiments[[id]])]
  ranked[, operation := trimws(paste(workload, algorithm))]
  ranked[, settled := data$cells[ranked, on = c(shown_cell_key, "measure"), x.settled]]
  ranked[]
}

#' The operations of one place: rows to choose by, and the cells that are left out by name.
choice_group <- function(own, place) {
  open <- own[settled %in% c("not proved", "still compiling")]
  kept <- own[!operation %in% open[rank == 1]$operation & !settled %in% c("not proved", "still compiling")]
  several <- kept[, .N, by = operation][N > 1]$operation
  rows <- lapply(several, function(name) choice_row(kept[operation == name]))
  lost <- own[!operation %in% several | settled %in% c("not proved", "still compiling")]
  lost <- lost[, .(told = sprintf("%s (%s)", operation[1], paste(provider, collapse = ", "))), by = operation]
  list(place = place, rows = rows, left_out = format_list(lost$told), left = nrow(lost))
}

#' A list: `groups`, one for each environment, in the order of the report's; `protocol`.
table_choose <- function(data) {
  ranked <- data.table::rbindlist(Filter(Negate(is.null), lapply(names(data$experiments), function(id) {
    provider_ratios(data, id)
  })), fill = TRUE)
  if (nrow(ranked) == 0) return(list(groups = list(), protocol = ""))
  places <- split(ranked[order(as.integer(place))], by = "place", sorted = FALSE, drop = TRUE)
  list(
    groups = lapply(unname(places), function(own) choice_group(own, as.character(own$place[1]))),
    protocol = format_list(unique(base_protocol(ranked$protocol)))
  )
}
