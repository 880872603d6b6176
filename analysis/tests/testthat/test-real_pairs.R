set.seed(8)
cells <- data.table(workload = "encrypt", cell = sprintf("c%03d", 1:60), ns = 100)

test_that("every cell with enough forks is a pair, and a planted difference between its halves is found", {
  forks <- made_up_forks(cells, 10)
  found <- real_pairs(forks)
  expect_identical(found$pairs, 60L)
  expect_lt(found$different, 10)
  expect_equal(found$upper, binom.test(found$different, 60, alternative = "less")$conf.int[2])
  forks[number %% 2 == 0, wall_ns_per_op := 1.1 * wall_ns_per_op]
  expect_identical(real_pairs(forks)$different, 60L)
})

test_that("cells with few forks are no pairs, and few pairs have no bar", {
  expect_identical(real_pairs(made_up_forks(cells, 9))$pairs, 0L)
  row <- real_pairs_row(made_up_forks(cells, 10))
  expect_identical(row$met, NA)
  expect_match(row$setting, "of 60 pairs")
})

test_that("a validity table that is made anew keeps its row of real pairs", {
  file <- tempfile("validity", fileext = ".csv")
  expect_null(earlier_real_pairs_row(file))
  row <- real_pairs_row(made_up_forks(cells, 10))
  write_table(rbind(validity_row("coverage", "normal", 95, 100, least = 94), row), file)
  expect_equal(earlier_real_pairs_row(file), row)
  write_table(validity_row("coverage", "normal", 95, 100, least = 94), file)
  expect_null(earlier_real_pairs_row(file))
})
