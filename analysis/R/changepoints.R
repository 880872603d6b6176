# Changepoints in mean and variance by exact optimal partitioning, for many series of the same length.
# The algorithm is Jackson's (2005), the model that of Killick 2012 and Barrett 2017.

#' Least number of values in a segment.
shortest_segment <- 2L

#' Indices of every column after which its mean or variance changes.
#'
#' Minimises the sum over segments of L (ln 2 pi + ln max(var, floor) + 1), plus `penalty` for every changepoint. L is
#' the length of a segment and var its mean squared deviation.
#'
#' @param x numeric matrix, one series per column, in order of time
#' @param penalty per changepoint
#' @param floor lower bound of the variance, in squared units of x; one per column or one for all. Without it, constant
#'   segments would cost minus infinity
#'
#' @return data.table `series` (column number), `cut` (last index of every segment but the last), in this order
changepoints_many <- function(x, penalty = 15 * log(nrow(x)), floor = 1e-11) {
  n <- nrow(x)
  if (n < 2L * shortest_segment || ncol(x) == 0L) return(data.table(series = integer(), cut = integer()))
  floor <- rep_len(floor, ncol(x))
  # All series of a group are partitioned at once. Groups are small enough for the processor's cache.
  groups <- split(seq_len(ncol(x)), (seq_len(ncol(x)) - 1L) %/% max(40000L %/% n, 1L))
  cuts <- unlist(lapply(groups, function(series) {
    starts <- last_starts(x[, series, drop = FALSE], penalty, floor[series])
    lapply(seq_along(series), function(row) trace_cuts(starts[row, ]))
  }), recursive = FALSE)
  data.table(series = rep(seq_along(cuts), lengths(cuts)), cut = as.integer(unlist(cuts)))
}

#' For every series and index, the index before the last segment of the cheapest partition that ends there.
#'
#' @param x,penalty,floor as in `changepoints_many`, with a floor for each column
#' @return matrix, one row per series, one column per index of its last value
last_starts <- function(x, penalty, floor) {
  n <- nrow(x)
  # The cost of any segment follows from running sums, one row per series, one column per index 0 to n.
  x <- t(x)
  x <- x - rowMeans(x)
  sums <- cbind(0, row_cumsum(x))
  squares <- cbind(0, row_cumsum(x * x))
  # Differences of running sums can't tell less than this from 0.
  floor <- pmax.int(floor, n * .Machine$double.eps * squares[, n + 1L] / n)
  # The least cost of the values up to each index, with the penalty for a change after it.
  least <- matrix(0, nrow(x), n + 1L)
  from <- matrix(0L, nrow(x), n)
  for (end in shortest_segment:n) {
    starts <- if (end < 2L * shortest_segment) 0L else c(0L, shortest_segment:(end - shortest_segment))
    size <- rep(end - starts, each = nrow(x))
    mean <- (sums[, end + 1L] - sums[, starts + 1L]) / size
    variance <- (squares[, end + 1L] - squares[, starts + 1L]) / size - mean^2
    cost <- least[, starts + 1L] + size * (log(2 * pi) + log(pmax.int(variance, floor)) + 1)
    cost <- matrix(cost, nrow(x))
    cheapest <- max.col(-cost, "first")
    from[, end] <- starts[cheapest]
    least[, end + 1L] <- cost[cbind(seq_len(nrow(x)), cheapest)] + penalty
  }
  from
}

#' The ends of all segments but the last, traced back from the end of a series.
trace_cuts <- function(starts) {
  cuts <- integer()
  cut <- starts[length(starts)]
  while (cut > 0L) {
    cuts <- c(cut, cuts)
    cut <- starts[cut]
  }
  cuts
}

#' Cumulative sums along every row.
row_cumsum <- function(x) {
  for (column in seq_len(ncol(x))[-1L]) x[, column] <- x[, column] + x[, column - 1L]
  x
}
