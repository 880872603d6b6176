# False plateaus (bench/trials/plateaus.py): forks held against long ones of the same cell.

#' Part by which a settled mean may be off the truth.
plateau_margin <- 0.02

#' What tells one cell of the trial from another.
plateau_cell <- c("environment", "cpu_profile", "workload", "what")

#' Every cell's forks by the way they were measured and their state, against the end of the cell's long forks.
#'
#' @param forks of `tidy_rounds` over the trial's rounds; all forks count, valid or not, and those run again beside
#'   their first run
#' @param iterations of the same
#' @return data.table: `environment`, `cpu_profile`, `workload`, `what` (the cell's factors), `way` (`short`, or
#'   `warmed` up by count), `settled`, `forks`, `operations` and `uptime_s` (medians, to the end of the last iteration),
#'   `mean_us`; `truth_forks`, `truth_us` (the mean of the long forks' ends);
#'   `ratio` of both, `lower` and `upper` (Welch's 90 %), `least` and `most` of a single fork; `within`: `yes` where two
#'   one-sided tests at 5 % find the ratio within `plateau_margin` of 1, `no` where its interval is outside, else `open`
plateaus <- function(forks, iterations) {
  forks <- plateau_forks(forks, iterations)
  rows <- unique(forks[way != "long", c(plateau_cell, "way", "settled"), with = FALSE])[, cell := as.character(.I)]
  ours <- forks[rows, on = c(plateau_cell, "way", "settled")]
  truth <- forks[way == "long", c(plateau_cell, "mean_ns"), with = FALSE]
  cells <- rows[, c(plateau_cell, "cell"), with = FALSE]
  truth <- truth[cells, on = plateau_cell, nomatch = NULL, allow.cartesian = TRUE]
  told <- ours[, .(
    forks = .N, operations = as.numeric(stats::median(operations_before + operations_measured)),
    uptime_s = stats::median(uptime_s), mean_us = mean(mean_ns) / 1000, fastest = min(mean_ns), slowest = max(mean_ns)
  ), by = cell]
  truths <- truth[, .(
    truth_forks = .N, truth_us = mean(mean_ns) / 1000, truth_log = mean(log(mean_ns))
  ), by = cell]
  compared <- compare_arms(ours, truth, plateau_margin)[, .(cell, ratio, lower, upper, within = alike)]
  found <- compared[truths[told, on = "cell"], on = "cell"]
  found[, `:=`(least = fastest / exp(truth_log), most = slowest / exp(truth_log), within = fcoalesce(within, "open"))]
  found <- rows[found, on = "cell"]
  setorderv(found, c(plateau_cell, "way", "settled"))
  found[, c(
    plateau_cell, "way", "settled", "forks", "operations", "uptime_s", "mean_us", "truth_forks", "truth_us",
    "ratio", "lower", "upper", "least", "most", "within"
  ), with = FALSE]
}

#' The trial's forks with what tells their cell, their `way` (`long`, `short`, `warmed`), `mean_ns` and `uptime_s`.
plateau_forks <- function(forks, iterations) {
  ended <- iterations[, .(uptime_s = max(end_uptime_ms) / 1000), by = fork_key]
  forks <- merge(forks, ended, by = fork_key, all.x = TRUE)
  factors <- setdiff(grep("^factor\\.", names(forks), value = TRUE), "factor.fork")
  forks[, what := trimws(do.call(paste, lapply(factors, function(name) fcoalesce(as.character(get(name)), ""))))]
  forks[, way := fcase(endsWith(workload, "-long"), "long", endsWith(workload, "-short"), "short", default = "warmed")]
  forks[, workload := sub("(-large)?-(short|long)$", "", workload)]
  forks[, `:=`(mean_ns = wall_ns_per_op, cell = NULL)]
}

#' What the rows of `plateaus` come to, over each class of CPU, way and state: one table to read at a glance.
#'
#' @param table of `plateaus`
#' @return data.table: `cpu_profile`, `way`, `settled`, `rows`; `yes` and `open` (rows by `within`), `slower` and
#'   `faster` (rows outside, by side: of those that are faster the long forks were not at their end yet); over all but
#'   the faster: `ratio` (the geometric mean of the rows'), `lower`, `upper` (its 90 % by Student's t, the rows taken
#'   for independent), `least`, `most` of a row
plateau_summary <- function(table) {
  kind <- c("cpu_profile", "way", "settled")
  table <- table[!is.na(ratio)][, faster := within == "no" & ratio < 1]
  counts <- table[, .(
    rows = .N, yes = sum(within == "yes"), open = sum(within == "open"), slower = sum(within == "no" & !faster),
    faster = sum(faster)
  ), keyby = kind]
  means <- table[!(faster), {
    centre <- mean(log(ratio))
    half <- t_half_width(stats::sd(log(ratio)), .N, 0.9)
    .(
      ratio = exp(centre), lower = exp(centre - half), upper = exp(centre + half), least = min(ratio), most = max(ratio)
    )
  }, keyby = kind]
  setcolorder(means[counts, on = kind], names(counts))[]
}
