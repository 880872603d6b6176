# Rows of the tidy tables with the labels of their cells, as figures and tables need them.

#' What names a cell in its experiment.
shown_cell_key <- c("experiment", "environment", "image_id", "machine_id", "cell")

#' What was observed in an experiment besides time: rows of observed_means.csv.
observed_of <- function(data, id) data$observed_means[experiment == id]

#' The ratios of a kind in an experiment.
#'
#' @return data.table: rows of ratios.csv with `environment`, `image_id`, `cell`, `protocol`, `label`, `place`,
#'   `workload`, `provider`, `cpu_profile`, factors of the numerator; `other`, the provider of the denominator
ratios_of <- function(data, id, which) {
  rows <- data$ratios[experiment == id & kind == which]
  cells <- unique(data$cells[experiment == id], by = shown_cell_key)
  cells <- cells[, c(
    shown_cell_key, "label", "place", "workload", "provider", "cpu_profile", factor_columns(cells)
  ), with = FALSE]
  own <- shown_cell_key %in% c("environment", "image_id", "cell")
  side <- function(which) stats::setNames(paste0(ifelse(own, which, ""), shown_cell_key), shown_cell_key)
  rows[, other := cells[rows, on = side("denominator_"), provider]]
  cells[rows, on = side("numerator_"), nomatch = NULL][, protocol := numerator_protocol][]
}
