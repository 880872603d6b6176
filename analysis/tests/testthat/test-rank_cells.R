# Cells of an operation in the order of their time.

ranked_forks <- function(means, valid = TRUE, forks = 5) {
  rbindlist(lapply(seq_along(means), function(i) {
    data.table(
      experiment = "x", environment = "e", image_id = "i", machine_id = "m", cell = names(means)[i],
      workload = "encrypt",
      protocol = "steady-state", provider = "p", cpu_profile = "native", factor.algorithm = names(means)[i],
      round = sprintf("r-%02d", seq_len(forks)), number = seq_len(forks), fork = i, stage = 1L, looks = 1L,
      valid = rep_len(valid, length(means))[i], rerun_of = NA_real_, measured_iterations = 10, steady = "steady",
      warm_up_state = "by definition", warm_up_why = "",
      wall_ns_per_op = means[i] * exp(c(-0.02, 0.01, 0, -0.01, 0.02)),
      cpu_ns_per_op = means[i], sd_within_wall_ns = 1, sd_within_cpu_ns = 1
    )
  }))
}

test_that("the fastest has rank 1, and the ratios to it are of geometric means", {
  ranked <- rank_cells(ranked_forks(c(b = 200, a = 100, c = 400)), NULL)
  expect_equal(ranked$cell, c("a", "b", "c"))
  expect_equal(ranked$time_ns, c(100, 200, 400))
  expect_equal(ranked$ratio, c(1, 2, 4))
})

test_that("intervals hold together: they are those of a level divided by all pairs", {
  forks <- ranked_forks(c(a = 100, b = 200, c = 400))
  three <- rank_cells(forks, NULL)
  two <- rank_cells(forks[cell != "c"], NULL)
  expect_equal(two$ratio[2], three$ratio[2])
  expect_lt(three$ratio_lower[2], two$ratio_lower[2])
  values <- log(forks[cell == "b"]$wall_ns_per_op)
  se <- sqrt(2 * stats::var(values) / 5)
  expect_equal(three$ratio_lower[2], exp(log(2) - stats::qt(1 - 0.05 / 3 / 2, 8) * se))
})

test_that("an interval of a time has no limit below 0", {
  wild <- ranked_forks(c(a = 100))[, wall_ns_per_op := c(1, 1000, 10, 500, 2)]
  expect_gt(rank_cells(wild, NULL)$lower_ns, 0)
})

test_that("a cell whose forks were all disturbed is shown and marked", {
  ranked <- rank_cells(ranked_forks(c(a = 100, b = 200), valid = c(TRUE, FALSE)), NULL)
  expect_equal(ranked$disturbed, c(FALSE, TRUE))
})

test_that("of a cell with an undisturbed fork the others do not count", {
  forks <- ranked_forks(c(a = 100))[1:2, valid := FALSE]
  expect_equal(rank_cells(forks, NULL)$forks, 3)
})

test_that("without forks there is an empty table", {
  expect_equal(nrow(rank_cells(ranked_forks(c(a = 100))[0], NULL)), 0)
})

test_that("disturbed forks are unproven, whatever their compilation says, and no reference fork speaks for them", {
  forks <- ranked_forks(c(a = 100, b = 200), valid = c(TRUE, FALSE))[, `:=`(reference_ns = 1, early_ns = 1)]
  shown <- shown_forks(forks)
  expect_equal(unique(shown[cell == "b"]$warm_up_why), disturbed_words)
  expect_equal(unique(shown[cell == "a"]$warm_up_state), "by definition")
  expect_true(all(is.na(shown[cell == "b"]$reference_ns)) && all(shown[cell == "a"]$reference_ns == 1))
})
