# Forks of a crossing with known effects on the log scale, for two workloads of different effects.
variance_forks <- function(environments, profiles = c("native", "core2"), providers = c("sunjce", "bc"), effect,
                           count = 10, between = 0, within = 0, iterations = 20, units = c("encrypt", "hash")) {
  cells <- CJ(unit = units, environment = environments, cpu_profile = profiles, provider = providers, sorted = FALSE)
  cells[, c("system", "jdk") := tstrsplit(environment, " ", fixed = TRUE)]
  cells[, level := mapply(effect, unit, system, jdk, cpu_profile, provider)]
  forks <- cells[rep(seq_len(.N), each = count)]
  forks[, mean := exp(level + stats::rnorm(.N, 0, between) + stats::rnorm(.N, 0, within / sqrt(iterations)))]
  forks[, sd := mean * within * sqrt(stats::rchisq(.N, iterations - 1) / (iterations - 1))]
  forks[, iterations := iterations]
  forks[, .(unit, system, jdk, cpu_profile, provider, mean, sd, iterations)]
}
full <- c("12 17", "12 21", "13 17", "13 21")
planted <- function(unit, system, jdk, cpu, provider) {
  0.1 * (system == "13") + 0.3 * (jdk == "21") * (unit == "hash") + 0.8 * (cpu == "core2") + 0.2 * (provider == "bc")
}
of <- function(found, name, column = "variance") found$components[component == name][[column]]

test_that("without noise a full crossing gives the planted variances exactly", {
  found <- variance_shares(variance_forks(full, effect = planted), 5)
  expect_equal(of(found, "system"), 0.05^2)
  expect_equal(of(found, "jdk"), 0.15^2 / 2)
  expect_equal(of(found, "cpu_profile"), 0.4^2)
  expect_equal(of(found, "provider"), 0.1^2)
  expect_equal(c(of(found, "interaction"), of(found, "fork"), of(found, "iteration")), c(0, 0, 0))
  expect_equal(sum(found$components$share), 1)
  expect_identical(found$units, 2L)
})

test_that("components of a full crossing add up to the variance of the data", {
  set.seed(3)
  effects <- new.env()
  any_effect <- function(...) {
    key <- paste(...)
    if (is.null(effects[[key]])) effects[[key]] <- stats::rnorm(1)
    effects[[key]]
  }
  forks <- variance_forks(full, effect = any_effect, units = "one", count = 2)
  found <- variance_shares(forks, 5)
  expect_equal(sum(found$components$variance), mean((log(forks$mean) - mean(log(forks$mean)))^2))
})

test_that("planted components are found under noise, and the intervals hold them", {
  set.seed(5)
  inside <- vapply(1:20, function(run) {
    forks <- variance_forks(full, effect = planted, between = 0.05, within = 0.1)
    found <- variance_shares(forks, 100, seed = run)$components
    truth <- c(system = 0.05^2, jdk = 0.15^2 / 2, cpu_profile = 0.4^2, provider = 0.1^2, interaction = 0, fork = 0.05^2,
               iteration = 0.1^2)
    truth <- (truth / sum(truth))[found$component]
    expect_lt(max(abs(found$share - truth)), 0.03)
    found$lower - 1e-9 <= truth & truth <= found$upper + 1e-9
  }, logical(7))
  expect_gte(mean(inside[-5, ]), 0.85)
})

test_that("noise alone is not given to any factor", {
  set.seed(6)
  shares <- vapply(1:20, function(run) {
    forks <- variance_forks(full, effect = function(...) 0, between = 0.05, within = 0.05)
    found <- variance_shares(forks, 2)$components
    c(mean(found[component %in% matrix_factors]$variance), found[component == "fork"]$variance)
  }, numeric(2))
  expect_lt(abs(mean(shares[1, ])), 0.05^2 * 0.02)
  expect_equal(mean(shares[2, ]), 0.05^2, tolerance = 0.1)
})

test_that("an unbalanced design is adjusted for: a factor is not given what another one causes", {
  only_jdk <- function(unit, system, jdk, cpu, provider) 0.5 * (jdk == "21")
  found <- variance_shares(variance_forks(c("12 17", "12 21", "13 21", "wine 21"), effect = only_jdk), 5)
  expect_equal(of(found, "system"), 0)
  expect_equal(of(found, "jdk"), 0.25^2)
})

test_that("what can't be told apart gets no number of its own, and one together", {
  effect <- function(unit, system, jdk, cpu, provider) 0.1 * (system == "wine") + 1 * (jdk == "8")
  found <- variance_shares(variance_forks(c("13 21", "wine 21", "sid 8"), effect = effect), 5)
  expect_identical(found$confounded, c("system", "jdk"))
  expect_false("jdk" %in% found$components$component)
  expect_equal(of(found, "system"), 0.05^2)
  # Two environments of mean 0.05 against one of 1: three values, the first two alike.
  expect_equal(of(found, "joint"), mean((c(0.05, 0.05, 1) - mean(c(0.05, 0.05, 1)))^2))
  expect_identical(found$blocks[block == 2, unique(system)], "sid")
})

test_that("two environments that differ in all leave OS and JDK without numbers", {
  found <- variance_shares(variance_forks(c("13 21", "sid 8"), effect = planted), 5)
  expect_setequal(found$components$component, c("cpu_profile", "provider", "joint", "interaction", "fork", "iteration"))
})

test_that("one environment and profile leave provider, fork and iteration; the same seed gives the same numbers", {
  set.seed(7)
  forks <- variance_forks("13 21", "native", effect = planted, between = 0.05, within = 0.1)
  found <- variance_shares(forks, 20)
  expect_setequal(found$components$component, c("provider", "interaction", "fork", "iteration"))
  before <- stats::runif(1)
  expect_identical(variance_shares(forks, 20), found)
  expect_false(identical(before, stats::runif(1)))
})

test_that("cells of a single fork and iteration, and cells that are missing, do no harm", {
  set.seed(8)
  forks <- variance_forks(full, effect = planted, between = 0.02, count = 1)[, sd := NA_real_][-(1:3)]
  found <- variance_shares(forks, 5)$components
  expect_true(all(is.finite(found$share)))
})
