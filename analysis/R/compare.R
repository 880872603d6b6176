# Two runs of JMH compared, before and after: what got slower.

#' Compare two runs.
#'
#' For every benchmark and setting: the ratio of candidate to baseline in the unit of the file, with Welch's interval on
#' log fork means; then the same two tests as a claim's (`target_p_values`, `combine_contrasts`) on the ratio of times
#' (throughput: its inverse), with 1 / (1 + margin) to 1 + margin as the target, and Holm over all rows. What isn't a
#' benchmark's own score has ratio and interval alone: nobody knows which way of a counter is the better one.
#'
#' @param baseline,candidate forks of `read_run`
#' @param margin part by which a benchmark may get slower, e.g. 0.02
#' @param least forks that both sides need for a verdict; `alpha` of all verdicts together
#' @return data.table, the columns of compare.csv in data/README.md
compare_runs <- function(baseline, candidate, margin, least = verdict_forks, alpha = 0.05, confidence = 0.95) {
  keys <- comparison_keys(baseline, candidate)
  for (side in list(baseline, candidate)) for (
    key in setdiff(keys, names(side))
  ) set(side, j = key, value = NA_character_)
  both <- in_one_unit(baseline, candidate)
  one <- side_means(both$baseline, keys)
  two <- side_means(both$candidate, keys)
  setnames(one, setdiff(names(one), keys), paste0("baseline_", setdiff(names(one), keys)))
  setnames(two, setdiff(names(two), keys), paste0("candidate_", setdiff(names(two), keys)))
  rows <- merge(one, two, by = keys, all = TRUE)
  rows[, better := fifelse(nzchar(metric), "", fifelse(mode == "thrpt", "higher", "lower"))]
  estimates <- welch_ratio(
    rows$candidate_log_mean, rows$candidate_log_var, rows$candidate_forks,
    rows$baseline_log_mean, rows$baseline_log_var, rows$baseline_forks, confidence
  )
  rows[, `:=`(ratio = estimates$ratio, lower = estimates$lower, upper = estimates$upper)]
  with_one_jvm(rows, confidence)
  # Times from here on: a throughput that falls is a time that grows.
  estimates[rows$mode == "thrpt", `:=`(log_ratio = -log_ratio, ratio = 1 / ratio, lower = 1 / upper, upper = 1 / lower)]
  tests <- target_p_values(estimates$log_ratio, estimates$se_log, estimates$df, 1 / (1 + margin), 1 + margin)
  rows[, forks_min := pmin(fcoalesce(baseline_forks, 0L), fcoalesce(candidate_forks, 0L))]
  judged <- !is.na(estimates$se_log) & rows$forks_min >= max(least, 2L) & !nzchar(rows$metric)
  combined <- rbindlist(Map(combine_contrasts, tests$p_support[judged], tests$p_refute[judged]))
  rows[, `:=`(p = NA_real_, direction = NA_character_)]
  change <- fifelse(estimates$log_ratio[judged] > 0, "slower", "faster")
  if (any(judged)) rows[judged, `:=`(
    p = combined$p, direction = fifelse(combined$direction == "supported", "same", change)
  )]
  rows[, verdict := fcase(
    is.na(baseline_forks), "only in candidate", is.na(candidate_forks), "only in baseline", nzchar(metric),
    "shown only", default = "too few forks"
  )]
  # JMH's files don't tell what was compiled.
  rows <- settle(rows[, unsettled := FALSE], alpha)
  with_causes(with_positions(rows, estimates, margin), alpha)
  rows[verdict == "too few forks", `:=`(cause = "too few forks", forks_needed = as.double(max(least, 2L)))]
  rows[, note := comparison_notes(rows, least)]
  kept <- c(
    keys, "better", "baseline_forks", "candidate_forks", "baseline_mean", "candidate_mean", "ratio", "lower", "upper",
    "one_jvm_lower", "one_jvm_upper", "p", "p_holm", "verdict", "cause", "forks_needed", "note"
  )
  rows[, kept, with = FALSE]
}

#' Where each row's interval stands against the margin, as `with_causes` wants it.
#'
#' @param estimates of `welch_ratio`, as ratios of times
with_positions <- function(rows, estimates, margin) {
  positions <- rbindlist(lapply(seq_len(nrow(rows)), function(i) {
    spread <- sqrt(sum(rows$baseline_log_var[i], rows$candidate_log_var[i]))
    row <- c(as.list(estimates[i]), spread = spread, target_lower = 1 / (1 + margin), target_upper = 1 + margin)
    limit_position(row)
  }))
  rows[, names(positions) := positions]
  rows[, tests := 2]
}

