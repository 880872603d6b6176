# Where forks are steady, for many forks at once.

#' Class every fork of the same length by its changepoints.
#'
#' After Barrett et al. 2017 ("Virtual machine warmup blows hot and cold"), with three choices of ours:
#' - two segments are equivalent when their means differ by at most 1 % of the last one's mean, or its standard
#'   deviation (theirs: its variance, or 1 ms, which has no meaning for times per operation);
#' - the steady part is the last segment and the unbroken run of equivalent ones before it;
#' - there is no steady state when that part is shorter than a quarter of the iterations. The fork is then marked and
#'   its mean is taken over the last half, so that it isn't lost; the report counts such forks.
#' Otherwise a fork whose steady part is everything is `flat`; `slowdown` if some earlier segment was faster beyond
#' equivalence; else `warm-up`.
#'
#' @param times matrix, one fork per column, time per operation of each iteration in order; any unit
#' @return data.table, one row per column: `steady` (class), `steady_from` (first iteration that counts); attribute
#'   `cuts`, its changepoints, of `changepoints_many`
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

#' Class forks of any lengths, for a table with a row per iteration.
#'
#' @param times time per operation of each iteration, those of a fork in order
#' @param fork whose iteration each is, any values
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
    segment <- column_cumsum(segment - 1L) + 1L
    set(result, i = c(rows), j = "steady", value = rep(classes$steady, each = length))
    set(result, i = c(rows), j = "steady_from", value = rep(classes$steady_from, each = length))
    set(result, i = c(rows), j = "segment", value = c(segment))
  }
  result[]
}

#' Cumulative sums down every column.
column_cumsum <- function(x) t(row_cumsum(t(x)))
