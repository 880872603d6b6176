# Changepoints in mean and variance by exact optimal partitioning, for many series of the same length.
# The algorithm is Jackson's (2005), the model that of Killick 2012 and Barrett 2017.
#
# A first search looks at the ends of blocks only. A block may also count as broken: that represents any changes inside
# it, at a price that never exceeds theirs. Cutting a segment never increases its cost. The cheapest chain of segments
# and broken blocks therefore costs at most as much as the best partition. A cheapest chain without a broken block is
# the best partition. Most series are flat and end here. The others are searched at every index.

#' Least number of values in a segment.
shortest_segment <- 2L

#' Values in a block. Blocks are short because the price of two changes in a block assumes values without variation.
block_size <- 8L

#' Indices of every column after which its mean or variance changes.
#'
#' Minimises the sum over segments of L (ln 2 pi + ln max(var, floor) + 1), plus `penalty` for every changepoint. L is
#' the length of a segment and var its mean squared deviation.
#'
#' @param x numeric matrix, one series per column, in order of time
#' @param penalty per changepoint
#'
#' @param floor lower bound of the variance, in squared units of x; one per column or one for all. Without it, constant
#'   segments would cost minus infinity
#'
#' @return data.table `series` (column number), `cut` (last index of every segment but the last), in this order
changepoints_many <- function(x, penalty = 15 * log(nrow(x)), floor = 1e-11) {
  n <- nrow(x)
  none <- data.table(series = integer(), cut = integer())
  if (n < 2L * shortest_segment || ncol(x) == 0L) return(none)
  floor <- rep_len(floor, ncol(x))
  search <- function(series, nodes) {
    # Groups are small enough for the processor's cache.
    groups <- split(series, (seq_along(series) - 1L) %/% max(100000L %/% n, 1L))
    found <- lapply(groups, function(own) {
      sums <- running_sums(x[, own, drop = FALSE], floor[own])
      chain <- cheapest_chain(sums, nodes, penalty)
      list(cuts = chain$cuts[, series := own[series]], broken = own[chain$broken])
    })
    list(cuts = rbindlist(lapply(found, `[[`, "cuts")), broken = unlist(lapply(found, `[[`, "broken")))
  }
  ends <- unique(c(seq(0L, max(n - block_size, 0L), by = block_size), n))
  # Blocks do not pay off for short series.
  flat <- if (n > 4L * block_size) search(seq_len(ncol(x)), ends) else list(cuts = none, broken = seq_len(ncol(x)))
  cuts <- rbind(flat$cuts[!series %in% flat$broken], search(flat$broken, 0:n)$cuts)
  setorder(cuts, series, cut)[]
}

#' Running sums, one row per series, one column per index 0 to n. The cost of any segment follows from them.
running_sums <- function(x, floor) {
  n <- nrow(x)
  x <- t(x)
  x <- x - rowMeans(x)
  squares <- cbind(0, row_cumsum(x * x))
  list(
    sums = cbind(0, row_cumsum(x)), squares = squares,
    # Differences of running sums can't tell less than this from 0.
    floor = pmax.int(floor, n * .Machine$double.eps * squares[, n + 1L] / n)
  )
}

#' Cumulative sums along every row.
row_cumsum <- function(x) {
  for (column in seq_len(ncol(x))[-1L]) x[, column] <- x[, column] + x[, column - 1L]
  x
}

#' Cost of segments from some indices, `from`, to `to`: a matrix with a row for each series.
segment_costs <- function(sums, from, to) {
  size <- rep(to - from, each = nrow(sums$sums))
  mean <- (sums$sums[, to + 1L] - sums$sums[, from + 1L]) / size
  variance <- (sums$squares[, to + 1L] - sums$squares[, from + 1L]) / size - mean^2
  matrix(size * (log(2 * pi) + log(pmax.int(variance, sums$floor)) + 1), nrow(sums$sums))
}

#' The cheapest chain of segments and broken blocks for every series.
#'
#' @param sums of `running_sums`
#' @param nodes indices where segments may end, from 0 to n. Nodes that are not adjacent indices are the ends of a block
#'
#' @return list of `cuts` (data.table `series`, `cut`) and `broken` (the series whose chain has a broken block)
cheapest_chain <- function(sums, nodes, penalty) {
  m <- nrow(sums$sums)
  count <- length(nodes)
  # chain: cheapest way to a node. follow: cheapest way after which a segment may start. A change between two segments
  # costs a penalty; the price of a broken block already includes it.
  chain <- follow <- matrix(Inf, m, count)
  chain[, 1L] <- follow[, 1L] <- 0
  from <- matrix(1L, m, count)
  ended_broken <- start_broken <- matrix(FALSE, m, count)
  for (end in 2L:count) {
    least <- rep(Inf, m)
    starts <- which(nodes[end] - nodes[seq_len(end - 1L)] >= shortest_segment)
    if (length(starts) > 0L) {
      cost <- follow[, starts] + segment_costs(sums, nodes[starts], nodes[end])
      best <- max.col(-cost, "first")
      from[, end] <- starts[best]
      least <- cost[cbind(seq_len(m), best)]
    }
    broken <- chain[, end - 1L] + broken_price(sums, nodes[end - 1L], nodes[end], penalty)
    ended_broken[, end] <- broken < least
    start_broken[, end] <- broken < least + penalty
    chain[, end] <- pmin.int(least, broken)
    follow[, end] <- pmin.int(least + penalty, broken)
  }
  trace_chain(from, ended_broken, start_broken, nodes)
}

#' Price of one or more changes inside a block, a lower bound of their cost. It is the smaller of two values: the cost
#' of the best single change, and two penalties with every value at the least variance. Adjacent indices are no block.
broken_price <- function(sums, from, to, penalty) {
  if (to - from == 1L) return(Inf)
  inside <- seq.int(from + 1L, to - 1L)
  single <- lapply(inside, function(cut) segment_costs(sums, from, cut) + segment_costs(sums, cut, to) + penalty)
  two <- (to - from) * (log(2 * pi) + log(sums$floor) + 1) + 2 * penalty
  drop(do.call(pmin.int, c(single, list(two))))
}

#' Traces the cheapest chain back from the end of every series.
trace_chain <- function(from, ended_broken, start_broken, nodes) {
  series <- seq_len(nrow(from))
  node <- rep(ncol(from), length(series))
  broken <- ended_broken[cbind(series, node)]
  cuts <- list(data.table(series = integer(), cut = integer()))
  with_broken <- integer()
  while (length(series) > 0L) {
    with_broken <- c(with_broken, series[broken])
    previous <- fifelse(broken, node - 1L, from[cbind(series, node)])
    # A broken block may follow any end. A segment may only follow an end after which a segment may start.
    next_broken <- fifelse(broken, ended_broken[cbind(series, previous)], start_broken[cbind(series, previous)])
    inside <- previous > 1L
    series <- series[inside]
    node <- previous[inside]
    broken <- next_broken[inside]
    cuts <- c(cuts, list(data.table(series = series, cut = as.integer(nodes[node]))))
  }
  list(cuts = rbindlist(cuts), broken = unique(with_broken))
}
