# Shares of a run's time: iterations, the start of JVMs and their warm-up, the container engine, and the time between
# rounds.

#' Shares of a run's time.
#'
#' A gap between rounds that is longer than `break_s` separates two sessions of a run that was stopped and resumed
#' later. Such a gap is not counted.
#'
#' @param rounds data.table: `path`, `started_at`, `finished_at` (ISO 8601), `elapsed_s` (of the container)
#'
#' @param forks data.table: `elapsed_ms`, a row per fork
#'
#' @param iterations data.table: `start_uptime_ms`, `end_uptime_ms`, a row per iteration, including warm-up
#'
#' @return data.table: `part`, `seconds`, `share_pct` of the total. The parts are `iterations` (warm-up and
#'   measurement), `forks' start and set-up`, `engine` (containers' start and end, the round's runner),
#'   `between rounds` (Snakemake, checks, records), `all`.
time_shares <- function(rounds, forks, iterations, break_s = 60) {
  moment <- function(text) as.numeric(as.POSIXct(text, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC"))
  times <- data.table(start = moment(rounds$started_at), end = moment(rounds$finished_at))[order(start)]
  gaps <- times$start[-1] - times$end[-nrow(times)]
  inside <- sum(times$end - times$start)
  between <- sum(gaps[gaps >= 0 & gaps <= break_s]) + inside - sum(rounds$elapsed_s)
  measured <- sum(iterations$end_uptime_ms - iterations$start_uptime_ms) / 1000
  in_forks <- sum(forks$elapsed_ms) / 1000
  seconds <- c(
    iterations = measured, `forks' start and set-up` = in_forks - measured, engine = sum(rounds$elapsed_s) - in_forks,
    `between rounds` = between
  )
  seconds <- c(seconds, all = sum(seconds))
  data.table(part = names(seconds), seconds = unname(seconds), share_pct = 100 * unname(seconds / seconds[["all"]]))
}

#' Shares of the time of forks, by protocol.
#'
#' @param forks as above, with `fork_key` and `protocol`
#'
#' @param iterations as above, with `fork_key`
#'
#' @return data.table: `protocol`, `part`, `seconds`, `share_pct` of that protocol's forks. The parts are
#'   `before the first iteration` (the JVM's start, set-up, warm-up by count), `iterations`, `between and after them`.
fork_shares <- function(forks, iterations) {
  own <- iterations[, .(
    before = min(start_uptime_ms), measured = sum(end_uptime_ms - start_uptime_ms)
  ), by = fork_key][forks, on = fork_key, nomatch = NULL]
  parts <- own[, .(
    part = c("before the first iteration", "iterations", "between and after them"),
    seconds = c(sum(before), sum(measured), sum(elapsed_ms - before - measured)) / 1000
  ), keyby = protocol]
  parts[, share_pct := 100 * seconds / sum(seconds), by = protocol][]
}

command_time_shares <- function(words) {
  arguments <- read_arguments(
    list(
      raw = list(text = "the raw directory", required = TRUE, folder = TRUE),
      rounds = list(text = "file that names the rounds; all of the raw directory if left out", file = TRUE),
      out = list(text = "directory for time_shares.csv", required = TRUE)
    ),
    "Says which part of a run's time went into iterations and which into everything else, of forks by protocol.",
    words
  )
  tidy <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))
  table <- rbind(
    time_shares(tidy$rounds, tidy$forks, tidy$iterations)[, protocol := "all"],
    fork_shares(tidy$forks, tidy$iterations), use.names = TRUE
  )
  write_table(table, out_file(arguments$out, "time_shares.csv"))
  print_table(table)
}
