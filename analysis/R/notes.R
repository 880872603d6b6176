# What the reader of the report must know about the data, as rows of notes.csv.

#' All notes.
#'
#' @return data.table: `level`, `where`, `message`
data_notes <- function(rounds, forks, cells, definitions, published, offers = data.table()) {
  notes <- rbindlist(list(
    several_notes(rounds, "image_id", "image ids", "they are kept apart as cells of their own"),
    several_notes(rounds, "machine_id", "machines", "comparisons are made within a machine"),
    machine_notes(rounds),
    several_notes(rounds, "jar_sha256", "benchmark jars", "their forks are pooled all the same"),
    several_notes(rounds, "tier", "tiers", "their forks are pooled"),
    left_out_notes(definitions),
    few_forks_notes(cells),
    width_notes(cells),
    steady_notes(forks),
    clock_notes(forks),
    offer_notes(offers),
    published_notes(definitions, published)
  ), use.names = TRUE, fill = TRUE)
  notes[, .(level, where, message)]
}

warnings_table <- function(where, message) {
  data.table(level = rep("warning", length(where)), where = where, message = message)
}

no_notes <- function() warnings_table(character(), character())

several_notes <- function(rounds, column, what, consequence) {
  found <- rounds[, .(n = uniqueN(get(column))), by = .(experiment, environment)][n > 1]
  warnings_table(
    sprintf("%s/%s", found$experiment, found$environment), sprintf("%d %s; %s", found$n, what, consequence)
  )
}

#' Machines other than the one with the most rounds of an experiment, and the environments measured on them.
machine_notes <- function(rounds) {
  names_of <- function(environment) some_of(sort(unique(environment), method = "radix"))
  counts <- rounds[, .(n = .N, places = names_of(environment)), by = .(experiment, machine_id)]
  counts <- counts[order(experiment, -n, machine_id)][, other := seq_len(.N) > 1, by = experiment][other == TRUE]
  warnings_table(
    sprintf("%s, machine %s", counts$experiment, counts$machine_id), sprintf(
      "%s measured on another machine than most rounds of this experiment; never pooled nor compared with theirs",
      counts$places
    )
  )
}

#' Cells that got no forks, or fewer than the tier's number, because the time limit was too short.
left_out_notes <- function(definitions) {
  rows <- rbindlist(definitions$left_out)
  if (nrow(rows) == 0) return(no_notes())
  text <- sprintf(
    "the %s minutes of measuring had no room for %d of %d cells%s",
    format_plain(definitions$settings$minutes), rows$none, rows$cells,
    fifelse(rows$fewer > 0, sprintf(", and %d have fewer forks than the tier gives them", rows$fewer), "")
  )
  warnings_table(sprintf("%s/%s", rows$experiment, rows$environment), text)
}

few_forks_notes <- function(cells) {
  few <- cells[measure == "wall" & forks < verdict_forks]
  if (nrow(few) == 0) return(no_notes())
  few <- few[, .(n = .N, least = min(forks)), by = .(experiment, environment)]
  text <- sprintf(
    "%s fewer than %d forks (the fewest %d), too few for a verdict",
    fifelse(few$n == 1, "1 cell has", paste(few$n, "cells have")), verdict_forks, few$least
  )
  warnings_table(sprintf("%s/%s", few$experiment, few$environment), text)
}

#' Cells that did not reach their wanted half-width within the tier's rounds.
width_notes <- function(cells) {
  if (!"reached" %in% names(cells)) return(no_notes())
  wide <- cells[measure == "wall" & !is.na(wanted_half_width_pct), .(
    n = .N, not = sum(reached == "no"), widest = max(half_width_pct[reached == "no"], -Inf)
  ), by = .(experiment, environment)][not > 0]
  text <- sprintf(
    "%d of %d cells did not reach their wanted half-width within the tier's rounds; the widest has %s %%", wide$not,
    wide$n, format_each(wide$widest)
  )
  warnings_table(sprintf("%s/%s", wide$experiment, wide$environment), text)
}

#' Numbers with two digits; `?` where a cell has no interval.
format_each <- function(values) fifelse(is.finite(values), vapply(values, format, "", digits = 2), "?")

