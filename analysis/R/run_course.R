# The course of a run: where its time went, and how times changed between its stages and sessions.

# Shares of a run's time: iterations, the start of JVMs and their warm-up, the container engine, and the time between
# rounds.

#' Shares of a run's time.
#'
#' A gap between rounds that is longer than `break_s` separates two sessions of a run that was stopped and resumed
#' later. Such a gap is not counted.
#'
#' @param rounds with `elapsed_s` of the container
#' @return data.table: `part`, `seconds`, `share_pct` of the total. The parts are `iterations` (warm-up and
#'   measurement), `forks' start and set-up`, `engine` (containers' start and end, the round's runner),
#'   `between rounds` (Snakemake, checks, records), `all`.
time_shares <- function(rounds, forks, iterations, break_s = 60) {
  times <- data.table(start = utc_seconds(rounds$started_at), end = utc_seconds(rounds$finished_at))[order(start)]
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

# How times changed between a run's stages, and between its sessions. A run that resumed after a pause of an hour or
# more has several sessions. Both sides of a comparison are measured in the same rounds, so a drift cancels out of a
# ratio, but not out of a mean.

drift_columns <- columns_of("drifts.csv")

#' Seconds without a round on a machine after which the next round starts a new session.
sitting_gap_s <- 3600

#' Fewest cells that can distinguish a drift from noise.
least_drift_cells <- 3L

#' Every later stage and session compared with the first one of its stratum. Each cell is compared with itself, and
#' Student's t is computed over the cells.
#'
#' @return the table `drifts.csv` of the dictionary. A stratum has rows if it has several stages or sessions that share
#'   at least `least_drift_cells` cells
drift_table <- function(forks, rounds, confidence = 0.95) {
  key <- c("experiment", "environment", "image_id", "machine_id", "round")
  timed <- sittings(rounds)[, c(key, "sitting"), with = FALSE]
  own <- merge(forks_by_measure(forks)[measure == "wall" & mean_ns > 0], timed, by = key)
  rows <- lapply(split(own, by = c("environment", "image_id", "machine_id")), function(forks) {
    rbind(drifts_between(forks, "stage", confidence), drifts_between(forks, "sitting", confidence))
  })
  rows <- rbindlist(Filter(length, rows))
  if (nrow(rows) == 0) return(no_rows(drift_columns))
  setorder(rows, environment, image_id, machine_id, -between, later)
  rows[, drift_id := sprintf("d%d", .I)]
  rows[, drift_columns, with = FALSE]
}

#' Rounds with the number of their session on their machine.
sittings <- function(rounds) {
  found <- copy(rounds)[, `:=`(from = utc_seconds(started_at), to = utc_seconds(finished_at))][order(machine_id, from)]
  found[, sitting := 1L + cumsum(from - shift(cummax(to), fill = from[1]) >= sitting_gap_s), by = machine_id][]
}

#' Rows for one stratum; NULL where it has none.
drifts_between <- function(forks, between, confidence) {
  means <- forks[, .(log_mean = mean(log(mean_ns))), by = c("experiment", "protocol", "cell", part = between)]
  begin <- min(c(means$part, Inf))
  rows <- lapply(setdiff(sort(unique(means$part)), begin), function(number) {
    both <- merge(means[part == begin], means[part == number], by = c("experiment", "protocol", "cell"))
    if (nrow(both) < least_drift_cells) return(NULL)
    drift <- stage_drift(matrix(both$log_mean.y - both$log_mean.x, 1), confidence = confidence)
    place <- forks[1, .(environment, image_id, machine_id)]
    data.table(place, between = between, first = as.integer(begin), later = number, cells = nrow(both), drift)
  })
  rbindlist(rows)
}

#' Verdicts with a note on each marked drift of the cells that they are based on, after their other caveats.
#'
#' @param contrasts `open$contrasts` of `judge_claims`, in the strata of their verdicts
#'
#' @return `verdicts` with its `caveat` changed
with_drifts <- function(verdicts, contrasts, drifts) {
  moved <- drifts[marked == TRUE]
  if (nrow(moved) == 0 || nrow(contrasts) == 0) return(verdicts)
  keys <- c("experiment", "claim", "variant", place_columns)
  for (row in seq_len(nrow(moved))) {
    drift <- moved[row]
    rests <- function(side) {
      contrasts[[paste0(side, "_environment")]] %in% drift$environment &
        contrasts[[paste0(side, "_image_id")]] %in% drift$image_id
    }
    own <- unique(contrasts[
      used == TRUE & machine_id %in% drift$machine_id & (rests("numerator") | rests("denominator")), keys, with = FALSE
    ])
    verdicts[own, on = keys, caveat := paste0(caveat, fifelse(nzchar(caveat), "; ", ""), drift_words(drift))]
  }
  verdicts[]
}

#' `times of stage 2 are 2.1 % above those of stage 1 (d3)`.
drift_words <- function(row) {
  sprintf(
    "times of %s %s are %s %% %s those of %s %s (%s)", row$between, row$later,
    format_plain(100 * abs(row$drift - 1), 2), if (row$drift > 1) "above" else "below", row$between, row$first,
    row$drift_id
  )
}

#' A note for each marked drift.
drift_notes <- function(drifts) {
  moved <- drifts[marked == TRUE]
  words <- vapply(seq_len(nrow(moved)), function(row) drift_words(moved[row]), "")
  said <- "the machine moved while it was measured; ratios bear it, means don't"
  warnings_table(moved$environment, sprintf("%s: %s", words, said))
}
