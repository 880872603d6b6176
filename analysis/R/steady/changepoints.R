# Changepoints in mean and variance by exact optimal partitioning (Jackson 2005; the model of Killick 2012 and Barrett
# 2017).

#' Positions after which mean or variance changes.
#'
#' Minimises the sum over segments of L (ln 2 pi + ln max(var, floor) + 1), L the length and var the mean squared
#' deviation, plus `penalty` for every changepoint. Exact, O(n^2) with an inner vector operation: meant for the tens to
#' hundreds of iterations of a fork.
#'
#' @param x numeric, in order of time
#' @param penalty per changepoint
#' @param shortest least length of a segment
#' @param floor least variance that is believed, in squared units of x: constant stretches would cost minus infinity
#' @return integer, the last index of every segment but the last one; empty if nothing changes
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
