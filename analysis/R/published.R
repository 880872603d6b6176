# The studies' own numbers.

#' The numbers of all files of a directory in one table, and behind them those that experiments bring of their own.
#'
#' @param experiments of definitions.json; `published` of one is a list of rows
#' @return data.table: text `study`, `quantity`, `unit`, `error_kind`, `place`, `said`, `words`, `kind`, `claims`,
#'   `note`; numbers `value`, `error`, `n`, `lower`, `upper`
#' @section Errors: refuses a file that lacks study, quantity or value, and text in the place of a number.
published_values <- function(folder, experiments = list()) {
  types <- c(
    typed("c", "study", "quantity", "unit", "error_kind", "place", "said", "words", "kind", "claims", "note"),
    typed("n", "value", "error", "n", "lower", "upper")
  )
  files <- sort(list.files(folder, "\\.csv$", full.names = TRUE), method = "radix")
  own <- unlist(lapply(unname(experiments), function(experiment) lapply(experiment$published, as.data.table)), FALSE)
  tables <- c(lapply(files, read_numbers, names(types)[types == "n"]), own)
  with_columns(rbindlist(tables, fill = TRUE), types)
}

#' A file of the studies' numbers, of which each is one or nothing.
read_numbers <- function(file, numbers) {
  table <- read_table(file, c("study", "quantity", "value"))
  for (column in intersect(numbers, names(table))) {
    # R takes bytes that are no UTF-8 for no number, and stops.
    told <- one_line(as.character(table[[column]]))
    wrong <- which(!is.na(told) & !is.finite(suppressWarnings(as.numeric(told))))[1]
    if (!is.na(wrong)) refuse(
      file, sprintf("%s of '%s' is '%s'", column, one_line(table$quantity[wrong]), told[wrong]),
      "a number, or nothing", "correct it as the study prints it"
    )
  }
  table
}
