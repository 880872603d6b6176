# Columns that name cells, forks and strata in the tidy tables. Constants of other files are made of these: the file's
# name makes R read it first.

fork_key <- c("experiment", "environment", "round", "fork")

cell_id <- c("experiment", "environment", "image_id", "machine_id", "protocol", "cell", "measure")

#' What the cells of one verdict share.
place_columns <- c("environment", "image_id", "machine_id", "protocol", "cpu_profile")

#' What the two cells of a ratio differ in.
side_columns <- c("environment", "image_id", "cell")

#' Columns that name a cell: the dictionary's cell keys, as far as the table has them.
cell_columns <- function(table) {
  fixed <- c(
    "experiment", "environment", "image_id", "machine_id", "cell", "workload", "protocol", "provider", "cpu_profile"
  )
  c(fixed, factor_columns(table))
}

#' Columns that hold the levels of factors.
factor_columns <- function(table) grep("^factor\\.", names(table), value = TRUE)
