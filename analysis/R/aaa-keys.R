# The columns of all tables, from the schema data/tables.yaml, and the columns that identify cells, forks and strata.
# Constants in other files depend on these; the file's name makes R read it first.

#' The schema of all tables as `jca-rerun dictionary` writes it: section to table to column to type.
column_schema <- jsonlite::fromJSON(system.file("columns.json", package = "jcarerun"), simplifyVector = FALSE)

#' Columns of a table with their types: c is text, n a number, l TRUE or FALSE. Columns of factors are left out.
#'
#' @param name name of the file, e.g. `cells.csv`
#' @param section section of the schema: raw, tidy, tools or published
column_types <- function(name, section = "tidy") {
  types <- unlist(column_schema[[section]][[name]])
  types <- types[!grepl("<", names(types), fixed = TRUE)]
  holds <- unlist(column_schema$types)[sub("?", "", types, fixed = TRUE)]
  stats::setNames(unname(c(text = "c", number = "n", boolean = "l")[holds]), names(types))
}

#' Names of a table's columns, in order.
columns_of <- function(name, section = "tidy") names(column_types(name, section))

#' Columns that identify a cell in every table of cells, without the factors.
cell_keys <- c(
  "experiment", "environment", "image_id", "machine_id", "cell", "workload", "protocol", "provider", "cpu_profile"
)

fork_key <- c("experiment", "environment", "round", "fork")

cell_id <- c("experiment", "environment", "image_id", "machine_id", "protocol", "cell", "measure")

#' Columns that all cells of one verdict share (the stratum).
place_columns <- c("environment", "image_id", "machine_id", "protocol", "cpu_profile")

#' Columns in which the two cells of a ratio differ.
side_columns <- c("environment", "image_id", "cell")

#' Columns that identify a cell: `cell_keys` and the factors that the table has.
cell_columns <- function(table) c(cell_keys, factor_columns(table))

#' Columns that hold the levels of factors.
factor_columns <- function(table) grep("^factor\\.", names(table), value = TRUE)
