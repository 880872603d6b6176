# What the matrix of environments and CPU profiles is drawn and told from: cells against the same cell in the reference.

#' What can be compared: every experiment and machine with several combinations of environment and CPU profile, under
#' the last protocol, which is ours.
#'
#' @return data.table: `experiment`, `machine_id`, `protocol`, `columns` (how many combinations), in the order of the
#'   report
matrix_sets <- function(data) {
  sets <- lapply(names(data$experiments), function(id) {
    wanted <- utils::tail(protocols_of(data$experiments[[id]]), 1)
    forks <- data$forks[experiment == id & protocol %in% wanted]
    forks <- forks[order(match(machine_id, unique(data$places$machine_id)))]
    forks[, .(columns = nrow(unique(.SD)), protocol = protocol[1]), by = .(experiment, machine_id),
          .SDcols = c("place", "cpu_profile")]
  })
  blank <- data.table(experiment = character(), machine_id = character(), columns = integer(), protocol = character())
  rbindlist(c(list(blank), sets), use.names = TRUE)[columns > 1]
}

#' Forks of a set with `time`, `sd` and `iterations` in the experiment's measure, `row` (the cell without its
#' environment and CPU profile, a factor in the order of the definitions) and `column` (its place and profile).
matrix_forks_of <- function(data, set) {
  measure <- data$experiments[[set$experiment]]$measure %||% "wall"
  forks <- data$forks[experiment == set$experiment & machine_id == set$machine_id & protocol == set$protocol]
  forks[, `:=`(
    time = get(paste0(measure, "_ns_per_op")), sd = get(paste0("sd_within_", measure, "_ns")),
    iterations = measured_iterations
  )]
  forks <- forks[is.finite(time) & time > 0]
  labelled <- label_cells(data.table::copy(forks)[, cpu_profile := ""], data$experiments[[set$experiment]])
  forks[, row := factor(labelled$label, levels = unique(labelled$label[labelled$order]))]
  columns <- unique(forks[order(place, match(cpu_profile, names(data$profiles))), .(place, cpu_profile)])
  words <- where_words(data, columns$place, columns$cpu_profile)
  forks[, column := factor(where_words(data, place, cpu_profile), levels = words)]
  forks[]
}

#' Ratios of every cell's mean time to that of the same cell in the first column, with Welch's interval.
#'
#' @param forks of `matrix_forks_of`
#' @return data.table: `row`, `column`, `ratio`, `lower`, `upper`; rows that the reference lacks are left out
matrix_ratios <- function(forks, confidence = 0.95) {
  stats <- forks[, .(mean = mean(log(time)), n = .N, v = stats::var(log(time))), by = .(row, column)]
  first <- levels(forks$column)[1]
  both <- merge(stats, stats[column == first, .(row, mean.r = mean, n.r = n, v.r = v)], by = "row")
  # A single fork has no variance, and so no interval.
  found <- both[, suppressWarnings(welch_ratio(mean, v, n, mean.r, v.r, n.r, confidence))]
  ratios <- cbind(both[, .(row, column)], found[, .(ratio, lower, upper)])
  ratios[column == first, `:=`(ratio = 1, lower = NA_real_, upper = NA_real_)]
  ratios[order(row, column)]
}

#' A set in words: the experiment, and the machine where there are several.
set_words <- function(data, set) {
  other <- set$machine_id != data$places$machine_id[1]
  paste0(set$experiment, if (other) paste0(", other machine ", substr(set$machine_id, 1, 6)))
}
