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
