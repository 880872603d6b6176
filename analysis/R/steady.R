# When a fork is steady: which of its iterations enter its mean, and the class of its warm-up.

#' Variation below this part of the fork's median is attributed to the clock, not to a change.
clock_resolution <- 1e-4

#' Means that differ by less than this part are equivalent.
equivalence_margin <- 0.01

#' Penalty per changepoint in a fork of n iterations: 15 ln n from 30 iterations on. Barrett et al. used it for 2000.
#'
#' The gain from a changepoint grows with n, so in 15 iterations a plain warm-up can't reach 15 ln n. A simulation had
#' noise of 1.5 %, a start twice as slow, and decay over 3 iterations. There, 90 % of forks were classed as flat, and
#' the means were 21 % too high. With n / 2 in place of 15, all warm-ups are found. The means are still 3.5 % too high,
#' because the fork ends before its warm-up does. Of the forks without a change, 0.4 % are cut (15 % at autocorrelation
#' 0.7). This costs precision, but adds no bias.
steady_penalty <- function(n) min(15, n / 2) * log(n)

#' Mark the iterations that enter their fork's mean.
#'
#' Changepoints are detected in wall time per operation. CPU time uses the same iterations.
#'
#' @param iterations data.table with the columns `by`, `warmup`, `duration_ns`, `operations`. Within every fork it is
#'   in order of `iteration`. Column `warmup` is the protocol's: `steady-state`, or a number of leading iterations.
#' @return the same table with `segment`, `measured`, `steady`
mark_measured <- function(iterations, by) {
  iterations[, place := seq_len(.N), by = by]
  iterations[, `:=`(segment = NA_integer_, measured = FALSE, steady = "not sought")]
  sought <- iterations$warmup == "steady-state"
  iterations[!sought, measured := place > as.integer(warmup)]
  if (any(sought)) {
    iterations[, own := .GRP, by = by]
    iterations[sought, c("steady", "steady_from", "segment") := classify_iterations(duration_ns / operations, own)]
    iterations[sought, measured := place >= steady_from]
    iterations[, c("steady_from", "own") := NULL]
  }
  iterations[, place := NULL][]
}

# Detects where forks are steady, for many forks at once.

#' Class every fork of the same length by its changepoints.
#'
#' The method follows Barrett et al. 2017 ("Virtual machine warmup blows hot and cold"). Three choices are ours.
#'
#' - Two segments are equivalent if their means differ by at most 1 % of the last one's mean, or by its standard
#'   deviation. Barrett et al. use its variance, or 1 ms, which has no meaning for times per operation.
#'
#' - The steady part is the last segment and the unbroken run of equivalent ones before it.
#'
#' - There is no steady state if that part is shorter than a quarter of the iterations. The fork is then marked, and
#'   its mean is taken over the last half, so that it isn't lost. The report counts such forks.
#'
#' All other forks have one of three classes. A fork whose steady part is everything is `flat`. It is `slowdown` if
#' some earlier segment was faster beyond equivalence, and `warm-up` otherwise.
#'
#' @param times matrix, one fork per column: the time per operation of each iteration in order, in any unit
#' @return data.table, one row per column: `steady` (class), `steady_from` (first iteration that counts). The attribute
#'   `cuts` has the changepoints of `changepoints_many`.
classify_steady_many <- function(times) {
  n <- nrow(times)
  result <- data.table(steady = rep("flat", ncol(times)), steady_from = 1L)
  floor <- (clock_resolution * column_medians(times))^2
  cuts <- changepoints_many(times, steady_penalty(n), floor = floor)
  setattr(result, "cuts", cuts)
  if (nrow(cuts) == 0L) return(result[])

  segments <- fork_segments(times, cuts)
  last <- segments[, .SD[.N], by = series]
  segments[last, `:=`(
    final = i.mean, margin = pmax(equivalence_margin * i.mean, i.sd), count = i.segment
  ), on = "series"]
  segments[, `:=`(alike = abs(mean - final) <= margin, faster = mean < final - margin)]
  forks <- segments[, .(
    first = max(0L, segment[!alike]) + 1L, faster = any(faster), flat = all(alike)
  ), by = series]
  forks[segments, from := i.from, on = c("series", first = "segment")]
  forks[, class := fifelse(flat, "flat", fifelse(faster, "slowdown", "warm-up"))]
  forks[n - from + 1L < n / 4, `:=`(class = "no steady state", from = n %/% 2L + 1L)]
  result[forks$series, `:=`(steady = forks$class, steady_from = forks$from)][]
}

#' Segments of the forks that have changepoints: `series`, `segment`, `from`, `to`, `mean`, `sd`.
fork_segments <- function(times, cuts) {
  n <- nrow(times)
  segments <- cuts[, .(from = c(1L, cut + 1L), to = c(cut, n)), by = series]
  segments[, segment := seq_len(.N), by = series]
  size <- segments$to - segments$from + 1L
  rows <- sequence(size, segments$from)
  values <- data.table(id = rep(seq_along(size), size), value = times[cbind(rows, rep(segments$series, size))])
  moments <- values[, .(mean = mean(value), sd = sd(value)), by = id]
  segments[, `:=`(mean = moments$mean, sd = moments$sd)][]
}

#' Median of every column.
column_medians <- function(x) {
  n <- nrow(x)
  sorted <- matrix(x[order(rep(seq_len(ncol(x)), each = n), x, method = "radix")], n)
  middle <- (n + 1) / 2
  (sorted[floor(middle), ] + sorted[ceiling(middle), ]) / 2
}

