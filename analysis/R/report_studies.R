# A page for each study: its conclusion, and a row for each claim with the comparison that decides it. It also names
# the substitutes for what the study used.

#' The range of a claim's target in words; `the same order` where it has none.
wanted_words <- function(data, row) {
  if (row$form %in% c("same-order", "order", "kept-order", "another-order")) return("the order")
  decisive <- data$contrasts[contrast == row$contrast][1]
  if (is.na(decisive$contrast)) return("")
  format_target(decisive$target_lower, decisive$target_upper)
}

# Maximum length of the text on what a verdict covers. A longer one appears only in verdicts.csv.
most_cover_letters <- 90L

#' The row of a claim in its study's table: the comparison that decides it, with its operation, size and place, its
#' range and its id. Its verdict is that of the claim, or one of those that differ by case.
#'
#' @param rows the verdicts of one part of a claim
deciding_row <- function(data, rows, protocols) {
  rank <- match(base_protocol(rows$protocol), protocols, nomatch = 0L)
  # Compiled code comes first if it is decided. If nothing is decided, the study's way of measuring comes first.
  rows <- rows[order(!is_decided(verdict), fifelse(is_decided(verdict), -rank, rank), as.integer(place))]
  same <- rows[base_protocol(protocol) == base_protocol(rows$protocol[1])]
  # If the cases have several verdicts, one against the claim.
  common <- rolled_up(same)
  own <- same[order(
    shown_verdict(verdict) != common, !is_decided(verdict), match(shown_verdict(verdict), against_first, nomatch = 9L)
  )][1]
  list(
    part = own$claim, id = own$verdict_id, contrast = own$contrast, verdict = own$verdict,
    letter = verdict_letter(own$verdict), said = row_sentence(data, own), estimate = number_words(own),
    wanted = wanted_words(data, own), p = format_p(own$p_holm), why = own$cause,
    covers = if (nchar(own$covers) <= most_cover_letters) own$covers else ""
  )
}

#' The substitutes for what a study used, in at most four lines; the rest is counted.
substitute_lines <- function(systems, most = 4L) {
  systems <- systems[available != "yes"]
  if (nrow(systems) == 0) return(list())
  gone <- systems[order(match(available, c("stand-in", "no", "other version")))]
  lines <- gone[, paste0(
    system, ifelse(nzchar(version), paste0(" ", version), ""), ": ",
    ifelse(nzchar(ours), ours, "nothing stands in for it")
  )]
  shown <- lines[seq_len(min(most, length(lines)))]
  if (length(lines) > most) {
    shown[most] <- sprintf("%s. %s", shown[most], format_plural(length(lines) - most, "more departure"))
  }
  as.list(shown)
}

# Maximum number of a study's departures in the report. The others are in departures.csv.
most_departures <- 3L

#' Departures of the rerun from the study, with their likely effect. There are at most three rows, and the number of
#' the others.
departure_rows <- function(data, ids, most = most_departures) {
  rows <- departures_table(list(experiments = unname(data$experiments[ids])))
  shown <- rows[seq_len(min(most, .N)), .(then, here, effect)]
  list(rows = lapply(seq_len(nrow(shown)), function(i) as.list(shown[i])), more = nrow(rows) - nrow(shown))
}

#' A sentence for each claim whose number in the study's text and that of its table contradict each other.
own_table_sentences <- function(data, ids) {
  said <- unlist(lapply(ids, function(id) {
    claims <- data$experiments[[id]]$claims
    vapply(names(claims), function(name) {
      text <- describe_own_table(published_figures(data, id, name), claims[[name]])
      if (nzchar(text)) paste0(name, ": ", text) else ""
    }, "")
  }))
  as.list(unname(said[nzchar(said %||% "")]))
}

#' The number of a study's rounds and the places where they were measured, in a sentence.
measured_on <- function(data, ids) {
  rounds <- data$rounds[experiment %in% ids]
  if (nrow(rounds) == 0) return("Nothing of this study was measured in this run.")
  places <- unique(as.character(rounds[order(as.integer(place))]$place))
  sprintf("Measured in %s: %s.", format_plural(nrow(rounds), "round"), format_some(places, 3))
}

study_entry <- function(data, id, ids, rows, quoted) {
  source <- data$experiments[[ids[1]]]$study
  protocols <- shown_protocols(data)
  verdicts <- data$verdicts[experiment %in% ids & !shown_verdict(verdict) %in% "not testable"]
  parts <- claim_parts(data)[study == id]
  verdicts <- verdicts[order(match(claim, parts$part))]
  details <- lapply(unname(split(verdicts, by = "claim", sorted = FALSE)), function(own) {
    deciding_row(data, own, protocols)
  })
  list(
    id = id, name = study_name(data, id), cite = cite_words(source), then = trimws(source$then %||% ""),
    conclusion = study_sentence(data, id, rows, quoted)$tally, measured = measured_on(data, ids), details = details,
    caveats = as.list(head(setdiff(unique(verdicts$caveat), c("", NA)), 2)),
    own_tables = own_table_sentences(data, ids), departures = departure_rows(data, ids),
    # Departures already name the substitutes for a system.
    substitutes = if (length(departure_rows(data, ids)$rows) == 0) substitute_lines(data$layout$systems[study == id])
  )
}

