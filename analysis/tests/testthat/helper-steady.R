# One series at a time, in plain loops: what `changepoints_many` and `classify_iterations` must give each of many.

#' Changepoints by exact optimal partitioning (Jackson 2005), O(n^2).
#'
#' @return integer, the last index of every segment but the last one
changepoints <- function(x, penalty = 15 * log(length(x)), shortest = 2L, floor = 1e-11) {
  n <- length(x)
  if (n < 2L * shortest) return(integer())
  x <- x - mean(x)
  sums <- c(0, cumsum(x))
  squares <- c(0, cumsum(x * x))
  # Differences of running sums can't tell less than this from 0.
  floor <- max(floor, n * .Machine$double.eps * squares[n + 1L] / n)
  # best[t + 1]: least cost of the first t values; the first segment pays no penalty.
  best <- c(-penalty, rep(Inf, n))
  from <- integer(n)
  for (end in shortest:n) {
    starts <- if (end < 2L * shortest) 0L else c(0L, shortest:(end - shortest))
    size <- end - starts
    variance <- (squares[end + 1L] - squares[starts + 1L]) / size - ((sums[end + 1L] - sums[starts + 1L]) / size)^2
    cost <- best[starts + 1L] + size * (log(2 * pi) + log(pmax(variance, floor)) + 1) + penalty
    choice <- which.min(cost)
    best[end + 1L] <- cost[choice]
    from[end] <- starts[choice]
  }
  found <- integer()
  at <- n
  while (from[at] > 0L) {
    at <- from[at]
    found <- c(at, found)
  }
  found
}

#' The class of a fork.
#'
#' @return list: `steady`, `steady_from`, `segment`
classify_steady <- function(times) {
  n <- length(times)
  floor <- (1e-4 * stats::median(times))^2
  cuts <- changepoints(times, min(15, n / 2) * log(n), floor = floor)
  if (length(cuts) == 0) return(list(steady = "flat", steady_from = 1L, segment = rep(1L, n)))

  segment <- findInterval(seq_len(n), cuts + 1L) + 1L
  means <- vapply(split(times, segment), mean, 0)
  last <- times[segment == length(means)]
  margin <- max(0.01 * mean(last), stats::sd(last))
  alike <- abs(means - mean(last)) <= margin
  first <- max(which(!alike), 0L) + 1L
  from <- match(first, segment)
  if (n - from + 1L < n / 4) {
    return(list(steady = "no steady state", steady_from = n %/% 2L + 1L, segment = segment))
  }
  class <- if (all(alike)) "flat" else if (any(means < mean(last) - margin)) "slowdown" else "warm-up"
  list(steady = class, steady_from = as.integer(from), segment = segment)
}
