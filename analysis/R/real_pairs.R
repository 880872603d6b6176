# A/A pairs of a real run: every cell that was measured often enough, taken as two.

#' Ratios of the halves of cells.
#'
#' The forks of a cell are dealt in turn, in the order of their rounds, to two halves; their ratio's 95 % interval
#' should leave out 1 in one case of twenty. Only forks of the first stage: how many there are of the second depends on
#' what the first gave. Cells with fewer than 10 are left out.
#'
#' @param forks the table `forks.csv`
#' @return data.table: `cell_id`, `forks_min` (of a half), the estimates of `welch_ratio`; no interval where a half
#'   has a mean of 0
real_pair_ratios <- function(forks, confidence = 0.95) {
  long <- forks_by_measure(forks)[measure == "wall" & stage == 1L]
  long[, count := .N, by = cell_id]
  halves <- long[count >= 2L * verdict_forks]
  setorderv(halves, c(cell_id, "number", "fork"))
  halves[, half := c("one", "two")[(seq_len(.N) - 1L) %% 2L + 1L], by = cell_id]
  means <- halves[, .(n = .N, mean = mean(log(mean_ns)), var = stats::var(log(mean_ns))), by = c(cell_id, "half")]
  pairs <- merge(means[half == "one"], means[half == "two"], by = cell_id, suffixes = c(".one", ".two"))
  ratios <- welch_ratio(
    pairs$mean.one, pairs$var.one, pairs$n.one, pairs$mean.two, pairs$var.two, pairs$n.two, confidence
  )
  cbind(pairs[, c(cell_id), with = FALSE], forks_min = pmin(pairs$n.one, pairs$n.two), ratios)
}

#' How often the halves of cells are found different.
#'
#' @return list: `pairs` with an interval, `different` (how many), `upper` (`upper_share` of it)
real_pairs <- function(forks) {
  ratios <- real_pair_ratios(forks)
  told <- is.finite(ratios$lower) & is.finite(ratios$upper)
  different <- sum((ratios$lower > 1 | ratios$upper < 1)[told])
  list(pairs = sum(told), different = different, upper = upper_share(different, sum(told)))
}

#' Upper bound of a share, one-sided 95 % (Clopper and Pearson 1934).
upper_share <- function(hits, runs) {
  if (runs == 0 || hits == runs) 1 else stats::qbeta(0.95, hits + 1, runs - hits)
}