steady_notes <- function(forks) {
  planned <- if ("planned" %in% names(forks)) forks$planned %in% TRUE else FALSE
  sought <- copy(forks)[, window := fifelse(
    planned, "the window that was planned is used",
    "the iterations after the recorded warm-up are used, or else the last half"
  )][steady != "not sought"]
  sought <- sought[, .(
    n = .N, none = sum(steady == "no steady state")
  ), by = .(experiment, environment, window)][none > 0]
  text <- sprintf("%d of %d forks reached no steady state; %s", sought$none, sought$n, sought$window)
  warnings_table(sprintf("%s/%s", sought$experiment, sought$environment), text)
}

clock_notes <- function(forks) {
  blind <- forks[is.na(cpu_ns_per_op) | cpu_ns_per_op <= 0, .(n = .N), by = .(experiment, environment)]
  warnings_table(sprintf("%s/%s", blind$experiment, blind$environment), sprintf("%d forks have no CPU time", blind$n))
}

#' Claims that the study's numbers contradict: these numbers do not satisfy the claim as it is encoded.
published_notes <- function(definitions, published) {
  found <- claims_table(definitions, published)[nzchar(own_verdict) & own_verdict != "holds"]
  text <- sprintf(
    "the study's own %s gives %s for %s, the claim wants %s", fifelse(found$own_said == "table", "table", "text"),
    found$own, found$quantity, found$target
  )
  warnings_table(paste(found$experiment, found$part), text)
}

# What the reader must know about forks that were disturbed.

#' Number of forks that the gates made invalid, by cause; of forks run again; and of results that a round lost for
#' good.
#'
#' @param forks the table `forks.csv`, invalid forks too
#' @return data.table: `level`, `where`, `message`
interference_notes <- function(forks, words) {
  attempts <- forks[, .(alive = any(valid)), by = .(experiment, environment, image_id, round, cell)]
  lost <- attempts[, .(lost = sum(!alive)), by = .(experiment, environment)]
  counts <- forks[, .(
    first = sum(is.na(rerun_of)), invalid = sum(!valid & is.na(rerun_of)), again = sum(!is.na(rerun_of)),
    causes = invalid_cause_words(words, invalid_cause[!valid & is.na(rerun_of)])
  ), by = .(experiment, environment)]
  found <- lost[counts, on = c("experiment", "environment")][invalid > 0]
  text <- sprintf(
    paste(
      "%d of %d forks were disturbed (%s) and decide nothing;",
      "%d were run again, and %d have no undisturbed fork in their round"
    ), found$invalid, found$first, found$causes, found$again, found$lost
  )
  warnings_table(sprintf("%s/%s", found$experiment, found$environment), text)
}

#' Causes with their counts, the most frequent first: `3 by other machines, 1 by a slower CPU`. A fork with two causes
#' counts for both.
invalid_cause_words <- function(words, causes) {
  single <- unlist(strsplit(causes, ";", fixed = TRUE))
  if (length(single) == 0) return("")
  counts <- data.table(cause = level_words(words, "gate", single))[, .N, by = cause][order(-N, cause)]
  paste(format_count(counts$N), counts$cause, collapse = ", ")
}

# What the reader must know about providers that lack an algorithm, or disagree about its result.

#' Notes on cells that were not timed, a row per provider and environment. Some have a wrong result, or one that
#' differs from the other providers'. The message quotes the reason for the first of these. Other notes give the number
#' of cells that a provider does not offer.
#'
#' @return data.table: `level`, `where`, `message`
offer_notes <- function(offers) {
  if (nrow(offers) == 0) return(no_notes())
  cells <- unique(offers, by = c("experiment", "environment", "cell"))
  by <- c("experiment", "environment", "provider")
  all <- cells[, .(planned = .N, lacking = sum(offered == "no")), by = by][lacking > 0]
  lacking <- warnings_table(
    sprintf("%s/%s", all$experiment, all$environment),
    sprintf("%s does not offer %d of the %d cells planned; they are not timed", all$provider, all$lacking, all$planned)
  )
  bad <- cells[offered %in% c("wrong", "differs")]
  bad <- bad[, .(n = .N, cells = some_of(sort(cell, method = "radix")), first = why[order(cell)[1]]), by = by]
  disagreeing <- warnings_table(
    sprintf("%s/%s", bad$experiment, bad$environment), sprintf(
      "%s: %d cell%s not timed, because the result is wrong or not that of the other providers (%s): %s",
      bad$provider, bad$n, fifelse(bad$n == 1, "", "s"), bad$cells, bad$first
    )
  )
  rbind(disagreeing, lacking)
}
