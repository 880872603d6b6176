# Output of a comparison: a note for each row, lines for the terminal, and the exit status for a build.

#' Exit statuses of a comparison, with their names in the last line. As for every command, 2 is bad input.
comparison_statuses <- c("nothing slower" = 0L, slower = 1L, "benchmark missing" = 3L, undecided = 3L)

#' The outcome of a comparison.
#'
#' - `slower`: at least one row is slower.
#' - `benchmark missing`: a benchmark's primary score is in one run only.
#'
#' - `undecided`: a row can't be judged (too few forks, forks that warm up).
#'
#' @param strict whether a row that was judged without a verdict also makes it `undecided` (`--fail_on undecided`)
comparison_outcome <- function(rows, strict = FALSE) {
  if (any(rows$verdict == "slower")) return("slower")
  if (any(is_missing(rows))) return("benchmark missing")
  if (any(is_unjudged(rows)) || (strict && any(rows$verdict == "undecided"))) "undecided" else "nothing slower"
}

is_missing <- function(rows) startsWith(rows$verdict, "only in") & !nzchar(rows$metric)

is_unjudged <- function(rows) {
  unjudged_causes <- c("warm-up", "slowdown", "identical")
  rows$verdict == "too few forks" | (rows$verdict == "undecided" & rows$cause %in% unjudged_causes)
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
      fifelse(
        fcoalesce(rows[[paste0(name, "_trend")]], "") == "", "",
        paste("the forks of the", name, trend_words(rows[[paste0(name, "_trend")]]))
      ),
      fifelse(!is.na(files) & files > 1L, sprintf("forks of %d files of the %s together", files, name), "")
    )
  }
  notes <- cbind(undecided_cause_words(rows), side("baseline"), side("candidate"), more_forks_words(rows, least))
  apply(notes, 1, function(notes) paste(notes[nzchar(notes)], collapse = "; "))
}

#' Why a row is undecided, and how many forks would decide it.
undecided_cause_words <- function(rows) {
  text <- c(
    "lost to Holm" = "significant alone, but not after Holm's correction over all rows",
    "too close to call" = "too close to the margin: the whole interval lies around it",
    "too wide" = "too wide an interval"
  )[rows$cause]
  take <- fifelse(
    is.na(rows$forks_needed), "", sprintf(": it would take about %s forks a side", format(
      rows$forks_needed, scientific = FALSE, trim = TRUE
    ))
  )
  fifelse(is.na(text), "", paste0(text, take))
}

