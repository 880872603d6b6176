inside("read")

folder <- write_round(tempfile("raw"), "kofahi2013", "debian-12-temurin-17", 1, kofahi_cells())
place <- "kofahi2013/debian-12-temurin-17/r001"

rewritten <- function(file, from, to) {
  copy <- tempfile("round")
  dir.create(copy)
  file.copy(list.files(folder, full.names = TRUE), copy, recursive = TRUE)
  path <- file.path(copy, file)
  writeLines(sub(from, to, readLines(path)), path)
  copy
}

test_that("round.json must say where it lies, in a known schema, with all keys", {
  expect_identical(read_round_description(folder, place)$tier, "quick")
  expect_refusal(read_round_description(folder, sub("r001", "r002", place)), "round.json", "says", "r001", "r002")
  expect_refusal(
    read_round_description(rewritten("round.json", "\"schema\": 2", "\"schema\": 1"), place),
    "schema is 1; expected schema 2"
  )
  expect_refusal(read_round_description(rewritten("round.json", "\"seed\"", "\"sed\""), place), "lacks seed")
  expect_refusal(read_round_description(rewritten("round.json", "^}$", ""), place), "isn't whole JSON")
})

test_that("cells.csv keeps levels as text and refuses what can't be", {
  forks <- read_cells_csv(folder)
  expect_identical(forks$fork, c(1, 2, 3, 4))
  expect_identical(forks$factor.size[1], "100 KB")
  expect_refusal(read_cells_csv(rewritten("cells.csv", "^2,", "1,")), "cells.csv", "fork 1 twice")
  expect_refusal(read_cells_csv(rewritten("cells.csv", "^2,", "two,")), "column fork holds 'two'")
  expect_refusal(read_cells_csv(rewritten("cells.csv", "provider", "vendor")), "lacks column provider")
  expect_refusal(read_cells_csv(rewritten("cells.csv", "factor.size", "size")), "unknown column size")
  expect_refusal(read_cells_csv(rewritten("cells.csv", "steady-state", "12")), "warmup '12' of 12 iterations")
})

test_that("iterations.csv is all numbers; values beyond 2^31 survive", {
  rows <- read_iterations_csv(folder)
  expect_gt(rows$start_epoch_ms[1], 1.7e12)
  expect_true(all(vapply(rows, is.double, TRUE)))
  expect_refusal(read_iterations_csv(rewritten("iterations.csv", "worker_cpu_ns", "cpu")), "lacks column worker_cpu_ns")
  expect_refusal(read_iterations_csv(rewritten("iterations.csv", "^1,3,", "1,x,")), "column iteration isn't numeric")
})
