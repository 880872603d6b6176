set.seed(5)
raw <- tempfile("raw")
cells <- kofahi_cells()
broken <- c("2" = "steal_share;spin_ratio", "3" = "steal_share", "4" = "gc_share", "5" = "steal_share")
disturbed <- write_round(raw, "kofahi2013", "debian-12-temurin-17", 1, cells, broken = broken, again = c(3L, 2L))
write_round(raw, "kofahi2013", "debian-12-temurin-17", 2, cells)
tables <- tidy_rounds(raw, find_rounds(raw))
first <- tables$forks[number == 1]

test_that("forks that were run again are forks of the same cell", {
  expect_identical(first$fork, as.numeric(1:6))
  expect_identical(first$cell[5:6], first$cell[3:2])
  expect_identical(first$rerun_of, c(NA, NA, NA, NA, 3, 2))
  expect_identical(tables$rounds$forks, c(4L, 4L))
  expect_identical(tables$iterations[round == "r001", .N], 6L * 12L)
})

test_that("valid forks and first forks are the two analyses' forks", {
  expect_identical(first$valid, c(TRUE, FALSE, FALSE, FALSE, FALSE, TRUE))
  expect_identical(first$invalid_cause[1:4], c("", "steal_share;spin_ratio", "steal_share", "gc_share"))
  expect_identical(valid_forks(first)$fork, c(1, 6))
  expect_identical(first_forks(first)$fork, as.numeric(1:4))
  expect_identical(cell_means(valid_forks(tables$forks))[measure == "wall", forks], c(2L, 2L, 1L, 1L))
})

test_that("what disturbed a fork is told as shares and rates, and stays empty where it isn't exposed", {
  row <- read_csv_strictly(file.path(disturbed, "interference.csv"))[1]
  expect_equal(first$steal_share[1], row$steal_ms / row$cpu_ms)
  expect_equal(first$others_share[1], row$others_ms / row$cpu_ms)
  expect_equal(first$involuntary_per_s[1], 12 / (row$window_ms / 1000))
  expect_equal(first$gc_share[1], 0)
  expect_equal(first$spin_ratio[1], 1.1)
  expect_true(all(is.na(first$throttled)))
})

test_that("the table survives its file", {
  path <- tempfile(fileext = ".csv")
  write_table(tables$forks, path)
  again <- read_table(path, fork_columns)
  expect_identical(again$valid, tables$forks$valid)
  expect_equal(again$rerun_of, tables$forks$rerun_of)
  expect_identical(again$invalid_cause[2], "steal_share;spin_ratio")
  expect_equal(interference_notes(again, list()), interference_notes(tables$forks, list()))
})

test_that("a note says how many forks were disturbed, by cause, run again, and lost", {
  words <- list(gate = list(steal_share = "by other machines", spin_ratio = "by a slower CPU"))
  notes <- interference_notes(tables$forks, words)
  expect_identical(notes$where, "kofahi2013/debian-12-temurin-17")
  expect_identical(notes$message, paste0(
    "3 of 8 forks were disturbed (2 by other machines, 1 by a slower CPU, 1 gc_share) and decide nothing; ",
    "2 were run again, and 2 have no undisturbed fork in their round"
  ))
  expect_identical(nrow(interference_notes(tables$forks[number == 2], words)), 0L)
})
