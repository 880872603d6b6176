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
