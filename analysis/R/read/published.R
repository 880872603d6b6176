# The studies' own numbers.

#' The numbers of all files of a directory in one table, and behind them those that experiments bring of their own.
#'
#' @param experiments of definitions.json; `published` of one is a list of rows
#' @return data.table: text `study`, `quantity`, `unit`, `error_kind`, `place`, `said`, `words`, `kind`, `claims`,
#'   `note`; numbers `value`, `error`, `n`, `lower`, `upper`
#' @section Errors: refuses a file that lacks study, quantity or value.
published_values <- function(folder, experiments = list()) {
  types <- c(
    typed("c", "study", "quantity", "unit", "error_kind", "place", "said", "words", "kind", "claims", "note"),
    typed("n", "value", "error", "n", "lower", "upper")
  )
  files <- sort(list.files(folder, "\\.csv$", full.names = TRUE), method = "radix")
  own <- unlist(lapply(unname(experiments), function(experiment) lapply(experiment$published, as.data.table)), FALSE)
  tables <- c(lapply(files, read_table, c("study", "quantity", "value")), own)
  with_columns(rbindlist(tables, fill = TRUE), types)
}
