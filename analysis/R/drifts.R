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
#' @param forks the table `forks.csv`, of forks that count
#' @param rounds the table `rounds.csv`: `machine_id`, `started_at` and `finished_at` (UTC, ISO 8601) among others
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
  if (nrow(rows) == 0) return(as.data.table(sapply(drift_columns, function(column) character())))
  setorder(rows, environment, image_id, machine_id, -between, later)
  rows[, drift_id := sprintf("d%d", .I)]
  rows[, drift_columns, with = FALSE]
}

#' Rounds with the number of their session on their machine.
sittings <- function(rounds) {
  seconds <- function(text) as.numeric(as.POSIXct(text, "UTC", format = "%Y-%m-%dT%H:%M:%OS"))
  found <- copy(rounds)[, `:=`(from = seconds(started_at), to = seconds(finished_at))][order(machine_id, from)]
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
#' @param verdicts the table `verdicts.csv`
#' @param contrasts `open$contrasts` of `judge_claims`, in the strata of their verdicts
#' @param drifts of `drift_table`
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
