# One row per fork of JMH's results: mean, spread, and the class of its warm-up.

#' Fewest iterations of a fork for its warm-up to be classified.
classed_iterations <- 10L

#' Estimate every fork.
#'
#' @param steady whether forks are classified too
#' @return data.table: the columns of the results (benchmark, settings), `fork`, `iterations` (with a number), `lost`
#'   (without one), `mean`, `sd` (between its iterations), `steady`, `shared_trend` (see `shared_trends`), `of_rounds`.
#'   `steady` is a class of `classify_steady_many`, `too few iterations`, or `not sought` where a metric is not the
#'   primary score. The mean is over all iterations that JMH measured, so that it agrees with JMH's score.
jmh_forks <- function(read, steady = TRUE, cores = usable_cores()) {
  forks <- copy(read$forks)
  forks[read$results, `:=`(inverse = i.mode == "thrpt", own = i.metric == ""), on = c("file", "result")]
  without <- is.nan(read$values)
  forks[, lost := 0L]
  if (any(without)) forks[, lost := as.integer(fork_sums(forks, as.integer(without)))]
  # Forks of the same length are processed together, in chunks.
  size <- min(ceiling(nrow(forks) / cores), 10000L)
  chunks <- forks[, .(row = .I, n, lost, inverse, own)][n > 0L]
  chunks[, chunk := paste(.GRP, (seq_len(.N) - 1L) %/% size), by = .(n, lost > 0L, inverse, own)]
  chunks <- split(chunks$row, factor(chunks$chunk, unique(chunks$chunk)))
  parts <- in_parallel(unname(chunks), function(rows) {
    chunk_forks(forks[rows], read$values, steady && forks$own[rows[1]])
  }, cores)
  parts <- rbindlist(parts)
  forks[, `:=`(average = NA_real_, sd = NA_real_, steady = NA_character_)]
  forks[unlist(chunks), `:=`(
    iterations = parts$iterations, average = parts$average, sd = parts$sd, steady = parts$steady
  )]
  if (steady) forks[own == FALSE, steady := "not sought"]
  with_shared_trends(forks, read)
  forks[steady == "too few iterations" & nzchar(shared_trend), steady := shared_trend]
  # Where the values are means of samples, the mean is weighted by the number of samples.
  forks[, mean := fcoalesce(mean, average)]
  forks <- read$results[, setdiff(names(read$results), c("score", "entry", "jvm")), with = FALSE][
    forks[, .(file, result, fork, iterations, lost, mean, sd, steady, shared_trend)], on = c("file", "result")
  ]
  forks[, of_rounds := FALSE]
  forks[]
}

#' Estimates of forks of the same length, all with or all without lost iterations.
chunk_forks <- function(forks, values, steady) {
  n <- forks$n[1]
  rows <- matrix(values[rep(forks$first, each = n) + (seq_len(n) - 1L)], n)
  if (forks$lost[1] > 0L) {
    return(rbindlist(lapply(seq_len(ncol(rows)), function(fork) {
      kept <- rows[!is.nan(rows[, fork]), fork]
      column_estimates(matrix(kept, ncol = 1L), steady, forks$inverse[1])
    })))
  }
  column_estimates(rows, steady, forks$inverse[1])
}

column_estimates <- function(rows, steady, inverse) {
  n <- nrow(rows)
  average <- colMeans(rows)
  sd <- sqrt(colSums((rows - rep(average, each = n))^2) / (n - 1))
  if (n < 2L) sd <- rep(NA_real_, ncol(rows))
  class <- if (!steady) NA_character_ else if (n < classed_iterations) "too few iterations" else
    classify_steady_many(if (inverse) 1 / rows else rows)$steady
  data.table(iterations = n, average = fifelse(is.finite(average), average, NA_real_), sd = sd, steady = class)
}

# Problems that only show between the results of a directory: repeated results and repeated forks.

