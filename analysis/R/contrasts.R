# Estimates of ratios of two cells.

cell_id <- c("experiment", place_columns, "cell", "measure")

#' Estimate every pair of cells.
#'
#' @param pairs data.table with `experiment`, `place_columns`, `measure`, `numerator_cell`, `denominator_cell`, targets
#' @param forks the table of `forks_by_measure`
#' @return `pairs` with the estimates of the dictionary's `contrasts.csv`, and `forks_min`. A pair of which a cell has
#'   fewer than 2 forks, or a mean of 0 (CPU time below its clock), has no estimate.
estimate_pairs <- function(pairs, forks, confidence = 0.95) {
  forks <- forks[, log_mean := suppressWarnings(log(mean_ns))]
  cells <- forks[, .(n = .N, mean = mean(log_mean), var = stats::var(log_mean)), by = cell_id]
  one <- cells[side(pairs, "numerator_cell"), on = cell_id]
  two <- cells[side(pairs, "denominator_cell"), on = cell_id]
  estimates <- welch_ratio(one$mean, one$var, one$n, two$mean, two$var, two$n, confidence)
  estimates <- cbind(estimates, block_ratios(pairs, forks, confidence))
  p_values <- target_p_values(
    estimates$log_ratio, estimates$se_log, estimates$df, pairs$target_lower, pairs$target_upper
  )
  result <- cbind(pairs, estimates, p_values, forks_min = pmin(fcoalesce(one$n, 0L), fcoalesce(two$n, 0L)))
  unusable <- !is.finite(result$log_ratio) | is.na(result$se_log) | result$forks_min < 2
  blank <- c(names(estimates), "p_support", "p_refute")
  if (any(unusable)) set(result, which(unusable), setdiff(blank, "blocks"), NA_real_)
  result[]
}

side <- function(pairs, column) {
  cells <- pairs[, c("experiment", place_columns, "measure"), with = FALSE]
  cells[, cell := pairs[[column]]][]
}

#' Block-paired ratios over the rounds that both cells were measured in (several forks of a round count as their mean).
block_ratios <- function(pairs, forks, confidence) {
  rounds <- forks[, .(log_mean = mean(log_mean)), by = c(cell_id, "round")]
  asked <- rbind(
    side(pairs, "numerator_cell")[, `:=`(pair = .I, sign = 1)],
    side(pairs, "denominator_cell")[, `:=`(pair = .I, sign = -1)]
  )
  met <- rounds[asked, on = cell_id, allow.cartesian = TRUE, nomatch = NULL]
  differences <- met[, .(both = .N == 2, difference = sum(sign * log_mean)), by = .(pair, round)][both == TRUE]
  blocks <- differences[, paired_ratio(difference, confidence), by = pair]
  blocks[data.table(pair = seq_len(nrow(pairs))), on = "pair"][is.na(blocks), blocks := 0L][, pair := NULL][]
}
