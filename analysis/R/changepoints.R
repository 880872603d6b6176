# Changepoints in mean and variance by exact optimal partitioning, for many series of the same length.
# The algorithm is Jackson's (2005), the model that of Killick 2012 and Barrett 2017.
#
# All series are processed at once, with one operation on a column for all of them. Each series is divided into blocks.
# In an open block, every index may be a changepoint. In a closed block, only its ends may be. A closed block may also
# count as broken. A broken block represents any changes inside it, at a price that never exceeds theirs.
#
# Cutting a segment never increases its cost. The cheapest chain of segments and broken blocks therefore costs at most
# as much as the best partition. A cheapest chain without a broken block is the best partition. Otherwise its broken
# blocks are opened and the search is repeated.

#' Values in a block. Blocks are short because the price of two changes in a block assumes values without variation.
block_size <- 8L

#' Indices of every column after which its mean or variance changes.
#'
#' Minimises the sum over segments of L (ln 2 pi + ln max(var, floor) + 1), plus `penalty` for every changepoint. L is
#' the length of a segment and var its mean squared deviation.
#'
#' @param x numeric matrix, one series per column, in order of time
#' @param penalty per changepoint
#' @param shortest least length of a segment
#'
#' @param floor lower bound of the variance, in squared units of x; one per column or one for all. Without it, constant
#'   segments would cost minus infinity
#'
#' @return data.table `series` (column number), `cut` (last index of every segment but the last), in this order
changepoints_many <- function(x, penalty = 15 * log(nrow(x)), shortest = 2L, floor = 1e-11) {
  n <- nrow(x)
  none <- data.table(series = integer(), cut = integer())
  if (n < 2L * shortest || ncol(x) == 0L) return(none)
  ends <- block_ends(n)
  sums <- running_sums(x, rep_len(floor, ncol(x)))
  sums$prices <- broken_prices(sums, ends, penalty)
  # The search with closed blocks does not pay off for short series.
  open <- matrix(n <= 4L * block_size, ncol(x), length(ends) - 1L)
  left <- seq_len(ncol(x))
  cuts <- list(none)
  while (length(left) > 0L) {
    found <- lapply(group_identical_rows(open[left, , drop = FALSE], ends), function(own) {
      rows <- left[own]
      chain <- best_chain(sums, rows, node_places(open[rows, , drop = FALSE], ends), ends, penalty, shortest)
      chain$broken[, row := rows[row]]
      chain$cuts[, series := rows[series]]
      chain
    })
    broken <- rbindlist(lapply(found, `[[`, "broken"))
    left <- sort(unique(broken$row))
    cuts <- c(cuts, lapply(found, function(chain) chain$cuts[!series %in% left]))
    # Several broken blocks in one series indicate many changes, so the adjacent blocks are opened too.
    several <- broken[, .(block = if (.N > 1L) c(block - 1L, block, block + 1L) else block), by = row]
    open[as.matrix(several[block >= 1L & block <= ncol(open)])] <- TRUE
    open[left, ] <- even_numbers(open[left, , drop = FALSE])
  }
  cuts <- rbindlist(cuts)
  setorder(cuts, series, cut)[]
}

#' Running sums, one row per series, one column per index 0 to n. The cost of any segment follows from them.
running_sums <- function(x, floor) {
  n <- nrow(x)
  x <- t(x)
  x <- x - rowMeans(x)
  sums <- cbind(0, row_cumsum(x))
  squares <- cbind(0, row_cumsum(x * x))
  list(sums = sums, squares = squares, floor = pmax.int(floor, n * .Machine$double.eps * squares[, n + 1L] / n))
}

#' Cumulative sums along every row.
row_cumsum <- function(x) {
  for (column in seq_len(ncol(x))[-1L]) x[, column] <- x[, column] + x[, column - 1L]
  x
}

#' Indices where blocks end, 0 and n included; the last block includes the remainder.
block_ends <- function(n) {
  blocks <- max(n %/% block_size, 1L)
  c(seq(0L, by = block_size, length.out = blocks), as.integer(n))
}

#' Rounds the number of open blocks up to a multiple of four, so that more series can be processed together. More open
#' blocks do not change the result.
even_numbers <- function(open) {
  wanted <- -rowSums(open) %% 4
  open | row_cumsum(1L - open) <= wanted
}

#' Rows with the same number of nodes, at most 1000 per group, so that a column of them fits in the processor's cache.
group_identical_rows <- function(open, ends) {
  counts <- drop(open %*% (diff(ends) - 1L))
  by_count <- split(seq_along(counts), counts)
  unlist(lapply(by_count, function(rows) split(rows, (seq_along(rows) - 1L) %/% 1000L)), recursive = FALSE)
}

