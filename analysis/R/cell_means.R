# One row per cell and measure: the mean over forks, its interval, and the components of variance.

measures <- c(wall = "wall", cpu = "cpu")

#' Forks with one row per measure: `measure`, `mean_ns`, `sd_ns` (within forks) instead of a pair of columns per
#' measure. Without stages in the table, all forks belong to the first stage.
forks_by_measure <- function(forks) {
  keep <- c(cell_columns(forks), "round", "number", "fork", "measured_iterations", "steady")
  parts <- lapply(measures, function(measure) {
    part <- forks[, keep, with = FALSE]
    part[, `:=`(
      stage = forks$stage %||% 1L, looks = forks$looks %||% 1L, measure = measure,
      mean_ns = forks[[paste0(measure, "_ns_per_op")]],
      sd_ns = forks[[paste0("sd_within_", measure, "_ns")]]
    )]
  })
  long <- rbindlist(parts)
  long[!is.na(mean_ns)]
}

#' Estimate every cell.
#'
#' After Stein's second stage, a cell's interval uses the spread and degrees of freedom of stage one (`stein_interval`).
#' A plan with several interim analyses has the repeated confidence interval of the combined stages.
#'
#' @param forks the table `forks.csv`, of forks that count
#'
#' @param plans the table `plans.csv`; without rows where nothing was planned
#'
#' @param confidence of the intervals
#'
#' @return the table `cells.csv` of the dictionary, in the order of its keys
cell_means <- function(forks, plans = no_plans(), confidence = 0.95) {
  long <- forks_by_measure(forks)
  keys <- c(cell_columns(forks), "measure")
  cells <- long[, {
    parts <- fork_components(mean_ns, sd_ns, measured_iterations)
    pooled <- pooled_half_width(mean_ns, sd_ns, measured_iterations, confidence)
    .(
      forks_no_steady = sum(steady == "no steady state"), sd_within_ns = sqrt(parts$s1_squared),
      s1_squared = parts$s1_squared, s2_squared = parts$s2_squared, t2_squared = parts$t2_squared,
      pooled_half_width_pct = 100 * pooled / mean(mean_ns)
    )
  }, by = keys]
  own <- staged_means(long, long$mean_ns, keys, confidence)
  logs <- staged_means(long, logs_of_positive(long, keys), keys, confidence)
  cells[, `:=`(
    forks = own$forks, mean_ns = own$mean, lower_ns = on_log_scale(own$lower, own$upper, -1),
    upper_ns = on_log_scale(own$lower, own$upper, 1), half_width_pct = 100 * (own$upper - own$lower) / 2 / own$mean,
    sd_between_ns = own$sd, log_half = (logs$upper - logs$lower) / 2
  )]
  setcolorder(cells, c(
    keys, "forks", "forks_no_steady", "mean_ns", "lower_ns", "upper_ns", "half_width_pct", "sd_between_ns"
  ))
  states <- cell_states(forks)[, reference_reach := NULL]
  cells <- with_wishes(states[cells, on = setdiff(cell_id, "measure")], plans)
  warm_up_columns <- c("warm_up_state", "forks_proven", "warm_up_why", "reference_ratio")
  setcolorder(cells, c(keys, setdiff(names(cells), c(keys, warm_up_columns)), warm_up_columns))
  setorderv(cells, c("experiment", "environment", "image_id", "machine_id", "cell", "measure"))
  cells[]
}

#' The logarithms of means; NA for all of a cell with a mean that is not above 0.
#'
#' @param long of `forks_by_measure`; `by` the columns of its cells
logs_of_positive <- function(long, by) {
  positive <- long[, .(positive = all(mean_ns > 0)), by = by][long, on = by]$positive
  fifelse(positive, suppressWarnings(log(long$mean_ns)), NA_real_)
}

#' An end of a mean time's interval on the log scale: middle * exp(half / middle), so that it stays above 0.
#'
#' By the delta method, the standard error of a mean's logarithm is the mean's standard error divided by the mean.
#' Narrow intervals hardly change: at a half-width of 1 % the ends differ by 0.005 %.
#'
#' @param lower,upper ends of the interval on the linear scale
#' @param side -1 for its lower end, 1 for its upper one
#'
#' @return the end; that on the linear scale where the middle is not above 0, e.g. a CPU time below the clock's
#'   resolution
on_log_scale <- function(lower, upper, side) {
  middle <- (lower + upper) / 2
  half <- (upper - lower) / 2
  fifelse(middle > 0, middle * exp(side * half / middle), middle + side * half)
}