table_studies <- function(data) {
  rows <- claim_rows(data)
  quoted <- quoted_verdicts(data)
  studies <- study_of(data, names(data$experiments))
  lapply(names(rows), function(id) {
    study_entry(data, id, names(data$experiments)[studies == id], rows[[id]], quoted)
  })
}

# Claims that are undecided, the reasons, and what a decision would need.

#' What each cause of an undecided verdict means for the reader.
cause_words <- c(
  disturbed = "Other programs disturbed every JVM run of a benchmark.",
  "warm-up unproven" = "The code is not proven to be compiled.",
  "too few forks" = "Too few JVM runs for a verdict.",
  "curve does not fit" = "No curve fits the times.",
  "lost to Holm" = "Significant alone, but not after Holm's correction over its study and protocol.",
  "too close to call" = "The number is too close to the limit of the claim's range.",
  "too wide" = "The interval crosses the limit of the claim's range.",
  "not comparable" = "The study gives no number, or our conditions differ where it matters.",
  "impossible" = "Nobody can test it here.", "unmeasured" = "Not measured in this run."
)

#' Seconds that one fork of each cell takes: a data.table of the cell's keys and `fork_s`.
fork_seconds <- function(data) {
  keys <- c("experiment", "environment", "protocol", "cell")
  if (!"elapsed_ms" %in% names(data$forks)) return(data.table())
  data$forks[is.finite(elapsed_ms), .(fork_s = mean(elapsed_ms) / 1e3), by = keys]
}

#' Minutes until verdicts have the forks that each needs. NA if the time of a fork is unknown.
minutes_needed <- function(data, rows, seconds) {
  if (nrow(seconds) == 0) return(NA_real_)
  cells <- rbindlist(lapply(seq_len(nrow(rows)), function(i) {
    row <- rows[i]
    own <- data$contrasts[
      experiment == row$experiment & claim == row$claim & variant %in% row$variant & environment %in% row$environment &
        protocol == row$protocol & (!nzchar(row$cpu_profile) | cpu_profile %in% row$cpu_profile)
    ]
    rbind(
      own[, .(experiment, environment = numerator_environment, protocol, cell = numerator_cell)],
      own[, .(experiment, environment = denominator_environment, protocol, cell = denominator_cell)]
    )[nzchar(cell)][, more := ceiling(row$forks_needed) - row$forks_min]
  }))
  cells <- cells[, .(more = max(more, 0)), by = .(experiment, environment, protocol, cell)]
  fork_s <- seconds[cells, on = c("experiment", "environment", "protocol", "cell")]$fork_s
  if (length(fork_s) == 0 || anyNA(fork_s)) return(NA_real_)
  sum(cells$more * fork_s) / 60
}

#' The undecided verdicts that need the fewest forks until half of all judged verdicts are decided (`common_verdict`).
#'
#' @param needed forks per cell that decide each; Inf if more forks don't help
#' @return their positions; NA in place of each one that is lacking
cheapest_half <- function(verdicts, needed) {
  more <- ceiling(sum(!verdicts %in% unjudged_kinds) / 2) - sum(verdicts %in% decided_kinds)
  undecided <- which(verdicts == "undecided")
  undecided[order(needed[undecided])][seq_len(max(more, 0))]
}

#' The verdicts of a part of a claim that decide it once they have their `forks_needed`: those that need the fewest.
#'
#' @param rows the part's verdicts under one protocol, undecided as a whole (`rolled_up`)
#'
#' @return some of `rows`; none if more forks don't decide the part
rows_to_decide <- function(rows) {
  of_variants <- lapply(split(rows, by = "variant"), function(own) {
    own[cheapest_half(verdict, fcoalesce(forks_needed, Inf))]
  })
  verdicts <- vapply(split(rows, by = "variant"), function(own) common_verdict(own$verdict), "")
  needed <- vapply(of_variants, function(own) max(fcoalesce(own$forks_needed, Inf), 0), 0)
  chosen <- cheapest_half(verdicts, needed)
  if (length(chosen) == 0 || anyNA(chosen) || any(is.infinite(needed[chosen]))) return(rows[0])
  rbindlist(of_variants[chosen])
}

#' `40 JVM runs per benchmark, about 12 min`. More than 1,000 runs are not feasible.
takes_words <- function(forks, minutes) {
  if (!is.finite(forks)) return("")
  if (forks > 1000) return("more than 1,000 JVM runs per benchmark: not feasible")
  paste0(
    format_count(ceiling(forks)), " JVM runs per benchmark",
    if (is.finite(minutes)) sprintf(", about %s more minutes", format_significant(max(minutes, 1), 2))
  )
}