#' Columns that a benchmark has in common with itself in the other run. The place it was measured in (experiment,
#' environment, image, machine) is one only where a side has several.
comparison_keys <- function(baseline, candidate) {
  params <- union(parameter_columns(baseline), parameter_columns(candidate))
  places <- paste0("param.", c("experiment", "environment", "image_id", "machine_id"))
  several <- vapply(places, function(column) {
    any(vapply(list(baseline, candidate), function(side) uniqueN(side[[column]], na.rm = TRUE) > 1, TRUE))
  }, TRUE)
  c("benchmark", "metric", setdiff(params, places[!several]), "mode", "threads", "batch", "unit")
}

#' Both sides with each benchmark's metric in the unit that it has first in the baseline, where units measure the same.
in_one_unit <- function(baseline, candidate) {
  by <- c("benchmark", "metric", "mode")
  wanted <- rbind(baseline[, c(by, "unit"), with = FALSE], candidate[, c(by, "unit"), with = FALSE])
  wanted <- unique(wanted, by = by)
  lapply(list(baseline = baseline, candidate = candidate), function(side) {
    side <- copy(side)[wanted, wanted_unit := i.unit, on = by]
    side[, factor := unit_factor(unit, wanted_unit)]
    side[!is.na(factor), `:=`(mean = mean * factor, sd = sd * factor, unit = wanted_unit)]
  })
}

#' Fork means of a run, by cell; forks of several files together. `within`: the variance of the mean of all its log
#' values if iterations were independent, from what they differ by within forks, and `within_df` its degrees of freedom.
side_means <- function(forks, keys) {
  forks[!is.na(mean), {
    logs <- if (all(mean > 0)) log(mean) else rep(NA_real_, .N)
    list(
      forks = .N, files = uniqueN(file), mean = mean(mean), log_mean = mean(logs), log_var = stats::var(logs),
      within = sum((sd / mean)^2 / iterations) / .N^2, within_df = sum(iterations - 1)
    )
  }, by = keys]
}

#' Add the interval that iterations give where a side has one fork: it holds for these very JVMs, and no others.
with_one_jvm <- function(rows, confidence) {
  rows[, `:=`(one_jvm_lower = NA_real_, one_jvm_upper = NA_real_)]
  lone <- rows[, which(pmin(baseline_forks, candidate_forks) == 1L & !nzchar(metric))]
  rows[lone, c("one_jvm_lower", "one_jvm_upper") := {
    se <- sqrt(baseline_within + candidate_within)
    df <- (baseline_within + candidate_within)^2 /
      (baseline_within^2 / baseline_within_df + candidate_within^2 / candidate_within_df)
    told <- log_interval(candidate_log_mean - baseline_log_mean, se, df, confidence)
    list(told$lower, told$upper)
  }]
}

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

# Two runs of JMH compared.
# Exit status, so that it can gate a build: 0 nothing got slower beyond the margin, 1 something did, 2 bad input, 3
command_compare <- function(words) {
  arguments <- read_arguments(
    list(
      baseline = list(
        text = "JMH result file (-rf json), or a directory of them or of rounds: before", required = TRUE, file = TRUE
      ),
      candidate = list(text = "the same: after", required = TRUE, file = TRUE),
      out = list(text = "directory for compare.csv", required = TRUE),
      margin = list(text = "part by which a benchmark may get slower, 0.02 (2 per cent) if left out"),
      forks = list(text = "forks that both sides need for a verdict, 5 if left out"),
      strict = list(text = "yes: refuse a run of which something can't be taken as it is")
    ),
    paste(
      "Compares two runs of the same benchmarks. Exit status 0: nothing got slower beyond the margin; 1: something",
      "did; 2: bad input; 3: undecided."
    ),
    words
  )
  margin <- number_argument("margin", arguments$margin %||% "0.02", 0, 1, "a part such as 0.05 for 5 per cent")
  least <- number_argument("forks", arguments$forks %||% as.character(verdict_forks), 2, 1e6, "a number from 2 on")
  paths <- c(arguments$baseline, arguments$candidate)
  runs <- lapply(paths, read_run, steady = FALSE)
  for (run in runs) say_left_out(run, yes_argument("strict", arguments$strict))
  check_comparable(runs[[1]]$forks, runs[[2]]$forks, paths)
  rows <- compare_runs(runs[[1]]$forks, runs[[2]]$forks, margin, least)
  written <- write_table(rows, out_file(arguments$out, "compare.csv"))
  message(sprintf("%s: %d rows", written, nrow(rows)))
  writeLines(comparison_words(rows, margin))
  quit(status = comparison_statuses[[comparison_outcome(rows)]], save = "no")
}
