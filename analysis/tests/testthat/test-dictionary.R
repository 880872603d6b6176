# Tables that the analysis makes have the columns of the schema, data/tables.yaml.

test_that("a column's type is text, number or boolean, whatever it is called in the schema", {
  expect_identical(column_types("notes.csv"), c(level = "c", where = "c", message = "c"))
  expect_identical(unname(column_types("forks.csv")[c("fork", "valid", "steady")]), c("n", "l", "c"))
  expect_identical(column_types("interference.csv", "raw")[["rerun_of"]], "n")
  every <- lapply(setdiff(names(column_schema), "types"), function(section) {
    lapply(names(column_schema[[section]]), column_types, section = section)
  })
  expect_in(unlist(every), c("c", "n", "l"))
})

test_that("columns of factors are no part of a table's fixed columns", {
  expect_identical(columns_of("observed_means.csv")[seq_along(cell_keys)], cell_keys)
  expect_false(any(startsWith(columns_of("cells.csv", "raw"), "factor.")))
})

test_that("tables without rows have the columns of the schema", {
  nothing <- made_up_forks(four_ciphers())[0]
  expect_named(published_ratios(list(), data.table()), columns_of("published_ratios.csv"))
  expect_named(pair_table(nothing, list()), columns_of("pairs.csv"))
  expect_named(claim_list(list(), data.table(), data.table()), columns_of("claim_list.csv"))
  expect_named(no_plans(), columns_of("plans.csv"))
  expect_in(gate_columns, columns_of("forks.csv"))
})

test_that("summaries and comparisons have the columns of the schema, parameters left out", {
  forks <- read_run(file.path(dirname(analysis_dir), "data", "sample", "calibration"), FALSE, 1L)$forks
  fixed <- function(table) grep("^param[.]", names(table), value = TRUE, invert = TRUE)
  expect_identical(fixed(summarise_run(forks)), columns_of("summary.csv", "tools"))
  expect_identical(fixed(compare_runs(forks, forks, 0.02)), columns_of("compare.csv", "tools"))
})
