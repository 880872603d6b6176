# False plateaus (bench/jcarerun/trials/plateaus.py): forks compared with long forks of the same cell.

#' Largest relative error of a steady mean that counts as correct.
plateau_margin <- 0.02

#' Columns that identify a cell of the trial.
plateau_cell <- c("environment", "cpu_profile", "workload", "what")

#' Compares every cell's forks, by the way they were measured and their warm-up state, with the end of its long forks.
#'
#' A long fork counts as the truth if the record proves that its code was compiled at its end. A cell without such a
#' fork has no known truth, however long its forks were. Forks are compared with the truth of the same round. The
#' machine's speed drifts more between rounds than it varies within one.
#'
#' @param forks of the trial's rounds. All of them count, valid or not, and so do both runs of a fork that was run again
#' @return data.table. `what` are the cell's factors. `way` is `short`, or `warmed` up by count. `operations` and
#'   `uptime_s` are medians, to the end of the last operation. `truth_forks` are the proven ones of the `long_forks`.
#'   `truth_us` is the mean of the ends of the proven long forks, or of all long forks if none is proven. The interval
#'   of `ratio` is 90 %, Student's t over rounds. `least` and `most` are the extreme ratios of a single fork.
#'
#'   `within` is `unknown` without a proven long fork in the same rounds. It is `yes` if two one-sided tests at 5 % find
#'   the ratio within `plateau_margin` of 1. It is `no` if the interval lies outside the margin, and `open` otherwise.
plateaus <- function(forks, iterations, chain, compilations) {
  forks <- plateau_forks(forks, iterations, chain, compilations)
  rows <- unique(forks[way != "long", c(plateau_cell, "way", "warm_up_state"), with = FALSE])
  rows[, cell := as.character(.I)]
  ours <- forks[rows, on = c(plateau_cell, "way", "warm_up_state")]
  long <- forks[way == "long", .(block, mean_ns, proven, counts = proven | !any(proven)), by = plateau_cell]
  long <- long[rows[, c(plateau_cell, "cell"), with = FALSE], on = plateau_cell, nomatch = NULL, allow.cartesian = TRUE]
  truth <- long[(counts), .(truth_ns = exp(mean(log(mean_ns)))), by = .(cell, block)]
  ours <- truth[ours, on = c("cell", "block")]
  ours_of_cell <- ours[, .(
    forks = .N, operations = as.numeric(stats::median(operations_before + operations_measured)),
    uptime_s = stats::median(uptime_s), mean_us = mean(mean_ns) / 1000,
    least = sort(mean_ns / truth_ns)[1], most = sort(mean_ns / truth_ns, decreasing = TRUE)[1]
  ), by = cell]
  truths <- long[, .(long_forks = .N, truth_forks = sum(proven), truth_us = mean(mean_ns[counts]) / 1000), by = cell]
  compared <- compare_arms(ours, long[(counts)], plateau_margin)[, .(cell, ratio, lower, upper, within = alike)]
  found <- compared[truths[ours_of_cell, on = "cell"], on = "cell"]
  found[, within := fifelse(is.na(ratio) | truth_forks == 0L, "unknown", fcoalesce(within, "open"))]
  found <- rows[found, on = "cell"]
  setorderv(found, c(plateau_cell, "way", "warm_up_state"))
  found[, c(
    plateau_cell, "way", "warm_up_state", "forks", "operations", "uptime_s", "mean_us", "long_forks", "truth_forks",
    "truth_us", "ratio", "lower", "upper", "least", "most", "within"
  ), with = FALSE]
}

#' The trial's forks with the columns that identify their cell, `way` (`long`, `short`, `warmed`), `mean_ns`,
#' `uptime_s` and `block` (a round). Column `proven` says whether the measured code is proven to be compiled. It is
#' known for long forks too.
plateau_forks <- function(forks, iterations, chain, compilations) {
  asked <- forks[, fork_key, with = FALSE][, `:=`(warmup = "steady-state", native = FALSE)]
  states <- fork_warm_up_states(asked, iterations, chain, compilations, fork_key)[, proven := warm_up_state == "proven"]
  forks <- merge(forks, states[, c(fork_key, "proven"), with = FALSE], by = fork_key)
  ended <- iterations[, .(uptime_s = max(end_uptime_ms) / 1000), by = fork_key]
  forks <- merge(forks, ended, by = fork_key, all.x = TRUE)
  factors <- setdiff(grep("^factor\\.", names(forks), value = TRUE), "factor.fork")
  forks[, what := trimws(do.call(paste, lapply(factors, function(name) fcoalesce(as.character(get(name)), ""))))]
  forks[, way := fcase(endsWith(workload, "-long"), "long", endsWith(workload, "-short"), "short", default = "warmed")]
  forks[, workload := sub("(-large)?-(short|long)$", "", workload)]
  forks[, `:=`(mean_ns = wall_ns_per_op, block = round, cell = NULL)]
}

#' Summary of `plateaus` by CPU class, way and warm-up state: the number of rows by `within`. The other columns are over
#' all rows whose truth is known. Column `ratio` is the geometric mean. Its 90 % interval is Student's t, which assumes
#' independent rows.
plateau_summary <- function(table) {
  kind <- c("cpu_profile", "way", "warm_up_state")
  counts <- table[, .(
    rows = .N, yes = sum(within == "yes"), open = sum(within == "open"), no = sum(within == "no"),
    unknown = sum(within == "unknown")
  ), keyby = kind]
  means <- table[within != "unknown", {
    centre <- mean(log(ratio))
    half <- t_half_width(stats::sd(log(ratio)), .N, 0.9)
    .(
      ratio = exp(centre), lower = exp(centre - half), upper = exp(centre + half),
      least = sort(ratio)[1], most = sort(ratio, decreasing = TRUE)[1]
    )
  }, keyby = kind]
  setcolorder(means[counts, on = kind], names(counts))[]
}

command_plateaus <- function(words) {
  arguments <- read_arguments(
    list(
      raw = list(text = "the raw directory", required = TRUE, folder = TRUE),
      rounds = list(text = "file that names the trial's rounds", required = TRUE, file = TRUE),
      out = list(text = "directory for plateaus.csv", required = TRUE)
    ),
    "Says for each cell how far its forks are from the end of long ones, by whether they are proven.",
    words
  )
  tables <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))
  table <- plateaus(tables$forks, tables$iterations, tables$chain, tables$compilations)
  write_table(table, out_file(arguments$out, "plateaus.csv"))
  print_table(table)
  print_table(plateau_summary(table))
}
