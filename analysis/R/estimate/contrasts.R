# Estimates of ratios of two cells. Where a cell has a second stage, spread and degrees of freedom are stage one's.

side_columns <- c("environment", "image_id", "cell")

cell_id <- c("experiment", "environment", "image_id", "machine_id", "protocol", "cell", "measure")

#' How two cells are compared: to the scale that means are taken on, and back.
pair_scales <- list(ratio = list(to = log, back = exp), difference = list(to = identity, back = identity))

#' Estimate every pair of cells.
#'
#' @param pairs data.table with `experiment`, `machine_id`, `protocol`, `measure`; `numerator_environment`,
#'   `numerator_image_id`, `numerator_cell`, the same of the denominator (an empty cell stands for 1); targets; where
#'   the sides differ in it, `numerator_protocol` and `denominator_protocol`
#' @param forks the table of `forks_by_measure`
#' @return `pairs` with the estimates of the dictionary's `contrasts.csv`, and `forks_min`. A pair of which a cell has
#'   fewer than 2 forks, or a mean of 0 (CPU time below its clock), has no estimate.
#' @param lone whether a pair keeps its ratio, without an interval, where a cell has a single fork
#' @param scale an entry of `pair_scales`: for a difference `ratio` is the numerator less the denominator, `log_ratio`
#'   and `se_log` are on the measure's own scale
estimate_pairs <- function(pairs, forks, confidence = 0.95, lone = FALSE, scale = pair_scales$ratio) {
  forks <- forks[experiment %in% pairs$experiment & measure %in% pairs$measure]
  forks[, log_mean := suppressWarnings(scale$to(mean_ns))]
  cells <- forks[, .(n = .N, mean = mean(log_mean), var = stats::var(log_mean)), by = cell_id]
  cells <- rest_on_first(cells, forks, cell_id, "log_mean")
  one <- cells[side_of(pairs, "numerator"), on = cell_id]
  two <- one_where_none(cells[side_of(pairs, "denominator"), on = cell_id], one, pairs)
  estimates <- welch_ratio(
    one$mean, one$var, one$n, two$mean, two$var, two$n, confidence, one$first, two$first, scale$back
  )
  estimates[, spread := sqrt(one$var + two$var)]
  estimates <- cbind(estimates, block_ratios(pairs, forks, confidence, scale$back))
  p_values <- target_p_values(
    estimates$log_ratio, estimates$se_log, estimates$df, pairs$target_lower, pairs$target_upper, scale = scale$to
  )
  result <- cbind(pairs, estimates, p_values, forks_min = pmin(fcoalesce(one$n, 0L), fcoalesce(two$n, 0L)))
  unusable <- !is.finite(result$log_ratio) | is.na(result$se_log) | result$forks_min < 2
  blank <- setdiff(c(names(estimates), "p_support", "p_refute"), c("blocks", if (lone) "ratio"))
  if (any(unusable)) set(result, which(unusable), blank, NA_real_)
  result[]
}

side_of <- function(pairs, which) {
  own <- pairs[, c("experiment", paste0(which, "_", side_columns), "machine_id", "protocol", "measure"), with = FALSE]
  setnames(own, paste0(which, "_", side_columns), side_columns)
  own[, protocol := pairs[[paste0(which, "_protocol")]] %||% protocol][]
}

#' Block-paired ratios over the blocks that both cells were measured in (several forks of a block count as their mean).
#' A block is a round; for cells of two environments, rounds of the same number.
block_ratios <- function(pairs, forks, confidence, back = exp) {
  between <- pairs$numerator_environment != pairs$denominator_environment |
    pairs$numerator_image_id != pairs$denominator_image_id
  parts <- lapply(c(FALSE, TRUE), function(kind) {
    rows <- which(between == kind)
    if (length(rows) == 0) return(NULL)
    paired_blocks(pairs[rows], forks, if (kind) "number" else "round", confidence, back)[, row := rows]
  })
  rbindlist(parts)[order(row)][, row := NULL][]
}

paired_blocks <- function(pairs, forks, block, confidence, back = exp) {
  blocks <- forks[, .(log_mean = mean(log_mean), stage = max(stage)), by = c(cell_id, block)]
  asked <- rbind(
    side_of(pairs, "numerator")[, `:=`(pair = .I, sign = 1)],
    side_of(pairs, "denominator")[, `:=`(pair = .I, sign = -1)]
  )
  met <- blocks[asked, on = cell_id, allow.cartesian = TRUE, nomatch = NULL]
  differences <- met[, .(
    both = .N == 2, difference = sum(sign * log_mean), stage = max(stage)
  ), by = c("pair", block)][both == TRUE]
  moments <- differences[, .(mean = mean(difference), var = var(difference), n = .N), by = pair]
  moments <- rest_on_first(moments, differences, "pair", "difference")
  ratios <- cbind(moments[, .(pair)], moments[, paired_ratios(mean, var, n, confidence, first, back)])
  ratios[data.table(pair = seq_len(nrow(pairs))), on = "pair"][is.na(blocks), blocks := 0L][, pair := NULL][]
}

#' The denominator's side of estimates: where a pair has none it is 1 exactly, which leaves the numerator's own t
#' interval, since Welch's degrees of freedom are n - 1 then (of its first stage, where it has two).
one_where_none <- function(two, one, pairs) {
  none <- which(!nzchar(pairs$denominator_cell))
  if (length(none) > 0) set(two, none, c("n", "first", "mean", "var"), list(one$n[none], one$first[none], 0, 0))
  two
}
