# What forks observed besides time: observations.csv of a round, read and checked. A round in which no workload observes
# anything has no such file.

observation_columns <- c("fork", "iteration", "measure", "value")

#' observations.csv as a table.
#'
#' @param folder a round's directory; `forks` of `read_cells_csv`
#' @return data.table: `fork`, `iteration`, `measure`, `value` (a number; NA where the row has counts), `counts` (text,
#'   whole numbers with semicolons between; empty where the row has a number)
#' @section Errors: refuses a row of an unknown fork or iteration, a row that is there twice, and values that are
#'   neither a number nor counts.
read_observations_csv <- function(folder, forks) {
  file <- file.path(folder, "observations.csv")
  if (!file.exists(file)) return(no_observations())
  rows <- read_csv_strictly(file, types = "character")
  check_columns(file, names(rows), observation_columns)
  for (column in c("fork", "iteration")) set(rows, j = column, value = suppressWarnings(as.numeric(rows[[column]])))
  refuse_row <- function(wrong, what, expected) {
    if (any(wrong)) damaged(file, sprintf("row %d %s", which(wrong)[1], what), expected)
  }
  planned <- forks$iterations[match(rows$fork, forks$fork)]
  refuse_row(is.na(planned), "has a fork that cells.csv lacks", "the forks of cells.csv")
  refuse_row(
    is.na(rows$iteration) | rows$iteration < 1 | rows$iteration > planned, "has an iteration that the fork lacks",
    "the fork's iterations, numbered from 1"
  )
  refuse_row(!grepl("^[a-z0-9][a-z0-9.-]*$", rows$measure), "has no measure", "small letters, digits, dots and hyphens")
  refuse_row(duplicated(rows, by = c("fork", "iteration", "measure")), "has a measure again", "each once an iteration")
  listed <- grepl("^[0-9]+(;[0-9]+)+$", rows$value)
  number <- suppressWarnings(as.numeric(fifelse(listed, NA_character_, rows$value)))
  refuse_row(!listed & !is.finite(number), "has no value", "a number, or counts with semicolons between")
  rows[, `:=`(value = number, counts = fifelse(listed, rows$value, ""))][]
}

no_observations <- function() {
  data.table(fork = numeric(), iteration = numeric(), measure = character(), value = numeric(), counts = character())
}