#' The cost of a claim that was not measured, by this tier's plan: in the cheapest of its `experiments`.
plan_words <- function(data, experiments, part) {
  minutes <- suppressWarnings(min(data$claim_minutes[experiment %in% experiments & claim == part]$minutes))
  if (!is.finite(minutes)) return("")
  sprintf("about %s of measuring in this tier", format_plural(ceiling(minutes), "minute"))
}

#' The parts of claims that have a decided verdict under some protocol: `study`, `part`.
decided_parts <- function(data) {
  verdicts <- data$verdicts[, .(
    study = study_of(data, experiment), part = claim, base = base_protocol(protocol), variant, verdict
  )]
  verdicts[, .(decided = is_decided(rolled_up(.SD))), by = .(study, part, base)][(decided), .(study, part)]
}

#' What a decision of a part takes, in words: more JVM runs, longer ones, or more benchmarks. Empty if nothing helps.
#'
#' @param cause that of most of its undecided verdicts
#' @param of_calls whether its claims compare single calls
decision_words <- function(data, rows, cause, of_calls, seconds) {
  # The interval for single calls is over benchmarks.
  if (of_calls && cause %in% c("too wide", "lost to Holm")) return("more benchmarks, not more JVM runs")
  ways <- lapply(split(rows, base_protocol(rows$protocol)), rows_to_decide)
  forks <- vapply(ways, function(rows) if (nrow(rows) > 0) max(rows$forks_needed) else Inf, 0)
  least <- which.min(forks)
  takes <- takes_words(forks[[least]], minutes_needed(data, ways[[least]], seconds))
  if (!nzchar(takes) && cause == "warm-up unproven") "longer JVM runs, not more of them" else takes
}

#' The claims without a decided verdict in any experiment of their study, each with its reason: one row per part.
open_claims <- function(data) {
  parts <- claim_parts(data)[!unique(decided_parts(data)), on = c("study", "part")]
  seconds <- fork_seconds(data)
  rbindlist(lapply(split(parts, by = c("study", "part")), function(part) {
    rows <- data$verdicts[experiment %in% part$experiment & claim == part$part[1]]
    claims <- lapply(data$experiments[part$experiment], function(experiment) experiment$claims[[part$part[1]]])
    found <- function(own, kind, reason = "", takes = "") {
      ids <- paste(own$verdict_id, collapse = " ")
      data.table(part[1], kind = kind, reason = sub("\\. Here: .*", "", reason), takes = takes, ids = ids)
    }
    open <- rows[shown_verdict(verdict) == "undecided"]
    if (nrow(open) > 0) {
      cause <- names(sort(table(open$cause), decreasing = TRUE))[1]
      of_calls <- all(vapply(claims, function(claim) identical(claim$decision$compares, "calls"), NA))
      return(found(open, cause, takes = decision_words(data, rows, cause, of_calls, seconds)))
    }
    incomparable <- rows[shown_verdict(verdict) == "not comparable"]
    if (nrow(incomparable) > 0) return(found(incomparable, "not comparable", incomparable$reason[1]))
    never <- vapply(claims, function(claim) identical(claim$form, "not-testable") || isFALSE(claim$decision$judged), NA)
    reason <- c(rows$reason[nzchar(rows$reason)], "no benchmark that it needs was measured")[1]
    if (all(never)) return(found(rows, "impossible", claims[[1]]$reason %||% reason))
    found(rows, "unmeasured", reason, plan_words(data, part$experiment, part$part[1]))
  }))
}

#' Undecided and unmeasured claims, grouped by cause, with what they need.
table_open <- function(data) {
  open <- open_claims(data)
  if (nrow(open) == 0) return(list(groups = list(), left_out = left_out_words(data)))
  open <- open[order(match(kind, names(cause_words)))]
  groups <- lapply(unname(split(open, by = "kind", sorted = FALSE)), function(own) {
    items <- own[, .(
      claims = paste(part, collapse = ", "), text = if (.N == 1) text[1] else ""
    ), by = .(study, reason, takes)]
    list(
      kind = own$kind[1], cause = unname(cause_words[own$kind[1]] %|% own$kind[1]),
      count = format_plural(nrow(own), "claim"),
      rows = lapply(seq_len(nrow(items)), function(i) c(as.list(items[i]), name = study_name(data, items$study[i])))
    )
  })
  list(groups = groups, left_out = left_out_words(data))
}

#' How many benchmarks were left out because the time limit was too short, in a sentence. Empty if there are none.
left_out_words <- function(data) {
  rows <- rbindlist(data$left_out, fill = TRUE)
  if (nrow(rows) == 0 || sum(rows$none) == 0) return("")
  sprintf(
    "The %s minutes of measuring had no room for %s of %s benchmarks.", format_plain(data$settings$minutes),
    format_count(sum(rows$none)), format_count(sum(rows$cells))
  )
}