#' Removes repeated results and forks.
#'
#' A result is repeated if another JVM, or other JVM arguments, gave it in the same file and setting. A fork is repeated
#' if its values are those of another fork. Two results of one setting with the same JVM and arguments are forks of one
#' cell.
#'
#' @param read `results`, `forks`, `values`, `left_out` of a directory
#' @return the same lists, with the new findings added
without_repeats <- function(read) {
  setting <- setdiff(names(read$results), c(
    "result", "entry", "unit", "forks_planned", "iterations_planned", "score", "jvm"
  ))
  others <- read$results[, `:=`(first_jvm = jvm[1], first_entry = entry[1]), by = setting][jvm != first_jvm]
  read$results[, c("first_jvm", "first_entry") := NULL]
  other <- others[metric == ""]
  left_out <- if (nrow(other) > 0) other[, finding(
    sprintf(
      "result %d (%s) has the setting of result %d but another %s", as.integer(entry), benchmark,
      as.integer(first_entry), other_fields(jvm, first_jvm)
    ), "each JVM's results in a file of their own", "result", file, entry, benchmark
  ), by = .(row = seq_len(nrow(other)))][, row := NULL]
  gone <- read$forks[others, on = c("file", "result"), which = TRUE, nomatch = NULL]
  if (length(gone) > 0) read$forks <- read$forks[-gone]
  again <- repeated_forks(read, setdiff(setting, "file"))
  same <- again$pairs
  if (nrow(same) > 0) left_out <- rbindlist(list(left_out, again$findings))
  if (nrow(same) > 0) {
    dropped <- read$results[same, on = c("file", "result")][, .(file, entry, fork)]
    at <- read$results[dropped, .(file, result, fork), on = c("file", "entry"), allow.cartesian = TRUE]
    read$forks <- read$forks[!at, on = c("file", "result", "fork")]
  }
  read$values <- read$values[sequence(read$forks$n, read$forks$first)]
  read$forks[, first := first_places(n)]
  read$results <- read$results[unique(read$forks[, .(file, result)]), on = c("file", "result")]
  read$left_out <- rbindlist(list(read$left_out, left_out))
  read
}

#' Names of the fields in which two JVMs differ.
other_fields <- function(one, two) {
  parts <- strsplit(paste0(c(one, two), "\n|"), "\n", fixed = TRUE)
  format_list(jvm_fields[parts[[1]][seq_along(jvm_fields)] != parts[[2]][seq_along(jvm_fields)]])
}

#' Forks of the same benchmark and setting with identical values, except the first fork of each set. Forks whose values
#' are all equal are not counted.
#'
#' @return list: `pairs` (`file`, `result`, `fork` of those), `findings`, a row per result
repeated_forks <- function(read, by) {
  forks <- read$results[metric == "", c("file", "result", "entry", by), with = FALSE][
    read$forks, on = c("file", "result"), nomatch = NULL
  ]
  forks <- forks[n > 0]
  ends <- data.table(n = forks$n, start = read$values[forks$first], end = read$values[forks$first + forks$n - 1L])
  marks <- cbind(forks[, by, with = FALSE], ends)
  first_of <- seq_len(nrow(forks))
  values_of <- function(row) read$values[forks$first[row] + seq_len(forks$n[row]) - 1L]
  for (second in which(duplicated(marks))) {
    same <- marks[marks[second], on = names(marks), which = TRUE]
    values <- values_of(second)
    if (length(unique(values)) < 2) next
    for (first in same[same < second]) if (identical(values_of(first), values)) {
      first_of[second] <- first
      break
    }
  }
  again <- which(first_of != seq_len(nrow(forks)))
  pairs <- cbind(forks[again], forks[first_of[again], .(from = file, from_fork = fork)])
  findings <- if (nrow(pairs) > 0) pairs[, finding(
    sprintf(
      "result %d (%s) has %s again, as fork %d of %s is it", as.integer(entry[1]), benchmark[1],
      if (.N > 1L) sprintf("fork %d and %d more", fork[1], .N - 1L) else sprintf("fork %d", fork[1]),
      from_fork[1], from[1]
    ), "each fork once", "fork", file[1], entry[1], benchmark[1]
  ), by = .(of = file, result)][, c("of", "result") := NULL]
  list(pairs = pairs[, .(file, result, fork)], findings = findings)
}

# Percentiles of a fork's samples, which JMH stores as values with their counts in sample mode.

#' Percentiles that are printed, by JMH's names for them.
percentile_ranks <- c(p0.50 = 50, p0.90 = 90, p0.95 = 95, p0.99 = 99, p0.999 = 99.9, p0.9999 = 99.99)
percentile_names <- names(percentile_ranks)

#' Fewest samples of a fork beyond a percentile. With fewer, the percentile depends on chance in its slowest calls.
samples_beyond <- 10