#' Indices where a segment may end: the ends of blocks, and every index of open blocks; one row per series.
node_places <- function(open, ends) {
  last <- ends[length(ends)]
  block <- findInterval(seq_len(last) - 1L, ends[-length(ends)])
  kept <- t(open[, block, drop = FALSE])
  kept[ends[-1L], ] <- TRUE
  matrix(row(kept)[kept], nrow(open), byrow = TRUE)
}

#' The cheapest chain of segments and broken blocks for every series.
#'
#' @param rows rows of `sums`, which comes from `running_sums`
#' @param places from `node_places`, for these rows
#'
#' @return list of data.tables `cuts` (`series`, `cut`) and `broken` (`row`, `block`) of the chain, numbered within
#'   `rows`
best_chain <- function(sums, rows, places, ends, penalty, shortest) {
  m <- length(rows)
  nodes <- cbind(0L, places)
  count <- ncol(nodes)
  spot <- cbind(rep(rows, count), c(nodes) + 1L)
  level <- matrix(sums$sums[spot], m)
  square <- matrix(sums$squares[spot], m)
  floor <- sums$floor[rows]
  # Price of a broken block that ends at each node; adjacent indices leave no room for one.
  block <- findInterval(nodes - 1L, ends)
  prices <- matrix(sums$prices[cbind(rep(rows, count), pmax.int(block, 1L))], m)
  prices[, -1L][nodes[, -1L] - nodes[, -count] == 1L] <- Inf
  # chain: cheapest way to a node. follow: cheapest way after which a segment may start. A change between two segments
  # costs a penalty; the price of a broken block already includes it.
  chain <- follow <- matrix(Inf, m, count)
  chain[, 1L] <- follow[, 1L] <- 0
  from <- matrix(1L, m, count)
  ended_broken <- start_broken <- matrix(FALSE, m, count)
  for (end in 2L:count) {
    least <- rep(Inf, m)
    for (start in seq_len(end - 1L)) {
      size <- nodes[, end] - nodes[, start]
      mean <- (level[, end] - level[, start]) / size
      variance <- (square[, end] - square[, start]) / size - mean^2
      cost <- follow[, start] + size * (log(2 * pi) + log(pmax.int(variance, floor)) + 1)
      better <- which(cost < least & size >= shortest)
      least[better] <- cost[better]
      from[better, end] <- start
    }
    broken <- chain[, end - 1L] + prices[, end]
    ended_broken[, end] <- broken < least
    start_broken[, end] <- broken < least + penalty
    chain[, end] <- pmin.int(least, broken)
    follow[, end] <- pmin.int(least + penalty, broken)
  }
  trace_chain(from, ended_broken, start_broken, nodes, ends)
}

#' Price of one or more changes inside each block, a lower bound of their cost. It is the smaller of two values: the
#' cost of the best single change, and two penalties with every value at the least variance.
#'
#' @return matrix, one row per series, one column per block
broken_prices <- function(sums, ends, penalty) {
  cost <- function(from, to) {
    size <- to - from
    mean <- (sums$sums[, to + 1L] - sums$sums[, from + 1L]) / size
    variance <- (sums$squares[, to + 1L] - sums$squares[, from + 1L]) / size - mean^2
    size * (log(2 * pi) + log(pmax.int(variance, sums$floor)) + 1)
  }
  prices <- vapply(seq_len(length(ends) - 1L), function(block) {
    from <- ends[block]
    to <- ends[block + 1L]
    price <- (to - from) * (log(2 * pi) + log(sums$floor) + 1) + 2 * penalty
    for (cut in seq.int(from + 1L, to - 1L)) price <- pmin.int(price, cost(from, cut) + cost(cut, to) + penalty)
    price
  }, sums$floor)
  matrix(prices, length(sums$floor))
}

#' Traces the cheapest chain back from the end of every series.
trace_chain <- function(from, ended_broken, start_broken, nodes, ends) {
  series <- seq_len(nrow(from))
  node <- rep(ncol(from), length(series))
  broken <- ended_broken[cbind(series, node)]
  cuts <- list(data.table(series = integer(), cut = integer()))
  blocks <- list(data.table(row = integer(), block = integer()))
  while (length(series) > 0L) {
    place <- nodes[cbind(series, node)]
    blocks <- c(blocks, list(data.table(row = series, block = findInterval(place - 1L, ends))[broken]))
    previous <- fifelse(broken, node - 1L, from[cbind(series, node)])
    # A broken block may follow any end. A segment may only follow an end after which a segment may start.
    next_broken <- fifelse(broken, ended_broken[cbind(series, previous)], start_broken[cbind(series, previous)])
    inside <- previous > 1L
    series <- series[inside]
    node <- previous[inside]
    broken <- next_broken[inside]
    cuts <- c(cuts, list(data.table(series = series, cut = nodes[cbind(series, node)])))
  }
  list(cuts = rbindlist(cuts), broken = rbindlist(blocks))
}
