# data/README.md knows every column that the analysis writes about claims, and every file of a round.
dictionary <- readLines(file.path(dirname(analysis_dir), "data", "README.md"), warn = FALSE)
section <- function(title) {
  from <- match(TRUE, startsWith(dictionary, paste0("### `", title, "`")))
  to <- which(grepl("^##", dictionary) & seq_along(dictionary) > from)[1]
  paste(dictionary[from:(to - 1)], collapse = "\n")
}
told_in <- function(text) gsub("`", "", regmatches(text, gregexpr("`[^`]+`", text))[[1]], fixed = TRUE)

test_that("every column of contrasts, verdicts, sensitivity and calibration is explained", {
  expect_identical(setdiff(sensitivity_columns, told_in(section("sensitivity.csv"))), character())
  expect_identical(setdiff(calibration_columns, told_in(section("calibration.csv"))), character())
  expect_identical(setdiff(contrast_columns, told_in(section("contrasts.csv"))), character())
  expect_identical(setdiff(verdict_columns, told_in(section("verdicts.csv"))), character())
  expect_identical(setdiff(machine_verdict_columns, told_in(section("machine_verdicts.csv"))), character())
  expect_identical(setdiff(drift_columns, told_in(section("drifts.csv"))), character())
  expect_identical(setdiff(ratio_columns, told_in(section("ratios.csv"))), character())
  expect_identical(
    setdiff(names(published_ratios(list(), data.table())), told_in(section("published_ratios.csv"))), character()
  )
  nothing <- made_up_forks(four_ciphers())[0]
  expect_identical(setdiff(names(pair_table(nothing, list())), told_in(section("pairs.csv"))), character())
  claims <- claim_list(list(), data.table(), data.table())
  expect_identical(setdiff(names(claims), told_in(section("claims.csv"))), character())
  expect_identical(setdiff(share_columns, told_in(section("variance_shares.csv"))), character())
  expect_identical(setdiff(observed_mean_columns, told_in(section("observed_means.csv"))), character())
})

test_that("what gates judge is explained", {
  expect_identical(setdiff(gate_columns, told_in(section("forks.csv"))), character())
})
