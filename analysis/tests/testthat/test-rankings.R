inside("display")

study <- list(
  providers = list("slow", "quick", "alone"), not_offered = "mark",
  workloads = list(encrypt = list(factors = list("cipher")), hash = list(factors = list("digest"))),
  protocols = list(modern = list()),
  factors = list(cipher = list(AES = list(bits = 128, level = 3)), digest = list(MD5 = list(algorithm = "MD5")))
)

ranked_forks <- function() {
  forks <- data.table::CJ(provider = c("slow", "quick", "alone"), workload = c("encrypt", "hash"), round = 1:6)
  forks <- forks[provider != "alone" | workload == "hash"]
  forks[, `:=`(
    place = factor("here"), protocol = "modern", cpu_profile = "native",
    factor.cipher = fifelse(workload == "encrypt", "AES", ""), factor.digest = fifelse(workload == "hash", "MD5", "")
  )]
  forks[, wall_ns_per_op := c(slow = 300, quick = 100, alone = 101)[provider] * (1 + 0.01 * (round - 3.5))]
}

test_that("providers are ranked by time, with the ratio to the fastest", {
  ranked <- rank_providers(ranked_forks(), study)
  encrypt <- ranked[workload == "encrypt"]
  expect_equal(encrypt$provider, c("quick", "slow"))
  expect_equal(encrypt$ratio, c(1, 3), tolerance = 1e-9)
  expect_true(is.na(encrypt$lower[1]))
  expect_lt(encrypt$lower[2], 3)
  expect_gt(encrypt$upper[2], 3)
  hash <- ranked[workload == "hash"]
  expect_equal(hash$provider, c("quick", "alone", "slow"))
  # 1 % apart, with a spread of 2 %: not to be told apart.
  expect_true(hash$lower[2] < 1 && hash$upper[2] > 1)
})

test_that("the security level comes from the definitions", {
  ranked <- rank_providers(ranked_forks(), study)
  expect_equal(unique(ranked[workload == "encrypt"]$level), 3)
  expect_true(all(is.na(ranked[workload == "hash"]$level)))
})

test_that("only experiments that ask what is offered are ranked", {
  data <- list(
    experiments = list(own = study, other = replace(study, "not_offered", list(NULL))),
    profiles = c(native = "as it is"), forks = ranked_forks()[, `:=`(experiment = "own", valid = TRUE)]
  )
  expect_gt(nrow(experiment_rankings(data, "own")), 0)
  expect_null(experiment_rankings(data, "other"))
})
