# What the matrix of environments and CPU profiles is drawn from: cells against the same cell in the reference.

#' What can be compared: every experiment and machine with several combinations of environment and CPU profile.
#'
#' @return data.table: `experiment`, `machine_id`, `protocol`, in the order of the report
matrix_sets <- function(data) {
  sets <- unique(data$ratios[kind == "reference", .(experiment, machine_id, protocol = numerator_protocol)])
  sets[order(match(experiment, names(data$experiments)), match(machine_id, unique(data$places$machine_id)))]
}

#' Ratios of every cell to the same cell in the reference.
#'
#' @return as `ratios_of`, with `row` (the cell without its environment and CPU profile, a factor in the order of the
#'   definitions) and `column` (its place and profile; the first level is the reference); rows that the reference lacks
#'   are left out
matrix_ratios <- function(data, set) {
  ratios <- ratios_of(data, set$experiment, "reference")[machine_id == set$machine_id]
  labelled <- label_cells(copy(ratios)[, cpu_profile := ""], data$experiments[[set$experiment]])
  ratios[, row := factor(labelled$label, levels = unique(labelled$label[labelled$order]))]
  columns <- unique(ratios[order(place, match(cpu_profile, names(data$profiles))), .(place, cpu_profile)])
  words <- where_words(data, columns$place, columns$cpu_profile)
  ratios[, column := factor(where_words(data, place, cpu_profile), levels = words)]
  ratios[order(row, column)]
}

#' A set in words: the experiment, and the machine where there are several.
set_words <- function(data, set) {
  other <- set$machine_id != data$places$machine_id[1]
  paste0(set$experiment, if (other) paste0(", other machine ", substr(set$machine_id, 1, 6)))
}
