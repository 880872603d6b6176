# Cells of one operation, sorted by their time: algorithms, providers and JDKs in one list, as `jca-rerun choose`
# prints it.

ranking_columns <- columns_of("ranking.csv", "tools")

#' Rank the cells of each operation (workload, protocol, CPU profile) of a machine by their geometric mean time.
#'
#' The interval of a cell's time is computed on the log scale, so that no limit is below 0. The intervals of the ratios
#' to the fastest cell are simultaneous: Bonferroni's, over all pairs of an operation's cells.
#'
#' @param forks the table `forks.csv`; `observed` the table `observed.csv`
#' @return data.table of `ranking_columns`, in the order of its ranks
rank_cells <- function(forks, observed, confidence = 0.95) {
  shown <- shown_forks(forks)
  if (nrow(shown) == 0) return(as.data.table(sapply(ranking_columns, function(column) character())))
  keys <- c(cell_columns(forks), "disturbed")
  long <- forks_by_measure(shown)[measure == "wall" & mean_ns > 0]
  disturbed <- unique(shown[, c(setdiff(cell_id, "measure"), "disturbed"), with = FALSE])
  long <- disturbed[long, on = setdiff(cell_id, "measure")]
  cells <- staged_means(long, log(long$mean_ns), keys, confidence)
  cells[, `:=`(measure = "wall", time_ns = exp(mean), lower_ns = exp(lower), upper_ns = exp(upper))]
  cells[, c("mean", "sd", "lower", "upper") := NULL]
  allocated <- with_observed(long, observed)[measure == "gc.alloc.rate.norm", .(
    allocated_bytes = mean(mean_ns)
  ), by = c(setdiff(cell_id, "measure"))]
  cells[, allocated_bytes := allocated[cells, on = setdiff(cell_id, "measure"), x.allocated_bytes]]
  cells[, warm_up_state := cell_states(shown)[cells, on = setdiff(cell_id, "measure"), x.warm_up_state]]
  operation <- c("experiment", "machine_id", "workload", "protocol", "cpu_profile")
  ranked <- rbindlist(lapply(split(cells, by = operation), ratios_to_fastest, long, confidence))
  ranked[, c(cell_columns(forks), setdiff(ranking_columns, cell_keys)), with = FALSE][]
}

#' The cells of an operation with their rank, and their ratio to the fastest cell with a simultaneous interval.
ratios_to_fastest <- function(cells, long, confidence) {
  cells <- cells[order(time_ns)][, rank := .I]
  cells[, `:=`(own_environment = environment, own_image_id = image_id)]
  fastest <- cells[rep(1, .N)]
  pairs <- sided("rank", cells, fastest)
  pairs[, `:=`(protocol = numerator_protocol, target_lower = 0, target_upper = Inf)]
  all_pairs <- max(1, nrow(cells) * (nrow(cells) - 1) / 2)
  found <- estimate_pairs(pairs, long, 1 - (1 - confidence) / all_pairs, lone = TRUE)
  cells[, `:=`(ratio = found$ratio, ratio_lower = found$lower, ratio_upper = found$upper)]
  cells[1, `:=`(ratio = 1, ratio_lower = NA_real_, ratio_upper = NA_real_)][]
}

command_rank_cells <- function(words) {
  arguments <- read_arguments(
    list(
      tidy = list(text = "the tidy directory", required = TRUE, folder = TRUE),
      out = list(text = "the file to write", required = TRUE)
    ),
    "Ranks the cells of each operation by their time.",
    words
  )
  forks <- read_table(file.path(arguments$tidy, "forks.csv"), fork_columns)
  observed <- read_table(file.path(arguments$tidy, "observed.csv"), observed_columns)
  write_table(rank_cells(forks, observed), arguments$out)
}
