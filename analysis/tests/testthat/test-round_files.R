folder <- write_round(tempfile("raw"), "kofahi2013", "debian-12-temurin-17", 1, kofahi_cells())

test_that("cells.csv keeps levels as text", {
  forks <- read_cells_csv(folder)
  expect_identical(forks$fork, c(1, 2, 3, 4))
  expect_identical(forks$factor.size[1], "100 KB")
})

test_that("iterations.csv is all numbers; values beyond 2^31 survive", {
  rows <- read_iterations_csv(folder)
  expect_gt(rows$start_epoch_ms[1], 1.7e12)
  expect_true(all(vapply(rows, is.double, TRUE)))
})

test_that("a round of before compilers' time was recorded has none", {
  file <- file.path(folder, "iterations.csv")
  rows <- read_csv_strictly(file)
  fwrite(rows[, !"jit_ms"], file)
  expect_true(all(is.na(read_iterations_csv(folder)$jit_ms)))
})
