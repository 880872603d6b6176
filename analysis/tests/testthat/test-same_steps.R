# Steps in the same order in several settings, or alike in all.
set.seed(73)
forks <- made_up_forks(data.table(workload = "chain", factor.cipher = c("AES", "DES"), ns = 1000))
steps <- function(aes, des, measure = "step-ratio.encrypt.decrypt", cv = 0.02) {
  forks[, .(
    experiment, environment, round, fork, measure = measure, sd = NA_real_,
    value = fifelse(factor.cipher == "AES", aes, des) * exp(stats::rnorm(.N, 0, cv))
  )]
}
claim <- list(C13 = list(
  form = "same-steps", measures = c("step-ratio.encrypt.decrypt", "step-ratio.encrypt.initialise"),
  parameters = list(alike = 1.25), among = list(workload = "chain"),
  across = list(factor = "cipher", levels = list("AES", "DES"))
))
verdict <- function(...) {
  judge_made_up(forks, made_up_definitions(claim), rbind(...))$verdicts
}

test_that("the same order in all, or alike in all, keeps the pattern; opposite orders break it", {
  kept <- verdict(steps(2, 3), steps(1.02, 0.97, "step-ratio.encrypt.initialise"))
  expect_identical(kept$verdict, "holds")
  broken <- verdict(steps(2, 0.5), steps(2, 3, "step-ratio.encrypt.initialise"))
  expect_identical(broken$verdict, "does-not-hold")
  said <- "the time of encryption over that of decryption is [0-9.]+ with AES and 0.[0-9]+ with DES"
  expect_match(broken$reason, said)
})

test_that("a pair of steps that is neither is undecided", {
  expect_identical(verdict(steps(2, 3), steps(1.24, 0.9, "step-ratio.encrypt.initialise"))$verdict, "undecided")
})

test_that("one side is Student's t within forks, the smaller way counts twice, and a pair needs all of its settings", {
  one <- log(c(2, 2.1, 2.2, 1.9, 2))
  two <- log(c(3, 3.2, 2.9, 3.1, 3))
  p <- function(values, mu, side) stats::t.test(values, mu = mu, alternative = side)$p.value
  moments <- function(values) c(mean(values), stats::sd(values) / sqrt(5))
  both <- rbind(moments(one), moments(two))
  found <- kept_p_values(both[, 1], both[, 2], c(4, 4), alike = 1.25)
  expect_equal(found$p_support, 2 * max(p(one, 0, "greater"), p(two, 0, "greater")))
  near <- log(c(1.01, 0.99, 1.02, 1, 0.98))
  both <- rbind(moments(near), moments(near + 0.001))
  inside <- function(values) max(p(values, -log(1.25), "greater"), p(values, log(1.25), "less"))
  expect_equal(
    kept_p_values(both[, 1], both[, 2], c(4, 4), alike = 1.25)$p_support, 2 * max(inside(near), inside(near + 0.001))
  )
  lone <- forks[factor.cipher == "AES"]
  found <- judge_made_up(lone, made_up_definitions(claim), rbind(steps(2, 3)))$verdicts
  expect_identical(found$verdict, "not-testable")
})

test_that("steps of code that is not proven compiled are at most undecided", {
  forks[factor.cipher == "DES", `:=`(warm_up_state = "unproven", warm_up_why = "x")]
  on.exit(forks[, `:=`(warm_up_state = "proven", warm_up_why = "")])
  expect_identical(verdict(steps(2, 3), steps(2, 3, "step-ratio.encrypt.initialise"))$verdict, "undecided")
})
