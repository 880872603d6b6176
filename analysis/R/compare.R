# Compares two runs of JMH, before and after a change: which benchmarks got slower.

#' Compare two runs.
#'
#' For every benchmark and setting: the ratio of candidate to baseline in the unit of the file, with Welch's interval on
#' log fork means. Then the same two tests as for a claim (`target_p_values`, `combine_contrasts`) on the ratio of times
#' (throughput: its inverse). The target is 1 / (1 + margin) to 1 + margin, and Holm's correction covers all rows.
#'
#' Some rows are not judged:
#'
#' - A row that is not a benchmark's primary score has ratio and interval only, because the better direction of a
#'   counter is unknown.
#' - Forks that share a trend (`shared_trends`) do not have means of compiled code.
#' - Forks with identical means do not show their spread.
#'
#' @param margin relative slowdown that is allowed, e.g. 0.02
#' @param least forks that both sides need for a verdict
#' @param alpha of all verdicts together
#' @return data.table, the columns of compare.csv in data/README.md
compare_runs <- function(baseline, candidate, margin, least = verdict_forks, alpha = 0.05) {
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
    rows$baseline_log_mean, rows$baseline_log_var, rows$baseline_forks
  )
  rows[, `:=`(ratio = estimates$ratio, lower = estimates$lower, upper = estimates$upper)]
  with_one_jvm(rows)
  # From here on, ratios are ratios of times: a lower throughput is a longer time.
  estimates[rows$mode == "thrpt", `:=`(log_ratio = -log_ratio, ratio = 1 / ratio, lower = 1 / upper, upper = 1 / lower)]
  tests <- target_p_values(estimates$log_ratio, estimates$se_log, estimates$df, 1 / (1 + margin), 1 + margin)
  rows[, forks_min := pmin(fcoalesce(baseline_forks, 0L), fcoalesce(candidate_forks, 0L))]
  judged <- !is.na(estimates$se_log) & rows$forks_min >= max(least, 2L) & !nzchar(rows$metric) &
    rows$baseline_trend == "" & rows$candidate_trend == ""
  combined <- rbindlist(Map(combine_contrasts, tests$p_support[judged], tests$p_refute[judged]))
  rows[, `:=`(p = NA_real_, answer = NA_character_)]
  change <- fifelse(estimates$log_ratio[judged] > 0, "slower", "faster")
  if (any(judged)) rows[judged, `:=`(
    p = combined$p, answer = fifelse(combined$answer == "holds", "same", change)
  )]
  rows[, verdict := fcase(
    is.na(baseline_forks), "only in candidate", is.na(candidate_forks), "only in baseline", nzchar(metric),
    "shown only", nzchar(baseline_trend) | nzchar(candidate_trend), "undecided", default = "too few forks"
  )]
  # JMH's files do not show what was compiled.
  rows <- adjust_holm(rows[, unproven := FALSE], alpha)
  with_causes(with_positions(rows, estimates, margin), alpha)
  rows[verdict == "undecided" & is.na(p), `:=`(
    cause = fifelse(nzchar(candidate_trend), candidate_trend, baseline_trend), forks_needed = NA_real_
  )]
  rows[, detectable_pct := detectable_slowdown(estimates, judged, rows$p_holm, margin, alpha)]
  with_common_shift(rows, estimates$log_ratio, margin)
  rows[verdict == "too few forks", `:=`(cause = "too few forks", forks_needed = as.double(max(least, 2L)))]
  rows[, note := comparison_notes(rows, least)]
  rows[, union(keys, columns_of("compare.csv", "tools")), with = FALSE]
}

#' The smallest slowdown, in per cent, that a row would have shown as `slower` with probability `wanted_power`.
#'
#' The level is that of Holm's next step, as for `forks_needed` (`with_causes`), over the two tests of a row.
#'
#' @param estimates of `welch_ratio`
#' @param judged whether each row has a p value
detectable_slowdown <- function(estimates, judged, p_holm, margin, alpha) {
  left <- sum(judged) - sum(p_holm[judged] <= alpha)
  reach <- stats::qt(1 - alpha / max(left, 1L) / 2, estimates$df) + stats::qt(wanted_power, estimates$df)
  fifelse(judged, 100 * expm1(log1p(margin) + reach * estimates$se_log), NA_real_)
}

#' Number of rows in common that is necessary to detect a shift of all rows.
shift_rows <- 8L

