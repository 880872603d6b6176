# Pairs whose true ratio is known.
set.seed(12)
calibration <- list(
  id = "calibration", measure = "wall",
  workloads = list(md5 = list(factors = list("twin")), "sha-256" = list(factors = list("planted"))),
  factors = list(
    twin = list(a = list(bytes = 1000), b = list(bytes = 1000)),
    planted = list(a = list(bytes = 1000), b = list(bytes = 1000), "5 % more" = list(bytes = 1050))
  )
)
calibration_forks <- function(effect = 1.05, count = 10, cv = 0.005, ...) {
  made_up_forks(data.table(
    experiment = "calibration", workload = c("md5", "md5", rep("sha-256", 3)), cell = paste0("cell.", 1:5),
    factor.twin = c("a", "b", NA, NA, NA), factor.planted = c(NA, NA, "a", "b", "5 % more"),
    ns = c(300, 300, 100, 100, 100 * effect)
  ), count, cv, ...)
}

test_that("twins and the injected slowdown are held against what is true of them", {
  found <- calibration_table(calibration_forks(), calibration)
  expect_identical(names(found), calibration_columns)
  expect_identical(found$kind, c("A/A", "A/A", "injected slowdown"))
  expect_equal(found$truth, c(1, 1, 1.05))
  expect_identical(found$numerator_cell, c("cell.2", "cell.4", "cell.5"))
  expect_identical(found$denominator_cell, c("cell.1", "cell.3", "cell.3"))
  planted <- found[kind == "injected slowdown"]
  expect_true(planted$different && planted$covers_truth)
  expect_equal(planted$ratio, 1.05, tolerance = 0.01)
  expect_identical(found$calibration_id, c("k1", "k2", "k3"))
})

test_that("an effect that is not there is not found, and twins that differ are", {
  none <- calibration_table(calibration_forks(effect = 1, cv = 0.001), calibration)[kind == "injected slowdown"]
  expect_false(none$covers_truth)
  forks <- calibration_forks()[cell == "cell.2", wall_ns_per_op := 1.1 * wall_ns_per_op]
  expect_true(calibration_table(forks, calibration)[workload == "md5"]$different)
})

test_that("pairs are analysed once, however often a run looks at its claims", {
  forks <- calibration_forks()
  looked <- copy(forks)[, `:=`(looks = 4L, stage = 1L)]
  expect_identical(calibration_table(looked, calibration), calibration_table(forks, calibration))
})

test_that("every environment has its own pairs", {
  both <- rbind(calibration_forks(environment = "debian-12"), calibration_forks(environment = "debian-13"))
  found <- calibration_table(both, calibration)
  expect_identical(found[, .N, by = environment]$N, c(3L, 3L))
})

test_that("cells of the experiments with 10 forks or more are halved, those of the calibration are not", {
  real <- made_up_forks(four_ciphers(), 10)
  few <- made_up_forks(four_ciphers(), 9, protocol = "as-published")
  found <- calibration_table(rbind(calibration_forks(), real, few, fill = TRUE), calibration)
  halves <- found[kind == "halves of a cell"]
  expect_identical(nrow(halves), 4L)
  expect_identical(unique(halves$experiment), "kofahi2013")
  expect_identical(unique(halves$forks_min), 5L)
  expect_identical(halves$truth, rep(1, 4))
})

test_that("a run without a calibration has a table without rows, or with halves alone", {
  expect_identical(names(calibration_table(made_up_forks(four_ciphers(), 5), NULL)), calibration_columns)
  expect_identical(nrow(calibration_table(made_up_forks(four_ciphers(), 5), NULL)), 0L)
  expect_identical(nrow(calibration_table(made_up_forks(four_ciphers(), 10), NULL)), 4L)
})

test_that("a single fork gives no interval", {
  found <- calibration_table(calibration_forks(count = 1), calibration)
  expect_true(all(is.na(found$ratio)) && all(is.na(found$different)))
})

# Halves of the cells of a real run.
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