#' The state of every cell: the worst of its forks' states. It is `unproven` where the cell differs from its reference
#' fork.
#'
#' @param forks the table `forks.csv`, of forks that count
#'
#' @return data.table: the key of a cell without its measure, `warm_up_state`, `forks_proven`, `warm_up_why`,
#'   `reference_ratio`, `reference_reach`.
#'   The ratio is the cell's time over that of its reference fork's end. Where the reference fork was too short, the
#'   early-compilation fork replaces it.
#'   The reach is the factor by which times may still be wrong, NA where it is unknown. It comes from the reference
#'   fork, or else from the proven forks, or else from the early-compilation fork, whose own code may be unproven
cell_states <- function(forks) {
  if (is.null(forks$reference_ns)) forks <- copy(forks)[, `:=`(reference_ns = NA_real_, early_ns = NA_real_)]
  forks[, {
    held <- against_reference(wall_ns_per_op, reference_ns[1], early_ns[1])
    state <- worst_state(warm_up_state)
    off <- held$off && state != "by definition"
    proven_reach <- reach_of_proven(wall_ns_per_op, warm_up_state == "proven")
    .(
      warm_up_state = if (off) "unproven" else state, forks_proven = sum(warm_up_state %in% warm_up_states[1:2]),
      warm_up_why = if (off) held$why else commonest(warm_up_why), reference_ratio = held$ratio,
      reference_reach = if (is.finite(reference_ns[1])) held$reach else fcoalesce(proven_reach, held$reach)
    )
  }, by = c(setdiff(cell_id, "measure"))]
}

#' Relative difference allowed between a cell and its reference fork, in addition to the random variation of one fork.
reference_margin <- 0.02

#' Forks' times compared with the end of their cell's reference fork.
#'
#' The reference is a single fork. A cell is off it where the difference exceeds the 95 % prediction interval for one
#' more fork (Student, on the logs) by more than the margin. A cell is never off an early-compilation fork, whose JVM
#' has scaled compilation thresholds. Such a fork only bounds the possible error.
#'
#' @param times of the cell's forks, ns
#' @param reference_fork,early_fork times in ns, or NA
#' @return list: `ratio`, `off`, `why` (in words), `reach`
against_reference <- function(times, reference_fork, early_fork) {
  truth <- if (is.finite(reference_fork)) reference_fork else early_fork
  ratio <- exp(mean(log(times))) / truth
  if (!is.finite(ratio)) return(list(ratio = NA_real_, off = FALSE, why = "", reach = NA_real_))
  n <- length(times)
  chance <- if (n > 1) stats::qt(0.975, n - 1) * stats::sd(log(times)) * sqrt(1 + 1 / n) else Inf
  list(
    ratio = ratio, off = is.finite(reference_fork) && abs(log(ratio)) > log(1 + reference_margin) + chance,
    why = sprintf("its time is %s times that of its reference fork's end", format_plain(ratio)),
    reach = exp(abs(log(ratio))) * (1 + reference_margin)
  )
}

#' The factor by which the times of a cell without a reference fork may be wrong, with the margin.
#'
#' It comes from the difference between the forks that are not proven compiled and those that are. The upper end of that
#' difference's 95 % interval (Student, on the logs) is weighted by the share of unproven forks. NA where fewer than two
#' forks are proven.
reach_of_proven <- function(times, proven) {
  if (sum(proven) < 2) return(NA_real_)
  logs <- split(log(times), factor(proven, c(FALSE, TRUE)))
  counts <- lengths(logs)
  if (counts[[1]] == 0) return(1 + reference_margin)
  means <- vapply(logs, mean, numeric(1))
  variance <- sum((unlist(logs) - rep(means, counts))^2) / (length(times) - 2)
  chance <- stats::qt(0.975, length(times) - 2) * sqrt(variance * sum(1 / counts))
  exp(counts[[1]] / length(times) * (abs(diff(means)[[1]]) + chance)) * (1 + reference_margin)
}

#' The most frequent of some texts, without empty and missing ones; the first one among ties.
commonest <- function(texts) {
  texts <- texts[nzchar(fcoalesce(texts, ""))]
  if (length(texts) == 0) "" else names(which.max(table(texts)[unique(texts)]))
}

#' Cells with their wanted half-width and whether they reached it, on the log scale that the fork plan uses.
with_wishes <- function(cells, plans) {
  cells[, `:=`(wanted_half_width_pct = NA_real_, forks_wanted = NA_real_, reached = "")]
  wishes <- plans[!is.na(wanted_half_width_pct)]
  cells[wishes, `:=`(
    wanted_half_width_pct = i.wanted_half_width_pct, forks_wanted = i.forks_wanted
  ), on = c("experiment", "environment", "cell")]
  # The tolerance absorbs rounding: N is the least number whose width does not exceed the wanted one.
  cells[!is.na(wanted_half_width_pct), reached := fifelse(
    fcoalesce(log_half, Inf) <= wanted_half_width_pct / 100 * (1 + 1e-6), "yes", "no"
  )]
  cells[, log_half := NULL][]
}

fork_columns <- c(
  "experiment", "environment", "image_id", "machine_id", "cell", "workload", "protocol", "provider", "cpu_profile",
  "round", "fork", "stage", "valid", "rerun_of",
  "measured_iterations", "steady", "warm_up_state", "warm_up_why", "wall_ns_per_op", "cpu_ns_per_op",
  "sd_within_wall_ns",
  "sd_within_cpu_ns"
)

