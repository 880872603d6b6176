# Forks of any benchmarks to one row per benchmark and setting, with intervals over forks.

#' Summarise forks.
#'
#' @param forks of `read_run`; `confidence` of the intervals
#' @return data.table, the columns of summary.csv in data/README.md
summarise_run <- function(forks, confidence = 0.95) {
  params <- parameter_columns(forks)
  keys <- c("file", "benchmark", "metric", params, "mode", "threads", "batch", "unit")
  forks <- copy(forks)[, cell := .GRP, by = keys]
  rows <- forks[, {
    known <- !is.na(mean)
    means <- mean[known]
    average <- if (any(known)) mean(means) else NA_real_
    between <- if (length(means) > 1) stats::sd(means) else NA_real_
    half <- t_half_width(between, length(means), confidence)
    parts <- fork_components(means, sd[known], iterations[known])
    list(
      forks = length(means), iterations = sum(iterations),
      mean = average, lower = average - half, upper = average + half,
      half_width_pct = 100 * half / average, sd_between = between, sd_within = sqrt(parts$s1_squared),
      steady = joint_class(steady), note = run_notes(.SD)
    )
  }, by = keys, .SDcols = c(
    "result", "iterations", "iterations_planned", "lost", "mean", "steady", "forks_planned"
  )]
  setcolorder(rows, keys)
  empty <- params[vapply(params, function(column) all(is.na(rows[[column]])), TRUE)]
  if (length(empty) > 0) rows[, (empty) := NULL]
  setorderv(rows, intersect(keys, names(rows)))[]
}

#' The class of all forks, or `mixed`.
joint_class <- function(classes) {
  classes <- unique(classes)
  if (length(classes) == 1) classes else "mixed"
}

#' What could not be estimated, and what the reader must know of it.
run_notes <- function(forks) {
  known <- sum(!is.na(forks$mean))
  planned <- sum(forks$forks_planned[!duplicated(forks$result)])
  lost <- sum(forks$lost)
  short <- sum(forks$iterations + forks$lost < forks$iterations_planned, na.rm = TRUE)
  classes <- table(factor(forks$steady, c("no steady state", "warm-up", "slowdown")))
  of <- function(class) sprintf("%d of %d forks", classes[[class]], nrow(forks))
  notes <- c(
    if (known == 0) "no fork has a number: no mean",
    if (known == 1) "one fork: no interval, no spread between forks",
    if (known > 1 && known < verdict_forks) sprintf(
      "%d forks: too few to rely on the interval, take %d or more", known, verdict_forks
    ),
    if (known < nrow(forks)) sprintf(
      "%d of %d forks have no number and are left out", nrow(forks) - known, nrow(forks)
    ),
    if (!is.na(planned) && nrow(forks) < planned) sprintf(
      "%d of %g planned forks are in the file", nrow(forks), planned
    ),
    if (uniqueN(forks$result) > 1) sprintf("forks of %d results of the file together", uniqueN(forks$result)),
    if (short > 0) sprintf(
      "%d of %d forks have fewer iterations than the %g planned", short, nrow(forks), forks$iterations_planned[1]
    ),
    if (lost > 0) sprintf("%d iterations have no number (NaN) and are left out", lost),
    if (known > 0 && all(forks$iterations <= 1)) "one iteration a fork: no spread within",
    if (classes[["no steady state"]] > 0) sprintf("%s reached no steady state", of("no steady state")),
    if (classes[["warm-up"]] > 0) sprintf("%s warmed up while they were measured", of("warm-up")),
    if (classes[["slowdown"]] > 0) sprintf("%s became slower while they were measured", of("slowdown"))
  )
  paste(notes, collapse = "; ")
}