#' The interval that more forks would give a row of one fork: at best as wide as iterations alone make it.
more_forks_words <- function(rows, least) {
  least <- max(least, 2L)
  # Assumes that fork means vary only by the uncertainty that iterations within a fork leave.
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

#' Maximum number of rows of one kind that the terminal shows.
shown_rows <- 20L

#' The result in lines for the terminal, the outcome last.
#'
#' @param strict as in `comparison_outcome`
comparison_words <- function(rows, margin, strict = FALSE) {
  kinds <- c("slower", "only in baseline", "only in candidate", "too few forks", "undecided")
  lines <- unlist(lapply(kinds, function(kind) {
    of_kind <- rows[verdict == kind]
    more <- nrow(of_kind) - shown_rows
    c(
      vapply(seq_len(min(nrow(of_kind), shown_rows)), function(i) row_words(of_kind[i]), ""),
      if (more > 0) sprintf("%s: %d more, in compare.csv", kind, more)
    )
  }))
  outcome <- comparison_outcome(rows, strict)
  last <- sprintf("compare: %s (status %d)", outcome, comparison_statuses[[outcome]])
  one_line(c(
    comparison_head(rows, margin), lines, shift_words(rows),
    paste(c(last, outcome_reasons(rows)), collapse = "; ")
  ))
}

#' `12 benchmarks and settings: 1 slower by more than 2 %, 11 the same within 2 %`
comparison_head <- function(rows, margin) {
  margin_words <- sprintf("%s %%", format(100 * margin, digits = 4))
  words <- c(
    slower = sprintf("slower by more than %s", margin_words), faster = sprintf("faster by more than %s", margin_words),
    same = sprintf("the same within %s", margin_words), undecided = "undecided",
    "too few forks" = "with too few forks",
    "only in baseline" = "only in the baseline", "only in candidate" = "only in the candidate",
    "shown only" = "other metrics, not judged"
  )
  counts <- rows[, .N, by = verdict]
  counts <- counts[match(names(words), counts$verdict)][!is.na(N)]
  paste0(
    format_plural(nrow(rows), "benchmark", "benchmarks and settings"), ": ",
    paste(counts$N, words[counts$verdict], collapse = ", ")
  )
}

#' What the outcome leaves undecided: missing rows, rows that can't be judged, and what undecided rows could have shown.
outcome_reasons <- function(rows) {
  undecided <- rows[verdict == "undecided" & !is_unjudged(rows), detectable_pct]
  missing <- sum(is_missing(rows))
  unjudged <- sum(is_unjudged(rows))
  c(
    if (missing > 0) paste(format_plural(missing, "row is", "rows are"), "in one run only"),
    if (unjudged > 0) paste(format_plural(unjudged, "row"), "can't be judged: the column note says why"),
    if (length(undecided) > 0) sprintf(
      "%s undecided: the smallest slowdown that this comparison could have found is %s",
      format_plural(length(undecided), "row is", "rows are"), detectable_words(range(undecided))
    )
  )
}

#' `3.1 to 5 %`
detectable_words <- function(range) paste(paste(unique(format_plain(range, 2)), collapse = " to "), "%")

#' That all rows shift together, and the likely cause; NULL where they don't.
shift_words <- function(rows) {
  moved <- rows[!is.na(relative_ratio)]
  if (nrow(moved) == 0) return(NULL)
  # The median of the ratios of times, recovered from the relative ratio.
  middle <- moved[1, fifelse(mode == "thrpt", relative_ratio / ratio, ratio / relative_ratio)]
  sprintf(
    paste(
      "all rows move together: the median of %d rows is %s times the time of the baseline. The machine or the set-up",
      "probably changed (another machine, CPU frequency, JDK, JVM options). The column relative_ratio is relative to",
      "that median."
    ),
    nrow(moved), format_plain(middle)
  )
}

row_words <- function(row) {
  if (startsWith(row$verdict, "only")) return(sprintf("%s: %s", row$verdict, result_words(row)))
  change <- if (is.na(row$ratio)) "" else paste0(": ", slowdown_words(row))
  note <- if (row$verdict == "slower" || !nzchar(row$note)) "" else paste0("; ", row$note)
  found <- if (row$verdict != "undecided" || is.na(row$detectable_pct)) "" else sprintf(
    "; a slowdown of %s would have been found", detectable_words(row$detectable_pct)
  )
  sprintf("%s: %s%s%s%s", row$verdict, result_words(row), change, note, found)
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

#' The rows of a comparison as a Markdown table for a pull request, those that need attention first.
#'
#' @param at_most maximum number of rows, since a comment has a limited length
comparison_markdown <- function(rows, margin, strict = FALSE, at_most = 100L) {
  listed <- c("slower", "only in baseline", "only in candidate", "too few forks", "undecided", "faster", "same")
  shown <- rows[verdict %in% listed][order(match(verdict, listed))]
  more <- nrow(shown) - at_most
  shown <- utils::head(shown, at_most)
  code <- function(text) sprintf("`%s`", gsub("|", "\\|", gsub("`", "'", one_line(text), fixed = TRUE), fixed = TRUE))
  number <- function(x) fifelse(is.na(x), "", format_plain(x))
  interval <- fifelse(is.na(shown$lower), "", paste(number(shown$lower), "to", number(shown$upper)))
  relative <- any(!is.na(rows$relative_ratio))
  cells <- cbind(
    vapply(seq_len(nrow(shown)), function(i) code(result_words(shown[i])), ""),
    ifelse(shown$verdict == "undecided", "undecided", shown$verdict), number(shown$ratio), interval,
    if (relative) number(shown$relative_ratio), number(shown$baseline_mean), number(shown$candidate_mean),
    code(shown$unit)
  )
  head <- c(
    "benchmark", "verdict", "ratio", "95 % interval", if (relative) "relative to median", "baseline", "candidate",
    "unit"
  )
  outcome <- comparison_outcome(rows, strict)
  reasons <- outcome_reasons(rows)
  row <- function(cells) paste0("| ", paste(cells, collapse = " | "), " |")
  c(
    sprintf("**%s**: %s.", outcome, comparison_head(rows, margin)), "",
    if (length(reasons) > 0) c(paste0(paste(reasons, collapse = "; "), "."), ""),
    if (relative) c(shift_words(rows), ""),
    row(head), row(c("---", "---", rep("---:", length(head) - 3L), "---")), apply(cells, 1, row),
    if (more > 0) c("", sprintf("%d more rows are in compare.csv.", more))
  )
}

# Compares two runs of JMH, with an exit status for a build.
command_compare <- function(words) {
  arguments <- read_arguments(
    list(
      baseline = list(
        text = "JMH result file (-rf json), or a directory of them or of rounds: before", required = TRUE, file = TRUE
      ),
      candidate = list(text = "the same: after; with --pair the baseline if left out", file = TRUE),
      out = list(text = "directory for compare.csv, compare.md and outcome.txt", required = TRUE),
      pair = list(
        text = "A=B: what to compare, benchmarks or parameters (size:10=size:20, Old.run=New.run,size:10)", many = TRUE
      ),
      fail_on = list(text = "slower (if left out), or undecided: status 3 where a row has no verdict"),
      margin = list(text = "part by which a benchmark may get slower, 0.02 (2 per cent) if left out"),
      forks = list(text = "forks that both sides need for a verdict, 5 if left out"),
      strict = list(text = "yes: refuse a run of which something can't be taken as it is")
    ),
    paste(
      "Compares two runs of the same benchmarks. Exit status 0: nothing got slower beyond the margin; 1: something",
      "did; 2: bad input; 3: a benchmark is in one run only, or a row can't be judged."
    ),
    words
  )
  margin <- number_argument("margin", arguments$margin %||% "0.02", 0, 1, "a part such as 0.05 for 5 per cent")
  least <- number_argument("forks", arguments$forks %||% as.character(verdict_forks), 2, 1e6, "a number from 2 on")
  fail_on <- arguments$fail_on %||% "slower"
  if (!fail_on %in% c("slower", "undecided")) {
    refuse("command line", sprintf("--fail_on is '%s'", fail_on), "slower or undecided", "see --help")
  }
  strict <- fail_on == "undecided"
  if (is.null(arguments$candidate) && is.null(arguments$pair)) {
    refuse("command line", "--candidate is missing", "the results after", "name them, or a --pair of the baseline")
  }
  paths <- c(arguments$baseline, arguments$candidate %||% arguments$baseline)
  runs <- lapply(paths, read_run, steady = FALSE)
  for (run in runs) say_left_out(run, yes_argument("strict", arguments$strict))
  sides <- paired_sides(runs[[1]]$forks, runs[[2]]$forks, arguments$pair)
  check_comparable(sides[[1]], sides[[2]], paths)
  rows <- compare_runs(sides[[1]], sides[[2]], margin, least)
  written <- write_table(rows, out_file(arguments$out, "compare.csv"))
  message(sprintf("%s: %s", written, format_plural(nrow(rows), "row")))
  write_lines(comparison_markdown(rows, margin, strict), out_file(arguments$out, "compare.md"))
  outcome <- comparison_outcome(rows, strict)
  write_lines(outcome, out_file(arguments$out, "outcome.txt"))
  writeLines(comparison_words(rows, margin, strict))
  leave(comparison_statuses[[outcome]])
}
