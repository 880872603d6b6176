# What is counted: every visit is as claimed, or one is not. No interval, no p value.
forks <- made_up_forks(data.table(workload = "encrypt", factor.cipher = c("AES", "DES"), ns = 1000), count = 3)
visits <- forks[, .(iteration = 1:2), by = .(experiment, environment, round, fork)]
seen <- function(measure, value) copy(visits)[, `:=`(measure = measure, value = value)]
claim <- function(equals) {
  list(P6a = list(
    form = "every", measure = "answered", equals = equals, parameters = list(), values = list(cipher = "AES")
  ))
}
verdict <- function(claims, visits, observed = NULL) {
  judge_made_up(forks, made_up_definitions(claims), observed, visits = visits)$verdicts
}

test_that("holds when all visits are as claimed, with their number; no p and no interval", {
  found <- verdict(claim(30), seen("answered", 30))
  expect_identical(c(found$verdict, found$reason), c(
    "holds", "the number of answered connections is 30 in 6 of 6 observations of 3 JVM runs"
  ))
  expect_identical(c(found$estimate, found$contrasts), c(1, 6))
  expect_true(all(is.na(found[, c(p, p_holm, lower, upper)])))
})

test_that("broken by one that isn't; visits of other cells don't count", {
  one <- seen("answered", 30)[fork == 1 & iteration == 2, value := 29]
  expect_identical(verdict(claim(30), copy(one)[fork == 1 & iteration == 2, fork := 4])$verdict, "holds")
  found <- verdict(claim(30), one)
  expect_identical(found$verdict, "does-not-hold")
  expect_match(found$reason, "in [0-9] of [0-9] observations of 3 JVM runs; in another it is 29$")
})

test_that("it may be another measure of the same visit", {
  both <- rbind(seen("answered", 30), seen("free-threads", 30))
  expect_identical(verdict(claim("free-threads"), both)$verdict, "holds")
  expect_match(verdict(claim("free-threads"), both)$reason, "is the number of free threads in 6 of 6")
  both[measure == "free-threads", value := 31]
  expect_identical(verdict(claim("free-threads"), both)$verdict, "does-not-hold")
})

test_that("what is made of a whole fork is counted by forks; nothing observed is not testable", {
  whole <- forks[, .(experiment, environment, round, fork, measure = "answered", value = 30, sd = NA_real_)]
  expect_match(verdict(claim(30), NULL, whole)$reason, "in 3 of 3 observations of 3 JVM runs")
  found <- verdict(claim(30), seen("other", 1))
  expect_identical(c(found$verdict, found$reason), c("not-testable", "no fork of the cells observed answered"))
})
