# Verdicts as the report shows them: one place for the words, so that the first page and the studies' tables agree.

#' The place that the first page quotes: the first in order that has verdicts of its own.
reference_place <- function(data) {
  seen <- unique(as.character(data$verdicts[!is.na(place)][order(is_shared(environment), as.integer(place))]$place))
  if (length(seen) == 0) "" else seen[1]
}

#' The CPU profile that the first page quotes: native, where it was measured.
reference_profile <- function(data) c(names(data$profiles), "")[1]

#' One verdict, ready for display.
show_verdict <- function(data, row) {
  shown <- format_interval(row$estimate, row$lower, row$upper)
  tested <- is.finite(row$estimate)
  list(
    id = row$verdict_id, verdict = row$verdict, letter = verdict_letter(row$verdict), reason = row$reason,
    covers = row$covers, caveat = row$caveat, contrast = row$contrast, estimate = if (tested) shown$estimate else "",
    interval = if (tested) shown$interval else "",
    p = format_p(row$p), p_holm = format_p(row$p_holm), place = where_words(data, row$place, row$cpu_profile),
    protocol = row$protocol, forks = format_count(row$forks_min), contrasts = format_count(row$contrasts)
  )
}

# More marks than this beside each other are counted instead.
most_marks <- 8L

#' The letters of a claim's verdicts in all places, in order, one line per CPU profile; a place without a verdict is
#' left out. Where there are many places, how many have which verdict.
show_marks <- function(data, rows) {
  rows <- rows[order(match(cpu_profile, names(data$profiles)), as.integer(place))]
  lapply(split(rows, by = "cpu_profile", sorted = FALSE), function(part) {
    counted <- nrow(part) > most_marks
    profile <- part$cpu_profile[1]
    if (counted) part <- part[, .(count = .N), by = verdict][order(match(verdict, verdict_order))]
    list(
      profile = if (length(data$profiles) > 1) profile else "",
      marks = lapply(seq_len(nrow(part)), function(i) {
        list(
          letter = verdict_letter(part$verdict[i]), verdict = part$verdict[i],
          count = if (counted) format_count(part$count[i]) else ""
        )
      })
    )
  }) |> unname()
}

verdict_order <- c("supported", "refuted", "inconclusive", "not testable here")

#' TRUE where a claim can't be tested anywhere in this run.
untestable <- function(rows) nrow(rows) == 0 || all(rows$verdict == "not testable here")

#' Whether the protocol makes the difference to a claim, in a sentence.
protocol_sentence <- function(data, rows, protocols) {
  rows <- rows[verdict != "not testable here"]
  if (nrow(rows) == 0 || length(protocols) < 2) return("")
  rows <- data.table::copy(rows)[, where := where_words(data, place, cpu_profile)]
  rows[, where := factor(where, levels = unique(where[order(as.integer(place))]))]
  wide <- data.table::dcast(rows, where ~ protocol, value.var = "verdict", fill = "")
  both <- intersect(protocols, names(wide))
  if (length(both) < 2) return(sprintf("Judged under the protocol %s only.", both))
  first <- both[1]
  last <- both[length(both)]
  changed <- wide[wide[[first]] != wide[[last]] & wide[[first]] != "" & wide[[last]] != ""]
  everywhere <- all_of(nrow(wide), data.table::uniqueN(rows$cpu_profile) > 1)
  if (nrow(changed) == 0 && all(rows$verdict == "inconclusive")) {
    return(sprintf("Inconclusive under either protocol in %s.", everywhere))
  }
  if (nrow(changed) == 0) return(sprintf("The protocol makes no difference to the verdict in %s.", everywhere))
  kinds <- changed[, .(places = format_some(where)), by = c(first, last)]
  said <- sprintf("%s %s, %s %s (%s)", first, kinds[[first]], last, kinds[[last]], kinds$places)
  opposite <- any(changed[[first]] %in% c("supported", "refuted") & changed[[last]] %in% c("supported", "refuted"))
  paste0(
    if (opposite) "The protocol makes the difference: " else "The protocols differ in how far they settle it: ",
    paste(said, collapse = "; "), "."
  )
}

all_of <- function(n, profiles) {
  if (n == 1) return("the one environment measured")
  if (profiles) return(paste("all", n, "combinations of environment and CPU profile"))
  if (n == 2) "both environments" else paste("all", n, "environments")
}
