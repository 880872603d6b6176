# The columns of all tables, from the schema data/tables.yaml, and the columns that identify cells, forks and strata.
# Constants in other files depend on these; the file's name makes R read it first.
#
# An argument of these names is the same in every function, where its documentation does not say otherwise:
#
# - `forks`: rows of forks.csv, of forks that count. `iterations`, `pauses`, `rounds`, `cells`, `observed`, `offers`,
#   `verdicts`, `drifts`: rows of the table of that name. `visits`: rows of observations.csv.gz
# - `long`: forks with a row for each measure (`forks_by_measure`), observed measures among them. `by`: columns that
#   identify a fork
# - `definitions`: definitions.json as nested lists. `words`: its words of levels. `environments`: `environment_parts`
# - `pairs`: rows of claim_pairs.csv. `claims`, `claim`: of `listed_claims`. `states`: of `cell_states`
# - `published`: the studies' own numbers (`published_values`). `ratios`: of `published_ratios`
# - `data`: all that the report shows, of `read_report_data`. `row`: a row of verdicts.csv
# - `read`: of `read_jmh_directory`. `run`: of `read_run`; `baseline`, `candidate`: forks of two such runs
# - `lines`: a whole log. `messages`: of `unified_messages`
# - `confidence`: of intervals. `alpha`: for each family of verdicts. `cores`: number of processor cores to use

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

#' A table with these columns, all of them text, and without rows.
no_rows <- function(columns) as.data.table(sapply(columns, function(column) character(), simplify = FALSE))

#' Columns that identify a cell in every table of cells, without the factors.
cell_keys <- c(
  "experiment", "environment", "image_id", "machine_id", "cell", "workload", "protocol", "provider", "cpu_profile"
)

fork_key <- c("experiment", "environment", "round", "fork")

#' Columns that identify a measured cell in one measure, and in all of its measures.
cell_id <- c("experiment", "environment", "image_id", "machine_id", "protocol", "cell", "measure")
measured_cell <- setdiff(cell_id, "measure")

#' Columns that all cells of one verdict share (the stratum).
place_columns <- c("environment", "image_id", "machine_id", "protocol", "cpu_profile")

#' Columns in which the two cells of a ratio differ.
side_columns <- c("environment", "image_id", "cell")

#' Columns that identify a cell: `cell_keys` and the factors that the table has.
cell_columns <- function(table) c(cell_keys, factor_columns(table))

#' Columns that hold the levels of factors.
factor_columns <- function(table) grep("^factor\\.", names(table), value = TRUE)
