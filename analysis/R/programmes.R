# Programmes: forks that repeat many operations and report an average for each. An operation counts as a cell that has
# the programme's forks.

#' Forks, and a row for each operation of a programme's fork: its cell, workload and factors, with its average as the
#' time.
#'
#' An operation's measure is `average.<workload>--<level>--...`, with names in the form that ids use. Its cell is the
#' programme's cell, with these names in place of the first word. A separate fork of the operation would have the same
#' cell.
#'
#' @return `forks`, then the operations' rows, which share the number of their programme's fork
with_programmes <- function(forks, observed, experiments) {
  if (is.null(observed) || nrow(observed) == 0) return(forks)
  averages <- observed[startsWith(measure, "average."), c(fork_key, "measure", "value"), with = FALSE]
  rows <- forks[averages, on = fork_key, nomatch = NULL]
  if (nrow(rows) == 0) return(forks)
  rows[, operation := sub("^average\\.", "", measure)]
  times <- intersect(names(rows), c(
    "cpu_ns_per_op", "sd_within_wall_ns", "sd_within_cpu_ns", "wall_ns_per_op_unpaused", "cpu_ns_per_op_unpaused"
  ))
  rows[, (times) := NA_real_]
  rows[, `:=`(wall_ns_per_op = value, cell = paste0(gsub("--", ":", operation), sub("^[^:]*", "", cell)))]
  known <- unique(rows[, .(experiment, operation)])
  levels <- rbindlist(Map(function(id, name) {
    study <- Find(function(experiment) identical(experiment$id, id), experiments)
    as.data.table(c(list(experiment = id, operation = name), operation_levels(study, name)))
  }, known$experiment, known$operation), fill = TRUE)
  for (name in setdiff(names(levels), c("experiment", "operation"))) {
    set(rows, j = name, value = levels[[name]][match(
      paste(rows$experiment, rows$operation), paste(levels$experiment, levels$operation)
    )])
  }
  rbind(forks, rows[, c("measure", "value", "operation") := NULL], use.names = TRUE, fill = TRUE)
}

#' The workload of an operation and its levels, as columns of forks. Only the workload, if the experiment has no such
#' levels.
operation_levels <- function(study, name) {
  words <- strsplit(name, "--", fixed = TRUE)[[1]]
  factors <- unlist(study$workloads[[words[1]]]$factors)
  if (length(factors) != length(words) - 1) return(list(workload = words[1]))
  levels <- Map(function(factor, word) {
    every <- names(study$factors[[factor]])
    every[match(word, gsub("^-+|-+$", "", gsub("[^a-z0-9.]+", "-", tolower(every))))]
  }, factors, words[-1])
  c(list(workload = words[1]), stats::setNames(levels, paste0("factor.", factors)))
}

#' Which pairs compare two operations of one programme, so that both come from the same forks.
in_one_programme <- function(pairs, forks) {
  # Only a programme's fork has several cells.
  if (!anyDuplicated(forks, by = c(fork_key, "measure"))) return(rep(FALSE, nrow(pairs)))
  shared <- forks[, .(cells = uniqueN(cell)), by = c(fork_key, "measure")][cells > 1, c(fork_key), with = FALSE]
  of_programmes <- unique(forks[unique(shared), on = fork_key]$cell)
  programme <- function(cell) sub("^.*:([^:]*:[^:]*:[^:]*)$", "\\1", cell)
  pairs$numerator_environment == pairs$denominator_environment &
    pairs$numerator_image_id == pairs$denominator_image_id &
    pairs$numerator_cell %in% of_programmes & pairs$denominator_cell %in% of_programmes &
    programme(pairs$numerator_cell) == programme(pairs$denominator_cell)
}