# Variance components of nested repetitions (Kalibera and Jones 2013, "Rigorous benchmarking in reasonable time").

#' Components of a balanced design with any number of levels.
#'
#' For level i: S_i^2 = sum of (mean at level i-1 minus mean at level i)^2 / [(r_i - 1) * product of r_k for k > i].
#' Then T_1^2 = S_1^2 and T_i^2 = S_i^2 - S_{i-1}^2 / r_{i-1}. The paper prints T in the last term; S is right. A
#' negative T_i^2 means no evidence of variation at level i.
#'
#' @param values numeric array; first dimension the lowest level (iteration), last the highest (fork, or build)
#'
#' @return list: `mean`, `s_squared`, `t_squared` (level 1 first, in squared units of the values)
variance_components <- function(values) {
  repetitions <- dim(values)
  levels <- length(repetitions)
  s_squared <- numeric(levels)
  means <- values
  for (level in seq_len(levels)) {
    size <- dim(means) %||% length(means)
    lower <- matrix(means, nrow = size[1])
    upper <- colMeans(lower)
    s_squared[level] <- sum(sweep(lower, 2, upper)^2) / ((size[1] - 1) * ncol(lower))
    means <- if (length(size) > 1) array(upper, size[-1]) else upper
  }
  t_squared <- s_squared - c(0, utils::head(s_squared / repetitions, -1))
  list(mean = mean(values), s_squared = s_squared, t_squared = t_squared)
}

#' The same for two levels when forks differ in their number of iterations (steady states start at different
#' iterations).
#'
#' S_1^2 is pooled over forks, weighted by their degrees of freedom. S_2^2 is the variance of fork means. The harmonic
#' mean of the iterations replaces r_1. In a balanced design the result equals `variance_components`.
#'
#' @param means,sds,counts fork means, standard deviations within forks, iterations of each fork
#'
#' @return list: `s1_squared`, `s2_squared`, `t2_squared`; NA where too few forks or iterations
fork_components <- function(means, sds, counts) {
  inside <- counts > 1
  s1 <- if (any(inside)) sum((counts[inside] - 1) * sds[inside]^2) / sum(counts[inside] - 1) else NA_real_
  s2 <- if (length(means) > 1) stats::var(means) else NA_real_
  list(s1_squared = s1, s2_squared = s2, t2_squared = s2 - s1 * mean(1 / counts))
}

# Student's interval of a mean, for one sample or a whole column of them.

#' Half-width of Student's interval.
#'
#' @param sd,n standard deviation and number of the independent values (fork means)
#' @param confidence e.g. 0.95
#'
#' @return half-width in the unit of sd; NA below 2 values
t_half_width <- function(sd, n, confidence = 0.95) {
  quantile <- suppressWarnings(stats::qt((1 + confidence) / 2, n - 1))
  fifelse(n > 1, quantile * sd / sqrt(n), NA_real_)
}

#' The interval that results if all iterations are treated as independent: too narrow, computed as a warning only.
#'
#' @param means,sds,counts of the iterations of each fork
#' @return half-width in the unit of the means
pooled_half_width <- function(means, sds, counts, confidence = 0.95) {
  total <- sum(counts)
  if (total < 2) return(NA_real_)
  grand <- sum(counts * means) / total
  within <- sum((counts - 1) * fifelse(counts > 1, as.numeric(sds), 0)^2)
  spread <- sqrt((within + sum(counts * (means - grand)^2)) / (total - 1))
  t_half_width(spread, total, confidence)
}

# What was observed besides time, over forks: the means that figures draw.

observed_mean_columns <- setdiff(columns_of("observed_means.csv"), cell_keys)

#' Mean of every observed measure of every cell.
#'
#' @param forks the table `forks.csv`, of forks that count
#' @param observed the table `observed.csv`
#'
#' @return the table `observed_means.csv` of the dictionary, in the order of its keys. A mean with a value that is not
#'   above 0 has no geometric mean
observed_means <- function(forks, observed, confidence = 0.95) {
  long <- with_observed(forks_by_measure(forks), observed)[!measure %in% measures]
  keys <- cell_columns(forks)
  by <- c(keys, "measure")
  means <- staged_means(long, long$mean_ns, by, confidence)
  logs <- staged_means(long, logs_of_positive(long, by), by, confidence)
  means[, c("geometric_mean", "geometric_lower", "geometric_upper") := exp(logs[, list(mean, lower, upper)])]
  if (nrow(means) == 0) means[, setdiff(observed_mean_columns, names(means)) := numeric()]
  setorderv(means, c("experiment", "environment", "image_id", "machine_id", "cell", "measure"))
  means[, observed_id := sprintf("o%d", .I)]
  means[, c(keys, observed_mean_columns), with = FALSE]
}