#' Percentiles as JMH computes them for its score (`MultisetStatistics.getPercentile`). A percentile is the value at
#' position rank * (N + 1) / 100 of the sorted samples, interpolated linearly between two samples.
#'
#' @param values samples of one fork, in any order; `counts` of each
#' @return as many numbers as `percentile_ranks`; NA where too few samples lie beyond
sample_percentiles <- function(values, counts) {
  order <- order(values)
  values <- values[order]
  reached <- cumsum(counts[order])
  samples <- sum(counts)
  place <- percentile_ranks * (samples + 1) / 100
  at <- function(place) values[findInterval(pmin(pmax(place, 1), samples), reached, left.open = TRUE) + 1L]
  low <- at(floor(place))
  found <- low + (place - floor(place)) * (at(floor(place) + 1) - low)
  fifelse(samples * (1 - percentile_ranks / 100) >= samples_beyond - 1e-9, found, NA_real_)
}

# Units of JMH's numbers: which units suit a mode, and how one unit is converted into another.

time_units <- c(ns = 1, us = 1e3, ms = 1e6, s = 1e9, min = 60e9, hr = 3600e9, day = 86400e9)

#' Aliases of these units.
unit_aliases <- c(sec = "s", "\u00b5s" = "us", "\u03bcs" = "us", hour = "hr")

#' The unit, which must suit the mode: operations per time for throughput, else time per operation. The first versions
#' of JMH write a single shot's time without "/op".
mode_unit <- function(mode, unit, bad) {
  times <- names(time_units)
  if (mode == "ss" && unit %in% times) unit <- paste0(unit, "/op")
  # kotlinx-benchmark writes ops/sec and sec/op.
  parts <- strsplit(unit, "/", fixed = TRUE)[[1]]
  unit <- paste(fifelse(parts %in% names(unit_aliases), unit_aliases[parts], parts), collapse = "/")
  fits <- unit %in% if (mode == "thrpt") paste0("ops/", times) else paste0(times, "/op")
  if (!fits) bad(
    sprintf("of mode %s is in '%s'", mode, unit), if (mode == "thrpt") "ops/s or the like" else "s/op or the like"
  )
  unit
}

#' The factor that converts a number from one unit to another; NA where they measure different quantities. Vectorised.
unit_factor <- function(from, to) {
  time <- function(unit) time_units[sub("^ops/|/op$", "", unit)]
  factor <- fifelse(endsWith(from, "/op") & endsWith(to, "/op"), time(from) / time(to), NA_real_)
  factor <- fifelse(startsWith(from, "ops/") & startsWith(to, "ops/"), time(to) / time(from), factor)
  unname(fifelse(from == to, 1, factor))
}

# Forks that warm up together: a trend over the iterations that all forks of a benchmark share. Their means agree, so
# the interval over forks is narrow, although the code is not yet compiled.

#' A trend is defined by the level of the F test, and by the change between the first and last third of the iterations.
trend_level <- 0.001
trend_change <- 0.1

#' Longer series are averaged into this number of parts, because neighbouring iterations are not independent.
trend_parts <- 9L

#' Add the trend that each fork shares with the others of its benchmark and setting.
#'
#' Forks of one file are tested together. A fork that is alone in its file is tested with those of other files.
#'
#' @param forks of `jmh_forks`, in the order of `read$values`
#' @return `forks` with `shared_trend`: `warm-up`, `slowdown`, or empty
with_shared_trends <- function(forks, read) {
  setting <- setdiff(names(read$results), c(
    "file", "result", "entry", "unit", "forks_planned", "iterations_planned", "score", "jvm"
  ))
  results <- copy(read$results)[, setting := .GRP, by = setting]
  groups <- forks[, .(row = .I, file, result, n, first, lost, inverse, own)][own == TRUE & n > 1L]
  groups[results, setting := i.setting, on = c("file", "result")]
  groups[, place := if (.N > 1L) file else "", by = .(setting, file)]
  groups[, group := .GRP, by = .(setting, place)]
  groups[, `:=`(size = .N, even = all(n == n[1]) && sum(lost) == 0L), by = group]
  forks[, shared_trend := ""]
  groups <- groups[size > 1L][order(group)]
  if (nrow(groups) == 0) return(forks)
  for (part in split(groups[even == TRUE], by = c("n", "size"))) {
    values <- array(read$values[sequence(part$n, part$first)], c(part$n[1], part$size[1], uniqueN(part$group)))
    set_trends(forks, part, unique(part$group), shared_trends(values))
  }
  for (part in split(groups[even == FALSE], by = "group")) {
    values <- matrix(NA_real_, max(part$n), nrow(part))
    for (i in seq_len(nrow(part))) values[seq_len(part$n[i]), i] <- read$values[part$first[i] + seq_len(part$n[i]) - 1L]
    set_trends(forks, part, part$group[1], uneven_trend(values))
  }
  forks
}

