# What forks observed besides time: observations.csv of a round, which has none where no workload
# observes anything.

#' observations.csv as a table.
#'
#' @param folder a round's directory
#' @return data.table: `fork`, `iteration`, `measure`, `value` (a number; NA where the row has counts), `counts` (text,
#'   whole numbers with semicolons between; empty where the row has a number)
read_observations_csv <- function(folder) {
  file <- file.path(folder, "observations.csv")
  if (!file.exists(file)) return(no_observations())
  rows <- read_csv_strictly(file, types = "character")
  for (column in c("fork", "iteration")) set(rows, j = column, value = as.numeric(rows[[column]]))
  listed <- grepl(";", rows$value, fixed = TRUE)
  number <- as.numeric(fifelse(listed, NA_character_, rows$value))
  rows[, `:=`(value = number, counts = fifelse(listed, rows$value, ""))][]
}

no_observations <- function() {
  data.table(fork = numeric(), iteration = numeric(), measure = character(), value = numeric(), counts = character())
}
