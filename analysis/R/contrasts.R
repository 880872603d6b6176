# Estimates of ratios of two cells: Welch's over forks, or paired by rounds (paired_ratios.R). Where a cell has a second
# stage, spread and degrees of freedom are stage one's.

#' How two cells are compared: to the scale that means are taken on, and back.
pair_scales <- list(ratio = list(to = log, back = exp), difference = list(to = identity, back = identity))

#' Common rounds from which on a ratio is paired by rounds. Rounds explain a tenth to two fifths of what forks differ
#' by; with fewer the degrees of freedom that pairing costs outweigh that. Counted before any time is looked at, in the
#' first stage alone, so that no choice depends on what it decides about.
paired_from <- 8L

#' Estimate every pair of cells: paired by rounds where both were measured in enough of the same, else Welch's; from
#' combined stages (`staged_pairs`) where the run's plan looks at its data more than once.
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
#' @param paired whether to pair at all
estimate_pairs <- function(
  pairs, forks, confidence = 0.95, lone = FALSE, scale = pair_scales$ratio, paired = TRUE
) {
  forks <- forks[experiment %in% pairs$experiment & measure %in% pairs$measure]
  looks <- max(1L, forks$looks)
  if (looks > 1) return(staged_pairs(pairs, forks, looks, confidence, lone, scale, paired))
  single_pairs(pairs, forks, confidence, lone, scale, paired)
}

#' `estimate_pairs` of data that are looked at once; Stein's second stage may be among them.
single_pairs <- function(pairs, forks, confidence, lone, scale, paired) {
  forks[, log_mean := suppressWarnings(scale$to(mean_ns))]
  cells <- forks[, .(n = .N, mean = mean(log_mean), var = stats::var(log_mean)), by = cell_id]
  cells <- rest_on_first(cells, forks, cell_id, "log_mean")
  one <- cells[side_of(pairs, "numerator"), on = cell_id]
  two <- one_where_none(cells[side_of(pairs, "denominator"), on = cell_id], one, pairs)
  estimates <- welch_ratio(
    one$mean, one$var, one$n, two$mean, two$var, two$n, confidence, one$first, two$first, scale$back
  )
  estimates[, `:=`(spread = sqrt(one$var + two$var), method = "Welch", welch_lower = lower, welch_upper = upper)]
  blocks <- block_ratios(pairs, forks, confidence, scale$back)
  estimates[, blocks := blocks$blocks]
  if (paired) {
    rows <- which(blocks$first >= paired_from)
    told <- c("log_ratio", "se_log", "df", "ratio", "lower", "upper", "spread")
    set(estimates, rows, told, blocks[rows, told, with = FALSE])
    set(estimates, rows, "method", "paired")
  }
  set(estimates, which(!nzchar(pairs$denominator_cell)), "method", "Student")
  p_values <- target_p_values(
    estimates$log_ratio, estimates$se_log, estimates$df, pairs$target_lower, pairs$target_upper, scale = scale$to
  )
  result <- cbind(pairs, estimates, p_values, forks_min = pmin(fcoalesce(one$n, 0L), fcoalesce(two$n, 0L)))
  unusable <- !is.finite(result$log_ratio) | is.na(result$se_log) | result$forks_min < 2
  blank <- setdiff(c(names(estimates), "p_support", "p_refute"), c("blocks", "method", if (lone) "ratio"))
  if (any(unusable)) set(result, which(unusable), blank, NA_real_)
  set(result, which(unusable), "method", "")
  result[]
}

side_of <- function(pairs, which) {
  own <- pairs[, c("experiment", paste0(which, "_", side_columns), "machine_id", "protocol", "measure"), with = FALSE]
  setnames(own, paste0(which, "_", side_columns), side_columns)
  own[, protocol := pairs[[paste0(which, "_protocol")]] %||% protocol][]
}

#' The denominator's side of estimates: where a pair has none it is 1 exactly, which leaves the numerator's own t
#' interval, since Welch's degrees of freedom are n - 1 then (of its first stage, where it has two).
one_where_none <- function(two, one, pairs) {
  none <- which(!nzchar(pairs$denominator_cell))
  if (length(none) > 0) set(two, none, c("n", "first", "mean", "var"), list(one$n[none], one$first[none], 0, 0))
  two
}
