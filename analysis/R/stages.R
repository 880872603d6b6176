# Cells of two stages: spread and degrees of freedom are stage one's.

#' Moments of groups with the variance of stage one where a group has a second stage.
#'
#' @param moments data.table of `by`, `n` and `var` over both stages; `values` data.table of `by`, `stage` and `column`
#' @return `moments` with `var` of stage one, and `first`, the number of values that it is of: its degrees of freedom
#'   are one less. NA and 0 where stage one left none
rest_on_first <- function(moments, values, by, column) {
  moments[, first := n]
  second <- unique(values[stage == 2L, by, with = FALSE])
  if (nrow(second) == 0) return(moments[])
  own <- values[second, c(by, "stage", column), with = FALSE, on = by]
  setnames(own, column, "value")
  own <- own[stage == 1L, .(var = stats::var(value), n = .N), by = by]
  moments[second, `:=`(var = NA_real_, first = 0L), on = by]
  moments[own, `:=`(var = i.var, first = i.n), on = by][]
}

#' Mean of a cell's values and its interval: Student's t, with the spread and degrees of freedom of stage one where
#' there is a second; where a plan looks more than once, the repeated interval of combined stages.
#'
#' @param values one per fork; `stage` of each; `looks` that are planned
#' @return list: `mean`, `lower`, `upper`; no interval below 2 values of stage one, or without a stage that has a test
staged_mean <- function(values, stage, confidence = 0.95, looks = 1L) {
  if (isTRUE(looks > 1L)) return(looked_mean(values, stage, confidence, looks))
  first <- if (any(stage == 2L)) values[stage == 1L] else values
  half <- t_half_width(stats::sd(first), length(first), confidence) * sqrt(length(first) / length(values))
  list(mean = mean(values), lower = mean(values) - half, upper = mean(values) + half)
}

looked_mean <- function(values, stage, confidence, looks) {
  own <- Filter(function(part) length(part) >= least_stage_forks && isTRUE(stats::sd(part) > 0), split(values, stage))
  own <- utils::head(own, looks)
  if (length(own) == 0) return(list(mean = mean(values), lower = NA_real_, upper = NA_real_))
  n <- lengths(own)
  row <- function(numbers) matrix(numbers, 1)
  se <- vapply(own, stats::sd, 0) / sqrt(n)
  critical <- known_constant(looks, 1 - confidence)
  told <- combined_interval(row(vapply(own, mean, 0)), row(se), row(n - 1), critical)
  list(mean = mean(values), lower = told$lower, upper = told$upper)
}
