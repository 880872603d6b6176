# Percentiles of a fork's samples, which JMH keeps as values with their counts in sample mode.

#' Percentiles that are told, by JMH's names for them.
percentile_ranks <- c(p0.50 = 50, p0.90 = 90, p0.95 = 95, p0.99 = 99, p0.999 = 99.9, p0.9999 = 99.99)
percentile_names <- names(percentile_ranks)

#' Samples that must lie beyond a percentile of a fork: fewer say how its slowest calls happened to be.
samples_beyond <- 10

#' Percentiles as JMH computes them for its score (`MultisetStatistics.getPercentile`): the value at place
#' rank * (N + 1) / 100 in order of size, between two samples by parts.
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
