# The studies' own numbers.

#' The numbers of all files of a directory in one table.
#'
#' @return data.table: text `study`, `quantity`, `unit`, `error_kind`, `place`, `said`, `words`, `kind`, `claims`,
#'   `note`; numbers `value`, `error`, `n`, `lower`, `upper`
#' @section Errors: refuses a file that lacks study, quantity or value.
published_values <- function(folder) {
  types <- c(
    typed("c", "study", "quantity", "unit", "error_kind", "place", "said", "words", "kind", "claims", "note"),
    typed("n", "value", "error", "n", "lower", "upper")
  )
  files <- sort(list.files(folder, "\\.csv$", full.names = TRUE), method = "radix")
  with_columns(rbindlist(lapply(files, read_table, c("study", "quantity", "value")), fill = TRUE), types)
}