#' Add `relative_ratio`, the ratio relative to the median ratio, where all rows shift together.
#'
#' They shift together if the median ratio of times exceeds the margin, and three quarters of the rows lie within the
#' margin of the median.
#'
#' @param log_ratio of times, NA of rows without both sides
with_common_shift <- function(rows, log_ratio, margin) {
  rows[, relative_ratio := NA_real_]
  known <- !is.na(log_ratio) & !nzchar(rows$metric)
  middle <- stats::median(log_ratio[known])
  if (sum(known) < shift_rows || abs(middle) <= log1p(margin)) return(rows)
  if (mean(abs(log_ratio[known] - middle) <= log1p(margin)) < 0.75) return(rows)
  rows[known, relative_ratio := ratio * exp(fifelse(mode == "thrpt", middle, -middle))]
}

#' The position of each row's interval relative to the margin, in the columns that `with_causes` needs.
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

#' Columns that identify the same benchmark in both runs. The experiment, environment, image and machine of our rounds
#' are included only where a side has several.
comparison_keys <- function(baseline, candidate) {
  params <- union(parameter_columns(baseline), parameter_columns(candidate))
  places <- paste0("param.", c("experiment", "environment", "image_id", "machine_id"))
  several <- vapply(places, function(column) {
    any(vapply(list(baseline, candidate), function(side) {
      # A parameter of an external benchmark may have such a name too.
      uniqueN(side[[column]], na.rm = TRUE) > 1 || any(!is.na(side[[column]][!side$of_rounds]))
    }, TRUE))
  }, TRUE)
  c("benchmark", "metric", setdiff(params, places[!several]), "mode", "threads", "batch", "unit")
}

#' Both sides with each benchmark's metric in the first unit that the baseline has for it, where units are convertible.
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

#' Fork means of a run, by cell, with forks of several files together.
#'
#' `within` is the variance of the mean of all its log values if iterations were independent. It comes from the
#' variation within forks; `within_df` is its degrees of freedom.
side_means <- function(forks, keys) {
  forks[!is.na(mean), {
    logs <- if (all(mean > 0)) log(mean) else rep(NA_real_, .N)
    alike <- .N > 1L && uniqueN(mean) == 1L && .BY$metric == ""
    list(
      forks = .N, files = uniqueN(file), mean = mean(mean), log_mean = mean(logs), log_var = stats::var(logs),
      within = sum((sd / mean)^2 / iterations) / .N^2, within_df = sum(iterations - 1),
      trend = c(shared_trend[nzchar(shared_trend)], if (alike) "identical", "")[1]
    )
  }, by = keys]
}

#' Add the interval from iterations where a side has one fork. It is valid for these two JVMs only.
with_one_jvm <- function(rows) {
  rows[, `:=`(one_jvm_lower = NA_real_, one_jvm_upper = NA_real_)]
  lone <- rows[, which(pmin(baseline_forks, candidate_forks) == 1L & !nzchar(metric))]
  rows[lone, c("one_jvm_lower", "one_jvm_upper") := {
    se <- sqrt(baseline_within + candidate_within)
    df <- (baseline_within + candidate_within)^2 /
      (baseline_within^2 / baseline_within_df + candidate_within^2 / candidate_within_df)
    ends <- log_interval(candidate_log_mean - baseline_log_mean, se, df, 0.95)
    list(ends$lower, ends$upper)
  }]
}

#' Refuse runs that have no benchmark's primary score with the same parameters and mode in common.
check_comparable <- function(baseline, candidate, names) {
  keys <- setdiff(comparison_keys(baseline, candidate), "unit")
  cells <- lapply(list(baseline, candidate), function(side) {
    side <- copy(side)[metric == "" & !is.na(mean)]
    for (key in setdiff(keys, names(side))) set(side, j = key, value = NA_character_)
    unique(side[, keys, with = FALSE])
  })
  if (nrow(fintersect(cells[[1]], cells[[2]])) > 0) return(invisible())
  benchmarks <- intersect(cells[[1]]$benchmark, cells[[2]]$benchmark)
  # The benchmarks are the same, so another key differs.
  differ <- Filter(function(key) {
    values <- lapply(cells, function(side) side[benchmark %in% benchmarks, unique(get(key))])
    length(benchmarks) > 0 && length(intersect(values[[1]], values[[2]])) == 0
  }, setdiff(keys, c("benchmark", "metric")))
  what <- if (length(differ) > 0) sprintf(
    " (they differ in %s)", format_list(sub("^param\\.", "parameter ", differ))
  ) else ""
  refuse(
    names[2], paste0("has no benchmark in common with the baseline", what), paste("those of", names[1]),
    "name two runs of the same benchmarks, or name what to compare with --pair"
  )
}

# Pairs that a user names: two benchmarks of different names, or two values of a parameter, compared with each other.

