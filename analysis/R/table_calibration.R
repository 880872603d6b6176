# The run's test of itself: pairs of which the truth is known, and what came out.

calibration_row <- function(data, row) {
  shown <- format_interval(row$ratio, row$lower, row$upper)
  planted <- row$truth != 1
  told <- if (is.finite(row$lower)) outcome_of(row, planted) else list(words = "no interval", right = TRUE)
  list(
    id = row$calibration_id, kind = if (planted) paste("planted", effect_words(row$truth)) else row$kind,
    place = where_words(data, row$place, row$cpu_profile), workload = paste0(row$workload, ", ", row$provider),
    forks = format_count(row$forks_min), truth = format_fixed(row$truth, 2), estimate = shown$estimate,
    interval = shown$interval, outcome = told$words, right = told$right
  )
}

#' What came out of a pair, and whether it is what should.
outcome_of <- function(row, planted) {
  if (!planted) return(list(words = if (row$different) "different" else "alike", right = !row$different))
  found <- row$different && row$ratio > 1
  words <- c(
    if (found) "found" else "not found",
    if (row$covers_truth) "the interval holds the truth" else "the interval misses the truth"
  )
  list(words = paste(words, collapse = ", "), right = found && row$covers_truth)
}

#' How far times moved since a run's first stage or sitting, in a place.
drift_row <- function(data, row) {
  shown <- format_interval(row$drift, row$lower, row$upper)
  list(
    id = row$drift_id, place = as.character(row$place),
    of = sprintf("%s %d over %s %d", row$between, row$later, row$between, row$first),
    cells = format_count(row$cells), estimate = shown$estimate, interval = shown$interval, marked = isTRUE(row$marked)
  )
}

table_calibration <- function(data) {
  own <- data$calibration[kind != "halves of a cell"]
  own <- own[order(as.integer(place), kind, workload)]
  few <- nrow(own) > 0 && min(own$forks_min) < verdict_forks
  list(
    rows = lapply(seq_len(nrow(own)), function(i) calibration_row(data, own[i])), sentence = calibration_sentence(data),
    halves = halves_sentence(data),
    drifts = lapply(seq_len(nrow(data$drifts)), function(i) drift_row(data, data$drifts[i])),
    few = if (few) sprintf("Fewer than %d forks a cell: too few to judge anything by.", verdict_forks) else ""
  )
}
