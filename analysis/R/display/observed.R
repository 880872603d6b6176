# What was observed besides time, as figures need it: per fork with its cell's labels, and per cell with intervals.

#' Observed values of an experiment, with label, place, protocol, workload, factors of the fork they are from.
observed_of <- function(data, id) {
  keys <- c("label", "place", "protocol", "workload", "provider", "cpu_profile", factor_columns(data$forks))
  forks <- data$forks[experiment == id, c(fork_key, keys), with = FALSE]
  forks[data$observed[experiment == id], on = fork_key, nomatch = NULL]
}

#' Mean and 95 % interval (Student t) over forks, by some columns.
#'
#' @param values data.table with `value`, one row per fork
observed_means <- function(values, by) {
  values[, {
    half <- t_half_width(stats::sd(value), .N, 0.95)
    .(mean = mean(value), lower = mean(value) - half, upper = mean(value) + half, forks = .N)
  }, by = by]
}

#' The same for values that are compared as ratios: on the log scale.
observed_log_means <- function(values, by) {
  found <- observed_means(values[value > 0][, value := log(value)], by)
  found[, c("mean", "lower", "upper") := lapply(.(mean, lower, upper), exp)][]
}
