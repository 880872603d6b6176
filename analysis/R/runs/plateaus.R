# False plateaus (bench/trials/plateaus.py): forks held against a long one of the same cell.

#' Part by which a settled mean may be off the truth.
plateau_margin <- 0.02

#' Every cell's forks by the way they were measured and their state.
#'
#' @param forks of `tidy_rounds` over the trial's rounds; all forks count, valid or not, since what disturbed them makes
#'   none faster
#' @param iterations of the same
#' @return data.table: `environment`, `cpu_profile`, `workload`, `what` (the cell's factors), `way` (`short`, or
#'   `warmed` up by count), `settled`, `forks`, `operations` and `uptime_s` (medians, to the end of the last iteration),
#'   `mean_us`, `truth_us` (the fastest long fork's end), `ratio` of both, `least` and `most` of a fork's, `wrong`:
#'   `yes` where forks are proved and even the fastest is slower than the truth by more than `plateau_margin`
plateaus <- function(forks, iterations) {
  ended <- iterations[, .(uptime_s = max(end_uptime_ms) / 1000), by = fork_key]
  forks <- merge(forks, ended, by = fork_key, all.x = TRUE)
  factors <- setdiff(grep("^factor\\.", names(forks), value = TRUE), "factor.fork")
  forks[, what := trimws(do.call(paste, lapply(factors, function(name) fcoalesce(as.character(get(name)), ""))))]
  forks[, way := fcase(endsWith(workload, "-long"), "long", endsWith(workload, "-short"), "short", default = "warmed")]
  forks[, workload := sub("-(short|long)$", "", workload)]
  named <- c("environment", "cpu_profile", "workload", "what")
  truth <- forks[way == "long", .(truth_us = min(wall_ns_per_op) / 1000), by = named]
  found <- truth[forks[way != "long"], on = named]
  found[, to_truth := wall_ns_per_op / 1000 / truth_us]
  found <- found[, .(
    forks = .N, operations = as.numeric(stats::median(operations_before + operations_measured)),
    uptime_s = stats::median(uptime_s), mean_us = exp(mean(log(wall_ns_per_op))) / 1000, truth_us = truth_us[1],
    ratio = exp(mean(log(to_truth))), least = min(to_truth), most = max(to_truth)
  ), by = c(named, "way", "settled")]
  found[, wrong := fifelse(settled == "proved" & least > 1 + plateau_margin, "yes", "no")]
  setorderv(found, c(named, "way", "settled"))
  found[]
}
