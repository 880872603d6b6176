# Where a fork is steady: which of its iterations enter its mean, and what kind of start it had.

#' Variation below this part of the fork's median is taken for the clock's, not for a change.
clock_resolution <- 1e-4

#' Means that differ by less than this part are equivalent.
equivalence_margin <- 0.01

#' Penalty per changepoint in a fork of n iterations: 15 ln n from 30 iterations on, as Barrett et al. took for 2000.
#'
#' What a changepoint can gain grows with n, so in 15 iterations 15 ln n is out of reach of a plain warm-up: in
#' simulation (noise 1.5 %, start twice as slow, decay over 3 iterations) 90 % of forks passed for flat, and the means
#' were 21 % too high. With n / 2 in place of 15 all are found (3.5 % too high: the fork ends before its warm-up does),
#' and 0.4 % of forks without a change are cut (15 % at autocorrelation 0.7, which costs precision, not truth).
steady_penalty <- function(n) min(15, n / 2) * log(n)

#' Mark the iterations that enter their fork's mean.
#'
#' Changepoints are sought on wall time per operation; CPU time uses the same iterations.
#'
#' @param iterations data.table in order of `iteration` within every fork, with the columns `by`, `warmup` (the
#'   protocol's: `steady-state` or a number of leading iterations), `duration_ns`, `operations`
#' @param by columns that name a fork
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
