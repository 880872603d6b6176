# What a comparison says to people: a note for each row, lines for the terminal, and the status that a build goes by.

#' Statuses of compare.R, and what the last line calls them. 2 is bad input, as of every script.
comparison_statuses <- c("nothing slower" = 0L, slower = 1L, undecided = 3L)

#' The outcome of a comparison: `slower` where anything is, `undecided` where something has no verdict.
comparison_outcome <- function(rows) {
  if (any(rows$verdict == "slower")) return("slower")
  if (any(rows$verdict %in% c("inconclusive", "too few forks"))) "undecided" else "nothing slower"
}

comparison_notes <- function(rows, least) {
  side <- function(name) {
    forks <- rows[[paste0(name, "_forks")]]
    files <- rows[[paste0(name, "_files")]]
    cbind(
      fifelse(is.na(forks), sprintf("not in the %s", name), ""),
      fifelse(!is.na(forks) & forks == 1L, sprintf("one fork in the %s: no interval", name), ""),
      fifelse(
        !is.na(forks) & forks > 1L & forks < least,
        sprintf("%d forks in the %s; a verdict needs %d", forks, name, as.integer(least)), ""
      ),
      fifelse(!is.na(files) & files > 1L, sprintf("forks of %d files of the %s together", files, name), "")
    )
  }
  notes <- cbind(undecided_cause_words(rows), side("baseline"), side("candidate"), more_forks_words(rows, least))
  apply(notes, 1, function(notes) paste(notes[nzchar(notes)], collapse = "; "))
}

#' Why a row is inconclusive, and what it would take.
undecided_cause_words <- function(rows) {
  told <- c(
    "lost to Holm" = "clear alone, but not after Holm over all rows",
    "too close to call" = "too close to the margin: the whole interval lies around it",
    "too wide" = "too wide an interval"
  )[rows$cause]
  take <- fifelse(
    is.na(rows$forks_needed), "", sprintf(": it would take about %s forks a side", format(
      rows$forks_needed, scientific = FALSE, trim = TRUE
    ))
  )
  fifelse(is.na(told), "", paste0(told, take))
}

#' What more forks would give a row of one fork: an interval that is at best as wide as iterations alone make it.
more_forks_words <- function(rows, least) {
  least <- max(least, 2L)
  # As if every fork's mean varied by no more than what its own iterations leave open.
  spread <- sqrt(rows$baseline_within * rows$baseline_forks + rows$candidate_within * rows$candidate_forks)
  half <- 100 * expm1(stats::qt(0.975, 2 * least - 2) * spread / sqrt(least))
  fifelse(
    is.na(rows$one_jvm_lower), "",
    sprintf(
      "%d forks a side would give a verdict, with an interval of at best +-%s %%: what JVMs differ by comes on top",
      as.integer(least), format_plain(half, 2)
    )
  )
}

#' What came out, in lines for the terminal, the outcome last.
comparison_words <- function(rows, margin) {
  margin_words <- sprintf("%s %%", format(100 * margin, digits = 4))
  counts <- rows[, .N, by = verdict]
  words <- c(
    slower = sprintf("slower by more than %s", margin_words), faster = sprintf("faster by more than %s", margin_words),
    same = sprintf("the same within %s", margin_words), inconclusive = "inconclusive",
    "too few forks" = "with too few forks",
    "only in baseline" = "only in the baseline", "only in candidate" = "only in the candidate",
    "shown only" = "other metrics, not judged"
  )
  counts <- counts[match(names(words), counts$verdict)][!is.na(N)]
  head <- sprintf("%d benchmarks and settings: %s", nrow(rows), paste(counts$N, words[counts$verdict], collapse = ", "))
  shown <- rows[verdict %in% c("slower", "inconclusive", "only in baseline", "only in candidate", "too few forks")]
  lines <- vapply(seq_len(nrow(shown)), function(i) row_words(shown[i]), "")
  outcome <- comparison_outcome(rows)
  why <- if (outcome == "undecided") sprintf(
    ": %d rows have no verdict; their notes say what it would take", counts[verdict %in% c(
      "inconclusive", "too few forks"
    ), sum(N)]
  ) else ""
  one_line(c(head, lines, sprintf("compare: %s (status %d)%s", outcome, comparison_statuses[[outcome]], why)))
}

row_words <- function(row) {
  if (startsWith(row$verdict, "only")) return(sprintf("%s: %s", row$verdict, result_words(row)))
  change <- if (is.na(row$ratio)) "" else paste0(": ", slowdown_words(row))
  note <- if (row$verdict == "slower" || !nzchar(row$note)) "" else paste0("; ", row$note)
  sprintf("%s: %s%s%s", row$verdict, result_words(row), change, note)
}

#' `1.1 times the time of the baseline (1.09 to 1.11)`
slowdown_words <- function(row) {
  what <- if (row$better == "higher") "throughput" else "time"
  numbers <- format_plain(c(row$ratio, row$lower, row$upper, row$one_jvm_lower, row$one_jvm_upper))
  interval <- if (!is.na(row$lower)) sprintf(" (%s to %s)", numbers[2], numbers[3]) else if (
    !is.na(row$one_jvm_lower)
  ) sprintf(" (of one JVM: %s to %s over its iterations)", numbers[4], numbers[5]) else ""
  sprintf("%s times the %s of the baseline%s", numbers[1], what, interval)
}

#' Refuse runs that have nothing in common.
check_comparable <- function(baseline, candidate, names) {
  keys <- setdiff(comparison_keys(baseline, candidate), "unit")
  shared <- intersect(keys, intersect(names(baseline), names(candidate)))
  if (nrow(fintersect(unique(baseline[, shared, with = FALSE]), unique(candidate[, shared, with = FALSE]))) == 0) {
    refuse(
      names[2], "has no benchmark in common with the baseline", paste("those of", names[1]),
      "name two runs of the same benchmarks"
    )
  }
}