#' Class forks of any length.
#'
#' @param times time per operation of each iteration, those of a fork in order; `fork` of each, any values
#' @return data.table, one row per iteration: `steady`, `steady_from`, `segment` (1, 2, ... of each iteration)
classify_iterations <- function(times, fork) {
  place <- data.table(fork = fork, row = seq_along(times))
  place[, n := .N, by = fork]
  result <- data.table(steady = rep("flat", length(times)), steady_from = 1L, segment = 1L)
  for (length in unique(place$n)) {
    # Rows of forks of this length, one column per fork.
    rows <- place[n == length]
    rows <- matrix(rows$row[order(match(rows$fork, unique(rows$fork)))], length)
    columns <- matrix(times[rows], length)
    classes <- classify_steady_many(columns)
    segment <- matrix(1L, length, ncol(columns))
    cuts <- attr(classes, "cuts")
    segment[cbind(cuts$cut + 1L, cuts$series)] <- 2L
    segment <- apply(segment - 1L, 2, cumsum) + 1L
    set(result, i = c(rows), j = "steady", value = rep(classes$steady, each = length))
    set(result, i = c(rows), j = "steady_from", value = rep(classes$steady_from, each = length))
    set(result, i = c(rows), j = "segment", value = c(segment))
  }
  result[]
}

# One row per fork: its mean times per operation over the measured iterations.

#' Summarise forks.
#'
#' A fork's mean is the sum of times over the sum of operations of its measured iterations. Wall time is divided by the
#' operations that JMH timed. CPU time is divided by all operations of the iteration, since its window is slightly
#' wider than JMH's.
#'
#' The same means without the iterations that a pause of the JVM hit are for the sensitivity analysis.
#'
#' @param iterations data.table of `mark_measured`. Pauses are in its column `pause_ms`; without this column there are
#'   none.
#'
#' @return data.table: `by`, then `iterations` to `iterations_paused` as in the dictionary (times in ns per operation)
fork_means <- function(iterations, by) {
  counts <- iterations[, .(iterations = .N, steady = steady[1], steady_from = iteration[which.max(measured)]), by = by]
  means <- iterations[measured == TRUE, .(
    measured_iterations = .N,
    wall_ns_per_op = sum(duration_ns) / sum(operations),
    cpu_ns_per_op = sum(worker_cpu_ns) / sum(all_operations),
    process_cpu_ns_per_op = sum(process_user_ns + process_system_ns) / sum(all_operations),
    sd_within_wall_ns = stats::sd(duration_ns / operations),
    sd_within_cpu_ns = stats::sd(worker_cpu_ns / all_operations)
  ), by = by]
  forks <- merge(counts, means, by = by, all.x = TRUE, sort = FALSE)
  forks <- merge(forks, unpaused_means(iterations, by), by = by, all.x = TRUE, sort = FALSE)
  setcolorder(forks, c(by, "iterations", "measured_iterations", "steady", "steady_from"))
  forks[]
}

#' Means over the measured iterations that no pause hit. Empty if a pause hit every one. Even the shortest pause in the
#' log counts.
unpaused_means <- function(iterations, by) {
  measured <- iterations[measured == TRUE]
  hit <- if ("pause_ms" %in% names(measured)) fcoalesce(measured$pause_ms, 0) > 0 else rep(FALSE, nrow(measured))
  counts <- measured[, .(iterations_paused = 0L), by = by]
  if (any(hit)) {
    found <- measured[hit, .(n = .N), by = by]
    counts[found, iterations_paused := i.n, on = by]
  }
  means <- measured[!hit, .(
    wall_ns_per_op_unpaused = sum(duration_ns) / sum(operations),
    cpu_ns_per_op_unpaused = sum(worker_cpu_ns) / sum(all_operations)
  ), by = by]
  merge(means, counts, by = by, all.y = TRUE, sort = FALSE)
}

# When the times of a cell become steady. After a changepoint they may still fall for long, too slowly for another
# changepoint. A window of iterations is steady if it shows no drift against the later ones, which stage two would not
# measure.

#' Part of the wanted half-width by which the mean of a steady window may differ from the later iterations.
drift_part <- 0.1

#' Level of the paired t test between a window and the later iterations. Without the test, every window of noisy times
#' would be postponed. The level is high because a needless postponement costs one iteration, but a drifting window
#' makes a mean wrong.
drift_level <- 0.2

#' The shortest warm-up of at least `warm` iterations after which `measured` iterations are steady.
#'
#' Drift is the mean log time over a window less that over the later iterations of the fork, averaged over forks. It
#' counts if it exceeds `drift_part` of the wanted half-width and differs from 0 by a t test.
#'
#' @param timed iterations of the forks, those of a fork in order. Only the first `size` of each are used
#' @param wanted half-width, relative
#' @return number of iterations. It is `size` - `measured`, i.e. a window at the fork's end, if no earlier window is
#'   steady.
steady_warmup <- function(timed, warm, measured, size, wanted) {
  logs <- matrix(log(timed$duration_ns / timed$operations)[timed$iteration <= size], size)
  over <- function(from, to) colMeans(logs[from:to, , drop = FALSE])
  while (warm + measured < size) {
    end <- warm + measured
    if (!drifts(over(warm + 1, end) - over(end + 1, size), drift_part * wanted)) break
    warm <- warm + 1
  }
  warm
}

#' Whether differences, one for each fork, have a mean beyond `bound` that differs from 0 by a t test.
drifts <- function(differences, bound) {
  n <- length(differences)
  margin <- stats::qt(1 - drift_level / 2, n - 1) * stats::sd(differences) / sqrt(n)
  abs(mean(differences)) > max(bound, margin)
}
