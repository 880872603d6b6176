# Two runs of the same benchmarks, before and after: what got slower.

#' Compare two runs.
#'
#' For every benchmark and setting: the ratio of candidate to baseline in the unit of the file, with Welch's interval on
#' log fork means; then the same two tests as a claim's (`target_p_values`, `combine_contrasts`) on the ratio of times
#' (throughput: its inverse), with 1 / (1 + margin) to 1 + margin as the target, and Holm over all rows.
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
  one <- side_means(baseline, keys)
  two <- side_means(candidate, keys)
  setnames(one, setdiff(names(one), keys), paste0("baseline_", setdiff(names(one), keys)))
  setnames(two, setdiff(names(two), keys), paste0("candidate_", setdiff(names(two), keys)))
  rows <- merge(one, two, by = keys, all = TRUE)
  rows[, better := fifelse(mode == "thrpt", "higher", "lower")]
  estimates <- welch_ratio(
    rows$candidate_log_mean, rows$candidate_log_var, rows$candidate_forks,
    rows$baseline_log_mean, rows$baseline_log_var, rows$baseline_forks, confidence
  )
  rows[, `:=`(ratio = estimates$ratio, lower = estimates$lower, upper = estimates$upper)]
  # Times from here on: a throughput that falls is a time that grows.
  estimates[rows$mode == "thrpt", log_ratio := -log_ratio]
  tests <- target_p_values(estimates$log_ratio, estimates$se_log, estimates$df, 1 / (1 + margin), 1 + margin)
  fewest <- pmin(fcoalesce(rows$baseline_forks, 0L), fcoalesce(rows$candidate_forks, 0L))
  judged <- !is.na(estimates$se_log) & fewest >= max(least, 2L)
  combined <- rbindlist(Map(combine_contrasts, tests$p_support[judged], tests$p_refute[judged]))
  rows[, `:=`(p = NA_real_, direction = NA_character_)]
  change <- fifelse(estimates$log_ratio[judged] > 0, "slower", "faster")
  if (any(judged)) rows[judged, `:=`(
    p = combined$p, direction = fifelse(combined$direction == "supported", "same", change)
  )]
  rows[, verdict := fifelse(
    is.na(baseline_forks), "only in candidate", fifelse(is.na(candidate_forks), "only in baseline", "too few forks")
  )]
  # JMH's files don't tell what was compiled.
  rows <- settle(rows[, unsettled := FALSE], alpha)
  rows[, note := comparison_notes(rows, least)]
  kept <- c(
    keys, "better", "baseline_forks", "candidate_forks", "baseline_mean", "candidate_mean", "ratio", "lower", "upper",
    "p", "p_holm", "verdict", "note"
  )
  rows[, kept, with = FALSE]
}

#' Columns that a benchmark has in common with itself in the other run. The place it was measured in (experiment,
#' environment, image, machine) is one only where a side has several.
comparison_keys <- function(baseline, candidate) {
  params <- union(parameter_columns(baseline), parameter_columns(candidate))
  places <- paste0("param.", c("experiment", "environment", "image_id", "machine_id"))
  several <- vapply(places, function(column) {
    any(vapply(list(baseline, candidate), function(side) uniqueN(side[[column]], na.rm = TRUE) > 1, TRUE))
  }, TRUE)
  c("benchmark", setdiff(params, places[!several]), "mode", "threads", "batch", "unit")
}

#' Fork means of a run, by cell; forks of several files together.
side_means <- function(forks, keys) {
  forks[!is.na(mean), .(
    forks = .N, files = uniqueN(file), mean = mean(mean), log_mean = mean(log(mean)), log_var = stats::var(log(mean))
  ), by = keys]
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
  apply(cbind(side("baseline"), side("candidate")), 1, function(notes) paste(notes[nzchar(notes)], collapse = "; "))
}

#' Refuse runs that can't be compared: nothing in common, or the same benchmark in different units.
check_comparable <- function(baseline, candidate, folders) {
  units <- merge(
    unique(baseline[, .(benchmark, mode, unit)]), unique(candidate[, .(benchmark, mode, unit, file)]),
    by = c("benchmark", "mode"), suffixes = c(".one", ".two"), allow.cartesian = TRUE
  )[unit.one != unit.two]
  if (nrow(units) > 0) {
    first <- units[1]
    not_jmh(
      file.path(folders[2], first$file), sprintf("has %s in %s", first$benchmark, first$unit.two),
      paste(first$unit.one, "as in the baseline")
    )
  }
  keys <- comparison_keys(baseline, candidate)
  shared <- intersect(keys, intersect(names(baseline), names(candidate)))
  if (nrow(fintersect(unique(baseline[, shared, with = FALSE]), unique(candidate[, shared, with = FALSE]))) == 0) {
    refuse(
      folders[2], "has no benchmark in common with the baseline", paste("those of", folders[1]),
      "name two runs of the same benchmarks"
    )
  }
}

#' What came out, in lines for the terminal.
comparison_words <- function(rows, margin) {
  margin_words <- sprintf("%s %%", format(100 * margin, digits = 4))
  counts <- rows[, .N, by = verdict]
  words <- c(
    slower = sprintf("slower by more than %s", margin_words), faster = sprintf("faster by more than %s", margin_words),
    same = sprintf("the same within %s", margin_words), inconclusive = "inconclusive",
    "too few forks" = "with too few forks",
    "only in baseline" = "only in the baseline", "only in candidate" = "only in the candidate"
  )
  counts <- counts[match(names(words), counts$verdict)][!is.na(N)]
  head <- sprintf("%d benchmarks and settings: %s", nrow(rows), paste(counts$N, words[counts$verdict], collapse = ", "))
  shown <- rows[verdict %in% c("slower", "only in baseline", "only in candidate", "too few forks")]
  if (nrow(shown) == 0) return(head)
  lines <- vapply(seq_len(nrow(shown)), function(i) {
    row <- shown[i]
    change <- if (row$verdict == "slower") paste0(": ", change_words(row)) else ""
    sprintf("%s: %s%s", row$verdict, result_words(row), change)
  }, "")
  c(head, lines)
}

#' `1.1 times the time of the baseline (1.09 to 1.11)`
change_words <- function(row) {
  what <- if (row$better == "higher") "throughput" else "time"
  numbers <- format_plain(c(row$ratio, row$lower, row$upper))
  sprintf("%s times the %s of the baseline (%s to %s)", numbers[1], what, numbers[2], numbers[3])
}
