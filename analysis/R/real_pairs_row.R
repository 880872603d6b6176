# The row of the validity table that is of a real run.

#' What the validity table calls the row of real pairs.
real_pairs_property <- "real A/A pairs found different: upper bound"

#' The row of the validity table: 200 pairs or more, of which the share's upper bound is at most 8 %; fewer are only
#' shown.
real_pairs_row <- function(forks) {
  found <- real_pairs(forks)
  row <- validity_row(
    real_pairs_property, sprintf(
      "%d of %d pairs", found$different, found$pairs
    ), found$upper, 1, most = 8
  )
  row[, simulations := NA_integer_]
  if (found$pairs < 200) row[, `:=`(bar = "shown (fewer than 200 pairs)", met = NA)]
  row[]
}

#' The row of real pairs that a validity table has already: who only simulates anew has no run to make it from.
#'
#' @param file the table, which may be missing
#' @return the row, or NULL
earlier_real_pairs_row <- function(file) {
  if (!file.exists(file)) return(NULL)
  columns <- c("property", "setting", "bar", "measured_pct", "simulations", "met")
  row <- read_table(file, columns)[property == real_pairs_property, columns, with = FALSE]
  if (nrow(row) > 0) row
}
