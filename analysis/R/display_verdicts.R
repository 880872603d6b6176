# Verdicts as the report shows them: one place for the words, so that the first page and the studies' tables agree.

#' The place that the first page quotes: the first in order that has verdicts.
reference_place <- function(data) {
  seen <- unique(as.character(data$verdicts[order(as.integer(place))]$place))
  if (length(seen) == 0) "" else seen[1]
}

#' One verdict, ready for display.
show_verdict <- function(row) {
  shown <- format_interval(row$estimate, row$lower, row$upper)
  tested <- is.finite(row$estimate)
  list(
    id = row$verdict_id, verdict = row$verdict, letter = verdict_letter(row$verdict), reason = row$reason,
    covers = row$covers, contrast = row$contrast, estimate = if (tested) shown$estimate else "",
    interval = if (tested) shown$interval else "",
    p = format_p(row$p), p_holm = format_p(row$p_holm), place = as.character(row$place), protocol = row$protocol,
    forks = format_count(row$forks_min), contrasts = format_count(row$contrasts)
  )
}

#' The letters of a claim's verdicts in all places, in order; a place without a verdict is left out.
show_marks <- function(rows) {
  rows <- rows[order(as.integer(place))]
  Map(function(verdict, place) {
    list(letter = verdict_letter(verdict), verdict = verdict, place = place)
  }, rows$verdict, as.character(rows$place)) |> unname()
}

#' TRUE where a claim can't be tested anywhere in this run.
untestable <- function(rows) nrow(rows) == 0 || all(rows$verdict == "not testable here")

#' Whether the protocol makes the difference to a claim, in a sentence.
protocol_sentence <- function(rows, protocols) {
  rows <- rows[verdict != "not testable here"]
  if (nrow(rows) == 0 || length(protocols) < 2) return("")
  wide <- data.table::dcast(rows, place ~ protocol, value.var = "verdict", fill = "")
  both <- intersect(protocols, names(wide))
  if (length(both) < 2) return(sprintf("Judged under the protocol %s only.", both))
  first <- both[1]
  last <- both[length(both)]
  changed <- wide[wide[[first]] != wide[[last]] & wide[[first]] != "" & wide[[last]] != ""]
  if (nrow(changed) == 0 && all(rows$verdict == "inconclusive")) {
    return(sprintf("Inconclusive under either protocol in %s.", all_of(nrow(wide))))
  }
  if (nrow(changed) == 0) {
    return(sprintf("The protocol makes no difference to the verdict in %s.", all_of(nrow(wide))))
  }
  kinds <- changed[, .(places = format_list(place)), by = c(first, last)]
  said <- sprintf("%s %s, %s %s (%s)", first, kinds[[first]], last, kinds[[last]], kinds$places)
  opposite <- any(changed[[first]] %in% c("supported", "refuted") & changed[[last]] %in% c("supported", "refuted"))
  paste0(
    if (opposite) "The protocol makes the difference: " else "The protocols differ in how far they settle it: ",
    paste(said, collapse = "; "), "."
  )
}

all_of <- function(n) {
  if (n == 1) return("the one environment measured")
  if (n == 2) "both environments" else paste("all", n, "environments")
}
