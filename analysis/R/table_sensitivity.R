# Which verdicts would change if the data were taken in another way, and how much of the data that touches.

analysis_words <- c(
  "all forks" = "with the forks that a gate broke, and without their reruns",
  "without iterations hit by a pause" = "without the iterations that a pause of the JVM hit",
  "bootstrap-t" = "with bootstrap-t intervals, not paired by rounds",
  "settled or not" = "as if all times were settled, proved or not"
)

#' A verdict that would change, with both numbers. Where gates left no fork of a place, the report's own is that the
#' claim is not testable there.
changed_row <- function(data, row) {
  own <- data$verdicts[verdict_id == row$verdict_id & place %in% row$place][1]
  if (is.na(own$verdict)) own[, verdict := "not testable here"]
  shown <- format_interval(c(own$estimate, row$estimate), c(own$lower, row$lower), c(own$upper, row$upper))
  few <- is.finite(row$forks_min) && row$forks_min < verdict_forks
  why <- if (row$analysis == "settled or not") {
    "if its times were settled"
  } else if (row$verdict %in% unjudged_kinds || few) {
    "too few forks are left"
  } else if (opposite_verdicts(own$verdict, row$verdict)) {
    "the opposite"
  } else {
    if (row$verdict == "undecided") "less sure" else "surer"
  }
  list(
    id = row$verdict_id, claim = row$claim, variant = variant_words(data, row$experiment, row$variant),
    place = where_words(data, row$place, row$cpu_profile), protocol = row$protocol, verdict = own$verdict,
    letter = verdict_letter(own$verdict), estimate = paste(shown$estimate[1], shown$interval[1]),
    other = row$verdict, other_letter = verdict_letter(row$verdict),
    other_estimate = paste(shown$estimate[2], shown$interval[2]), why = why
  )
}

#' One analysis: how many verdicts it has, and those that differ.
analysis_entry <- function(data, name) {
  rows <- data$sensitivity[analysis == name]
  changed <- rows[changes %in% TRUE]
  list(
    title = paste("Judged again", analysis_words[[name]]), judged = format_count(nrow(rows)),
    summary = if (nrow(changed) == 0) {
      sprintf("None of %s would change.", format_plural(nrow(rows), "verdict"))
    } else {
      sprintf("%s verdicts would change.", count_of(nrow(changed), nrow(rows)))
    },
    rows = lapply(seq_len(nrow(changed)), function(i) changed_row(data, changed[i]))
  )
}

#' What pauses hit and gates broke, per environment and protocol.
hit_rows <- function(data) {
  forks <- data$forks[, .(
    forks = .N, broken = sum(valid %in% FALSE), reruns = sum(is.finite(rerun_of)),
    iterations = sum(measured_iterations, na.rm = TRUE), paused = sum(iterations_paused, na.rm = TRUE),
    blind = sum(iterations_paused == measured_iterations, na.rm = TRUE)
  ), by = .(experiment, place, protocol)]
  forks <- forks[order(match(experiment, names(data$experiments)), as.integer(place), protocol)]
  lapply(seq_len(nrow(forks)), function(i) {
    row <- forks[i]
    list(
      experiment = row$experiment, place = as.character(row$place), protocol = row$protocol,
      forks = format_count(row$forks), broken = format_count(row$broken), reruns = format_count(row$reruns),
      iterations = format_count(row$iterations), paused = format_count(row$paused),
      share = if (row$iterations > 0) format_percent(100 * row$paused / row$iterations) else dash,
      blind = format_count(row$blind)
    )
  })
}

table_sensitivity <- function(data) {
  list(
    analyses = lapply(intersect(names(analysis_words), data$sensitivity$analysis), function(name) {
      analysis_entry(data, name)
    }),
    gates = gate_sentence(data), hit = hit_rows(data)
  )
}
