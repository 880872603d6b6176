# How long a program waits until what it calls is compiled, as pilots tell: forks that nothing has warmed up.

waits_shown <- 20

wait_row <- function(data, row) {
  over <- !is.finite(row$wait_s)
  list(
    experiment = row$experiment, place = where_words(data, row$place, row$cpu_profile), cell = as.character(row$label),
    calls = paste0(if (over) "over ", format_count(if (over) row$operations else row$wait_calls)),
    seconds = paste0(if (over) "over ", if (over) format_count(row$iterations) else format_significant(row$wait_s, 2)),
    first = format_time(row$first_ns), last = format_time(row$mean_ns)
  )
}

#' What the pilots say together, or how to have some.
wait_sentence <- function(pilots) {
  if (nrow(pilots) == 0) {
    return(paste(
      "No cell of this run has a pilot, so that the record of what was compiled alone decides whether its times are",
      "settled. make pilots TIER= measures them, once for each image, jar and set of flags."
    ))
  }
  waited <- pilots[is.finite(wait_s)]
  sprintf(
    "Of %s, %d had all that it runs compiled after more than a second, %d after more than ten, and %d not at its end.",
    format_plural(nrow(pilots), "pilot"), sum(waited$wait_s > 1), sum(waited$wait_s > 10), nrow(pilots) - nrow(waited)
  )
}

table_waits <- function(data) {
  pilots <- data$pilots[kind == "pilot"]
  longest <- pilots[order(is.finite(wait_s), -wait_s, as.integer(place), label)][seq_len(min(.N, waits_shown))]
  list(
    sentence = wait_sentence(pilots), rows = lapply(seq_len(nrow(longest)), function(i) wait_row(data, longest[i])),
    left = max(0, nrow(pilots) - waits_shown)
  )
}
