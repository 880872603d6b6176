study <- list(
  id = "own", measure = "wall", providers = list("slow", "quick", "alone"), not_offered = "mark",
  workloads = list(encrypt = list(factors = list("cipher")), hash = list(factors = list("digest"))),
  protocols = list("steady-state" = list()),
  factors = list(cipher = list(AES = list(bits = 128, level = 3)), digest = list(MD5 = list(algorithm = "MD5")))
)
other <- utils::modifyList(study, list(id = "other", not_offered = NULL))

ranked <- local({
  set.seed(6)
  cells <- CJ(
    provider = c("slow", "quick", "alone"), workload = c("encrypt", "hash"), experiment = c("own", "other")
  )[provider != "alone" | workload == "hash"]
  cells[, `:=`(
    factor.cipher = fifelse(workload == "encrypt", "AES", ""), factor.digest = fifelse(workload == "hash", "MD5", ""),
    cell = paste(workload, provider), ns = c(slow = 300, quick = 100, alone = 101)[provider]
  )]
  forks <- made_up_forks(cells, count = 6)
  forks[, wall_ns_per_op := c(slow = 300, quick = 100, alone = 101)[provider] * (1 + 0.01 * (number - 3.5))]
  cells <- cell_means(forks)[, `:=`(label = factor(cell), place = factor("here"))]
  data <- list(
    experiments = list(own = study, other = other), profiles = c(native = "as it is"), cells = cells,
    ratios = ratio_table(forks, list(experiments = list(study, other)))
  )
  list(own = experiment_rankings(data, "own"), other = experiment_rankings(data, "other"), cells = cells)
})

test_that("providers are ranked by time, with the ratio to the fastest and the cell's mean", {
  encrypt <- ranked$own[workload == "encrypt"]
  expect_equal(encrypt$provider, c("quick", "slow"))
  expect_equal(encrypt$ratio, c(1, 3), tolerance = 1e-9)
  expect_true(is.na(encrypt$lower[1]))
  expect_true(encrypt$lower[2] < 3 && encrypt$upper[2] > 3)
  cells <- ranked$cells[experiment == "own" & measure == "wall"]
  expect_identical(encrypt$mean_ns, cells[encrypt, on = "cell", mean_ns])
  hash <- ranked$own[workload == "hash"]
  expect_equal(hash$provider, c("quick", "alone", "slow"))
  expect_identical(hash$rank, 1:3)
  # 1 % apart, with a spread of 2 %: not to be told apart.
  expect_true(hash$lower[2] < 1 && hash$upper[2] > 1)
})

test_that("the security level comes from the definitions", {
  expect_equal(unique(ranked$own[workload == "encrypt"]$level), 3)
  expect_true(all(is.na(ranked$own[workload == "hash"]$level)))
})

test_that("only experiments that ask what is offered are ranked", {
  expect_null(ranked$other)
})