#' Both sides of a comparison, reduced to the rows of the pairs, under common names.
#'
#' A side of a pair is a benchmark, parameters, or both: `Mill.grind`, `size:10`, `Mill.grind,size:10`. The end of a
#' benchmark's name is enough.
#'
#' @param pairs texts `A=B`: A of the baseline, B of the candidate
#'
#' @section Errors: refuses a pair that names nothing, or several benchmarks on a side.
paired_sides <- function(baseline, candidate, pairs) {
  sides <- list(baseline, candidate)
  if (length(pairs) == 0) return(sides)
  parts <- lapply(pairs, one_pair, sides)
  lapply(1:2, function(side) rbindlist(lapply(parts, `[[`, side), use.names = TRUE, fill = TRUE))
}

#' The rows of one pair on both sides.
one_pair <- function(pair, sides) {
  # Values of parameters may contain an equals sign. The split that leaves rows on both sides is the right one.
  at <- gregexpr("=", pair, fixed = TRUE)[[1]]
  splits <- lapply(at[at > 0], function(i) c(substr(pair, 1, i - 1L), substring(pair, i + 1L)))
  selected <- lapply(splits, function(texts) Map(selected_rows, sides, lapply(texts, parse_selection)))
  fits <- vapply(selected, function(rows) all(vapply(rows, nrow, 0L) > 0), TRUE)
  if (!any(fits)) refuse(
    "command line", sprintf("--pair '%s' names no benchmark of both sides", pair),
    "A=B, where A and B are a benchmark, param:value, or Benchmark,param:value", "correct the names"
  )
  at <- which(fits)[1]
  rows <- selected[[at]]
  selections <- lapply(splits[[at]], parse_selection)
  names <- vapply(1:2, function(side) {
    names <- unique(rows[[side]]$benchmark)
    if (is.na(selections[[side]]$benchmark)) return(NA_character_)
    if (length(names) > 1) refuse(
      "command line", sprintf("--pair '%s' names %d benchmarks: %s", pair, length(names), some_of(names)),
      "one benchmark on each side", "name its class and package too"
    )
    names
  }, "")
  # A benchmark named on one side only applies to both.
  names <- fcoalesce(names, rev(names))
  for (side in 1:2) if (!is.na(names[side])) rows[[side]] <- rows[[side]][benchmark == names[side]]
  rows <- lapply(rows, copy)
  joined <- function(values) paste(unique(values), collapse = " -> ")
  params <- union(names(selections[[1]]$params), names(selections[[2]]$params))
  whole <- lapply(rows, copy)
  for (side in 1:2) {
    if (!anyNA(names)) set(rows[[side]], j = "benchmark", value = joined(names))
    for (name in params) {
      values <- vapply(1:2, function(i) one_value(pair, whole[[i]], name, selections[[i]]$params[name]), "")
      set(rows[[side]], j = paste0("param.", name), value = joined(values))
    }
  }
  rows
}

#' The value of a parameter on one side: the named one, or the only one that its rows have.
one_value <- function(pair, rows, name, named) {
  values <- if (is.na(named)) unique(rows[[paste0("param.", name)]] %||% NA_character_) else named
  if (length(values) > 1) refuse(
    "command line", sprintf("--pair '%s' leaves several values of %s on a side: %s", pair, name, some_of(values)),
    "one value on each side", sprintf("name it on both sides: %s:value", name)
  )
  fcoalesce(values[[1]], "none")
}

#' A side of a pair: `benchmark` (NA where none is named) and `params` (values by name).
parse_selection <- function(text) {
  words <- strsplit(text, ",(?=[A-Za-z_$][\\w$]*[:=])", perl = TRUE)[[1]]
  if (length(words) == 0) words <- ""
  param <- grepl("^[A-Za-z_$][\\w$]*[:=]", words, perl = TRUE)
  benchmark <- if (all(param)) NA_character_ else paste(words[!param], collapse = ",")
  values <- sub("^[^:=]*[:=]", "", words[param])
  list(benchmark = benchmark, params = stats::setNames(values, sub("[:=].*$", "", words[param])))
}

#' Forks that a side of a pair names.
selected_rows <- function(forks, selection) {
  keep <- rep(TRUE, nrow(forks))
  if (!is.na(selection$benchmark)) {
    exact <- forks$benchmark == selection$benchmark
    keep <- if (any(exact)) exact else endsWith(forks$benchmark, paste0(".", selection$benchmark))
  }
  for (name in names(selection$params)) {
    values <- forks[[paste0("param.", name)]] %||% NA_character_
    keep <- keep & values %in% selection$params[[name]]
  }
  forks[keep]
}
