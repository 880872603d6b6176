inside("judge")

checks <- data.table(
  experiment = "e", environment = "v", image_id = "i", machine_id = "m", protocol = "modern", cpu_profile = "native",
  measure = "wall", cells = 20L, forks = 100L, forks_min = 5L,
  variation = 0.01, variation_lower = 0.008, variation_upper = 0.0125,
  far_out_share = 0.002, unsteady_share = 0.1, maximum_cells = 20L, maximum_ratio = 3, maximum_lower = 2,
  maximum_upper = 4.5
)
judged <- function(form, ..., parameters = list()) {
  row <- copy(checks)
  for (name in ...names()) set(row, j = name, value = list(...)[[name]])
  claim <- list(id = "S2", form = form, parameters = parameters, experiment = list(id = "e"))
  settle(iteration_verdicts(claim, all_forms()[[form]], row), 0.05)
}

test_that("a small spread supports, a large one refutes, one near the limit does neither", {
  expect_identical(judged("alike-iterations", parameters = list(within = 0.05))$verdict, "supported")
  expect_identical(judged("alike-iterations", parameters = list(within = 0.005))$verdict, "refuted")
  expect_identical(judged("alike-iterations", parameters = list(within = 0.0101))$verdict, "inconclusive")
})

test_that("the p value is that of the interval it comes from", {
  at_end <- judged("maximum-is-chance", maximum_ratio = 2, maximum_lower = 1, maximum_upper = 4)
  expect_equal(at_end$p, 0.05)
  expect_identical(at_end$direction, "supported")
  expect_match(at_end$sentence, "differ 2 times as much")
})

test_that("too few forks give no verdict, as for every claim", {
  few <- judged("alike-iterations", forks_min = 2L, parameters = list(within = 0.05))
  expect_identical(few$verdict, "inconclusive")
  expect_match(verdict_reason(few[1]), "^2 forks; a verdict needs 5")
})

test_that("without interval or rounds it can't be tested", {
  expect_identical(judged("maximum-is-chance", maximum_lower = NA_real_)$verdict, "not testable here")
  expect_identical(judged("maximum-is-chance", experiment = "other")$verdict, "not testable here")
})
