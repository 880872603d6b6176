# False plateaus (bench/trials/plateaus.py): forks held against a long one of the same cell.

#' Part by which a settled mean may be off the truth.
plateau_margin <- 0.02

#' Every cell's forks by the way they were measured and their state.
#'
#' @param forks of `tidy_rounds` over the trial's rounds; all forks count, valid or not, since what disturbed them makes
#'   none faster
#' @return data.table: `environment`, `cpu_profile`, `workload`, `what` (the cell's factors), `way` (`short`, or
#'   `warmed` up by count), `settled`, `forks`, `operations` (median, to the end of the fork), `mean_us`, `truth_us`
#'   (the fastest long fork's end), `ratio` of both, `wrong`: `yes` where forks are proved and slower than the truth by
#'   more than `plateau_margin`
plateaus <- function(forks) {
  forks <- copy(forks)
  factors <- grep("^factor\\.", names(forks), value = TRUE)
  forks[, what := trimws(do.call(paste, lapply(factors, function(name) fcoalesce(as.character(get(name)), ""))))]
  forks[, way := fcase(protocol == "as-published", "long", endsWith(workload, "-short"), "short", default = "warmed")]
  forks[, workload := sub("-short$", "", workload)]
  named <- c("environment", "cpu_profile", "workload", "what")
  truth <- forks[way == "long", .(truth_us = min(wall_ns_per_op) / 1000), by = named]
  found <- forks[way != "long", .(
    forks = .N, operations = as.numeric(stats::median(operations_before + operations_measured)),
    mean_us = exp(mean(log(wall_ns_per_op))) / 1000
  ), by = c(named, "way", "settled")]
  found <- truth[found, on = named]
  found[, ratio := mean_us / truth_us]
  found[, wrong := fifelse(settled == "proved" & ratio > 1 + plateau_margin, "yes", "no")]
  setcolorder(found, c(named, "way", "settled", "forks", "operations", "mean_us", "truth_us", "ratio", "wrong"))
  setorderv(found, c(named, "way", "settled"))
  found[]
}
