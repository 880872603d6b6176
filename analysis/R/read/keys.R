# What names a cell and a fork in the tidy tables.

#' Columns that name a cell: the dictionary's cell keys, as far as the table has them.
cell_columns <- function(table) {
  fixed <- c(
    "experiment", "environment", "image_id", "machine_id", "cell", "workload", "protocol", "provider", "cpu_profile"
  )
  c(fixed, factor_columns(table))
}

fork_key <- c("experiment", "environment", "round", "fork")

#' Columns that hold the levels of factors.
factor_columns <- function(table) grep("^factor\\.", names(table), value = TRUE)
