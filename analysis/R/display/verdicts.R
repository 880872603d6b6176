# Verdicts as the report shows them: one place for the words, so that the first page and the studies' tables agree.

#' The place that the first page quotes: the first in order that has verdicts of its own.
reference_place <- function(data) {
  seen <- unique(as.character(data$verdicts[!is.na(place)][order(is_shared(environment), as.integer(place))]$place))
  if (length(seen) == 0) "" else seen[1]
}

#' The CPU profile that the first page quotes: native, where it was measured.
reference_profile <- function(data) c(names(data$profiles), "")[1]

#' The verdict that the first page quotes from those of a claim's variant under a protocol: the reference environment's,
#' or the first in order where it has none.
quoted_verdict <- function(data, rows) {
  quoted_profile <- c(reference_profile(data), "")
  rows[order(!cpu_profile %in% quoted_profile, !place %in% reference_place(data), as.integer(place))][1]
}

#' Every verdict that the first page prints, which is what its counts count: of each claim that could be tested, one for
#' each variant and protocol.
quoted_verdicts <- function(data) {
  rows <- data$verdicts[nzchar(protocol)]
  rows <- rows[, tested := any(verdict != "not testable here"), by = .(experiment, claim)][tested == TRUE]
  quoted <- lapply(split(rows, by = c("experiment", "claim", "variant", "protocol")), function(own) {
    quoted_verdict(data, own)
  })
  rbindlist(c(list(rows[0]), quoted))
}

#' What tells a study: several experiments may rerun one, and judge its claims between them.
study_of <- function(data, ids) {
  vapply(data$experiments[ids], function(one) paste(one$study$authors, one$study$year), "", USE.NAMES = FALSE)
}

#' The claims of the run's experiments, each once in a study: data.table `study`, `claim`, and `judged`, whether any
#' experiment has a verdict on it.
study_claims <- function(data) {
  named <- lapply(names(data$experiments), function(id) {
    data.table(experiment = id, study = study_of(data, id), claim = names(data$experiments[[id]]$claims))
  })
  blank <- data.table(experiment = character(), study = character(), claim = character())
  claims <- rbindlist(c(list(blank), named))
  tested <- data$verdicts[verdict != "not testable here", paste(experiment, claim)]
  claims[, .(judged = any(paste(experiment, claim) %in% tested)), by = .(study, claim)]
}

#' One verdict, ready for display. What did not vary at all between forks has no interval and no p value.
show_verdict <- function(data, row) {
  shown <- format_interval(row$estimate, row$lower, row$upper)
  if (isTRUE(row$lower == row$upper)) {
    shown$interval <- "(the same in every fork)"
    row <- copy(row)[, c("p", "p_holm") := NA_real_]
  }
  tested <- is.finite(row$estimate)
  list(
    id = row$verdict_id, verdict = row$verdict, letter = verdict_letter(row$verdict), reason = row$reason,
    covers = row$covers, caveat = trimws(paste(row$caveat, unsettled_note(row))), contrast = row$contrast,
    estimate = if (tested) shown$estimate else "", interval = if (tested) shown$interval else "",
    p = format_p(row$p), p_holm = format_p(row$p_holm), place = where_words(data, row$place, row$cpu_profile),
    protocol = row$protocol, forks = format_count(row$forks_min), contrasts = format_count(row$contrasts)
  )
}

#' TRUE where a claim's contrasts are exponents of growth, and no ratios.
is_exponent <- function(data, id, claim_id) identical(data$experiments[[id]]$claims[[claim_id]]$form, "linear")

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