#' Name the trends of groups: falling times are warm-up, and so is a rising throughput.
set_trends <- function(forks, part, groups, trends) {
  change <- trends$change[match(part$group, groups)] * fifelse(part$inverse, -1, 1)
  found <- trends$shared[match(part$group, groups)]
  set(forks, part$row[found], "shared_trend", fifelse(change[found] < 0, "warm-up", "slowdown"))
}

#' Whether forks share a trend, by two conditions. A repeated-measures F test of the iterations, on logs, rejects at
#' `trend_level`. The first and the last third of the iterations differ by more than `trend_change`.
#'
#' @param values array of positive numbers: iterations, forks (two or more), sets of forks
#' @return data.table, a row per set: `p` of the F test, `change` (log of last third over first third, mean over forks),
#'   `shared`
shared_trends <- function(values) {
  size <- dim(values)
  logs <- log(in_parts(matrix(values, size[1])))
  k <- nrow(logs)
  forks <- size[2]
  logs <- logs - rep(colMeans(logs), each = k)
  # Mean over forks of each iteration, a column per set.
  profile <- matrix(colMeans(aperm(array(logs, c(k, forks, size[3])), c(2, 1, 3))), k)
  between <- forks * colSums(profile^2)
  within <- pmax(colSums(matrix(logs^2, k * forks)) - between, 0)
  third <- max(k %/% 3L, 1L)
  change <- colMeans(profile[k + 1L - seq_len(third), , drop = FALSE]) -
    colMeans(profile[seq_len(third), , drop = FALSE])
  trend_rows(between, within, k - 1, (k - 1) * (forks - 1), change)
}

#' The same for one set whose forks have different numbers of iterations, or iterations without a number.
#'
#' @param values matrix, a column per fork; NA where an iteration is missing
uneven_trend <- function(values) {
  logs <- log(in_parts(values))
  known <- which(!is.na(logs), arr.ind = TRUE)
  dummies <- function(index) outer(index, unique(index), `==`) * 1
  fork <- dummies(known[, 2])
  y <- logs[!is.na(logs)]
  numbers <- sort(unique(known[, 1]))
  both <- cbind(fork, outer(known[, 1], numbers[-1], `==`) * 1)
  alone <- stats::.lm.fit(fork, y)
  fit <- stats::.lm.fit(both, y)
  within <- sum(fit$residuals^2)
  df <- c(fit$rank - alone$rank, length(y) - fit$rank)
  # Iterations are compared within forks. If an effect can't be estimated, no trend is reported.
  if (any(df < 1) || fit$rank < ncol(both)) return(trend_rows(0, 1, 1, 1, 0))
  effects <- c(0, fit$coefficients[ncol(fork) + seq_len(length(numbers) - 1L)])
  third <- max(length(effects) %/% 3L, 1L)
  change <- mean(utils::tail(effects, third)) - mean(utils::head(effects, third))
  trend_rows(sum(alone$residuals^2) - within, within, df[1], df[2], change)
}

trend_rows <- function(between, within, df_between, df_within, change) {
  # Identical forks have no variance within.
  f <- (between / df_between) / pmax(within / df_within, 1e-20)
  p <- stats::pf(f, df_between, df_within, lower.tail = FALSE)
  data.table(p = p, change = change, shared = p < trend_level & abs(change) > log1p(trend_change))
}

#' Means over `trend_parts` parts of a matrix's rows, where it has more rows.
in_parts <- function(values) {
  n <- nrow(values)
  if (n <= trend_parts) return(values)
  part <- ceiling(seq_len(n) * trend_parts / n)
  sums <- rowsum(values, part, na.rm = TRUE)
  counts <- rowsum((!is.na(values)) * 1, part)
  unname(sums / counts)
}

#' Advice for a row whose forks share a trend.
trend_words <- function(trend) {
  c(
    "warm-up" = "warmed up together while they were measured: more warm-up iterations (-wi) are needed",
    slowdown = "became slower together while they were measured",
    identical = "all have the same mean (a coarse clock, or copies), so their spread is not known"
  )[trend]
}
