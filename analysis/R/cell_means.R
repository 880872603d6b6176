# One row per cell and measure: the mean over forks, its interval, and where the variation comes from.

measures <- c(wall = "wall", cpu = "cpu")

#' Columns that name a cell: the dictionary's cell keys, as far as the table has them.
cell_columns <- function(table) {
  fixed <- c(
    "experiment", "environment", "image_id", "machine_id", "cell", "workload", "protocol", "provider", "cpu_profile"
  )
  c(fixed, grep("^factor\\.", names(table), value = TRUE))
}

#' Forks with one row per measure: `measure`, `mean_ns`, `sd_ns` (within) in place of a pair of columns per measure.
forks_by_measure <- function(forks) {
  keep <- c(cell_columns(forks), "round", "number", "fork", "measured_iterations", "steady")
  parts <- lapply(measures, function(measure) {
    part <- forks[, keep, with = FALSE]
    part[, `:=`(
      measure = measure,
      mean_ns = forks[[paste0(measure, "_ns_per_op")]],
      sd_ns = forks[[paste0("sd_within_", measure, "_ns")]]
    )]
  })
  long <- rbindlist(parts)
  long[!is.na(mean_ns)]
}

#' Estimate every cell.
#'
#' @param forks the table `forks.csv`
#' @param confidence of the intervals
#' @return the table `cells.csv` of the dictionary, in the order of its keys
cell_means <- function(forks, confidence = 0.95) {
  long <- forks_by_measure(forks)
  keys <- c(cell_columns(forks), "measure")
  cells <- long[, {
    between <- stats::sd(mean_ns)
    half <- t_half_width(between, .N, confidence)
    parts <- fork_components(mean_ns, sd_ns, measured_iterations)
    pooled <- pooled_half_width(mean_ns, sd_ns, measured_iterations, confidence)
    .(
      forks = .N, forks_no_steady = sum(steady == "no steady state"),
      mean_ns = mean(mean_ns), lower_ns = mean(mean_ns) - half, upper_ns = mean(mean_ns) + half,
      half_width_pct = 100 * half / mean(mean_ns),
      sd_between_ns = between, sd_within_ns = sqrt(parts$s1_squared),
      s1_squared = parts$s1_squared, s2_squared = parts$s2_squared, t2_squared = parts$t2_squared,
      pooled_half_width_pct = 100 * pooled / mean(mean_ns)
    )
  }, by = keys]
  setorderv(cells, c("experiment", "environment", "image_id", "machine_id", "cell", "measure"))
  cells[]
}

fork_columns <- c(
  "experiment", "environment", "image_id", "machine_id", "cell", "workload", "protocol", "provider", "cpu_profile",
  "round", "fork",
  "measured_iterations", "steady", "wall_ns_per_op", "cpu_ns_per_op", "sd_within_wall_ns", "sd_within_cpu_ns"
)
