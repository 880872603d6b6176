# How the calibration came out, in words: one place, so that the first page and the calibration's section agree.

#' The rows of a kind that have an interval.
calibration_rows <- function(data, which) data$calibration[kind == which & is.finite(lower) & is.finite(upper)]

#' `none of 6`, `1 of 6`.
count_of <- function(hits, all) {
  paste(if (hits == 0) "none" else format_count(hits), "of", format_count(all))
}

#' One sentence: how many twins were found different, and whether the planted effect was found.
calibration_sentence <- function(data) {
  twins <- calibration_rows(data, "A/A")
  planted <- calibration_rows(data, "planted effect")
  if (nrow(twins) + nrow(planted) == 0) return("This run has no calibration that could be judged.")
  said <- c(
    if (nrow(twins) > 0) paste(twins_words(twins), "found different (1 in 20 is expected to be)"),
    if (nrow(planted) > 0) planted_words(planted)
  )
  paste0("Calibration: ", paste(said, collapse = "; "), ".")
}

#' `none of 6 pairs that measure the same work twice are`; of one pair, whether it is.
twins_words <- function(twins) {
  hits <- sum(twins$different)
  if (nrow(twins) == 1) {
    return(paste0("the pair that measures the same work twice is", if (hits == 0) " not"))
  }
  sprintf(
    "%s pairs that measure the same work twice %s", count_of(hits, nrow(twins)), if (hits == 1) "is" else "are"
  )
}

#' `the planted effect of 5 % is found (1.048 [1.03, 1.07])`.
planted_words <- function(planted) {
  effect <- effect_words(planted$truth[1])
  found <- planted$different & planted$ratio > 1
  shown <- format_interval(planted$ratio, planted$lower, planted$upper)
  if (nrow(planted) == 1) {
    return(sprintf(
      "the planted effect of %s is %sfound (ratio %s %s)", effect, if (found) "" else "not ", shown$estimate,
      shown$interval
    ))
  }
  sprintf(
    "the planted effect of %s is found in %s of %s environments, and the interval holds it in %s", effect,
    format_count(sum(found)), format_count(nrow(planted)), format_count(sum(planted$covers_truth))
  )
}

#' A true ratio as the per cent of work that it adds: `5 %`.
effect_words <- function(truth) paste(plain_percent(100 * (truth - 1)), "%")

#' Per cent without the zeros that only rounding gave: `5`, `2.5`.
plain_percent <- function(x) sub("\\.0+$", "", format_percent(x))

#' What the halves of the experiments' cells say, in a sentence; empty where no cell has forks enough.
halves_sentence <- function(data) {
  halves <- calibration_rows(data, "halves of a cell")
  if (nrow(halves) == 0) return("")
  different <- sum(halves$different)
  sprintf(
    paste(
      "The experiments' own cells as A/A pairs: %s cells with %d forks or more, their forks dealt in turn to two",
      "halves, are found different from themselves: %s %%, with a one-sided 95 %% upper bound of %s %% if they were",
      "independent, which cells of one run are not quite. Five per cent are expected."
    ),
    count_of(different, nrow(halves)), 2L * verdict_forks, format_percent(100 * different / nrow(halves)),
    format_percent(100 * halves$upper_share[1])
  )
}

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
