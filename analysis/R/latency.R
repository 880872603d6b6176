# Percentiles of latencies from counts in bins.

#' Upper end of a latency bin in ns: 1000 * 2^(position / 16), as jcarerun.tls.Latencies has it.
latency_bin_ns <- function(position) 1000 * 2^(position / 16)

#' `latency.p50`, `latency.p90`, `latency.p99`, `latency.max` of each fork, over all the iterations given: the upper end
#' of the bin in which the percentile lies, so at most 4.4 % too long.
#'
#' @param counted rows of observations with `counts`
#' @return data.table: `fork_key`, `measure`, `value`
latency_values <- function(counted) {
  rows <- counted[measure == "latency"]
  if (nrow(rows) == 0) return(no_values())
  rows[, .(
    measure = c("latency.p50", "latency.p90", "latency.p99", "latency.max"),
    value = bin_percentiles(Reduce(`+`, lapply(strsplit(counts, ";", fixed = TRUE), as.numeric)), c(0.5, 0.9, 0.99, 1))
  ), by = fork_key]
}

#' The least bin end that a share of all counts does not exceed.
bin_percentiles <- function(counts, shares) {
  reached <- cumsum(counts)
  if (reached[length(reached)] == 0) return(rep(NA_real_, length(shares)))
  wanted <- ceiling(shares * reached[length(reached)])
  latency_bin_ns(vapply(wanted, function(count) which(reached >= count)[1] - 1, 0))
}
