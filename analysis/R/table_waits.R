# How long a program waits until what it calls is compiled, as pilots tell: forks that nothing has warmed up.

waits_shown <- 20

wait_row <- function(data, row) {
  over <- !is.finite(row$wait_s)
  list(
    experiment = row$experiment, place = where_words(data, row$place, row$cpu_profile), cell = as.character(row$label),
    calls = paste0(if (over) "over ", format_count(if (over) row$operations else row$wait_calls)),
    seconds = paste0(if (over) "over ", if (over) format_count(row$at_least_s) else format_significant(row$wait_s, 2)),
    first = format_time(row$first_ns), last = format_time(row$mean_ns)
  )
}

#' What the pilots say together, or how to have some.
wait_sentence <- function(pilots) {
  if (nrow(pilots) == 0) {
    return(paste(
      "No cell of this run has a pilot, so that the record of what was compiled alone decides whether its times are",
      "settled. make pilots, with the run's TIER=, measures them: once for each image, jar and set of flags."
    ))
  }
  waited <- pilots[is.finite(wait_s)]
  sprintf(
    "Of %s, %d had all that it runs compiled after more than a second, %d after more than ten, and %d not at its end.",
    format_plural(nrow(pilots), "pilot"), sum(waited$wait_s > 1), sum(waited$wait_s > 10), nrow(pilots) - nrow(waited)
  )
}

#' What is said of pilots beyond those of the table.
others_sentence <- function(others) {
  if (nrow(others) == 0) return("")
  open <- sum(!is.finite(others$wait_s))
  sprintf(
    "Of %s %d had all compiled sooner%s.", format_plural(nrow(others), "further pilot"), nrow(others) - open,
    if (open > 0) sprintf(", and %d not at the end, after as many seconds as the table's last or fewer", open) else ""
  )
}

#' The pilots that waited longest, as far as is known: where not all was compiled in a pilot, that is its whole length.
table_waits <- function(data) {
  pilots <- data$pilots[kind == "pilot"]
  # A pilot's iterations last a second each.
  pilots[, at_least_s := fifelse(is.finite(wait_s), wait_s, as.numeric(iterations))]
  pilots <- pilots[order(-at_least_s, as.integer(place), label)]
  list(
    sentence = wait_sentence(pilots),
    rows = lapply(seq_len(min(nrow(pilots), waits_shown)), function(i) wait_row(data, pilots[i])),
    others = others_sentence(tail(pilots, -waits_shown))
  )
}
