# "All alike" refutes a claim of best; a best that is best by more supports it.
best <- function() list(K1 = ordered_claim("best-of", c("AES", "DES", "Blowfish"), parameters = list(alike = 1.05)))
# Ten forks a cell whose logs lie evenly about the cell's own: no chance in what is far and what is near. In rounds of
# the cell's own, since paired they would differ by nothing at all.
even_forks <- function(cells, cv = 0.01) {
  forks <- made_up_forks(cells, cv = 0)
  forks[, round := paste(factor.cipher, round)]
  forks[, wall_ns_per_op := wall_ns_per_op * exp(cv * stats::qnorm(stats::ppoints(.N))), by = factor.cipher][]
}
near <- four_ciphers()[factor.cipher != "Triple-DES"][, ns := c(1005, 1000, 998)]

test_that("levels that are all alike refute it, by equivalence, and the reason says so", {
  found <- judged(even_forks(near), best())$verdicts
  expect_identical(found$verdict, "does-not-hold")
  expect_match(found$reason, "^all alike, within a factor of 1.05; the farthest apart: AES takes ")
})

test_that("the p value is twice the least, over both ways to refute, of twice the larger of the two one-sided tests", {
  forks <- even_forks(near)
  rows <- judged(forks, best())
  logs <- split(log(forks$wall_ns_per_op), forks$factor.cipher)
  inside <- vapply(c("DES", "Blowfish"), function(other) {
    max(
      stats::t.test(logs$AES, logs[[other]], mu = -log(1.05), alternative = "greater")$p.value,
      stats::t.test(logs$AES, logs[[other]], mu = log(1.05), alternative = "less")$p.value
    )
  }, 0)
  expect_equal(rows$verdicts$p, min(1, 2 * 2 * max(inside)))
})

test_that("one that is far off, or too few forks, make no equals; and a best that is best holds", {
  far <- copy(near)[factor.cipher == "Blowfish", ns := 2000]
  found <- judged(even_forks(far), best())$verdicts
  expect_identical(found$verdict, "undecided")
  expect_identical(judged(even_forks(near, cv = 0.05), best())$verdicts$verdict, "undecided")
  clear <- copy(near)[factor.cipher == "AES", ns := 900]
  expect_identical(judged(even_forks(clear), best())$verdicts$verdict, "holds")
  worse <- copy(near)[factor.cipher == "AES", ns := 1200]
  found <- judged(even_forks(worse), best())$verdicts
  expect_identical(found$verdict, "opposite")
  expect_no_match(found$reason, "all alike")
})

test_that("alike times of code that is not proven compiled refute nothing", {
  forks <- even_forks(near)[factor.cipher == "DES", `:=`(warm_up_state = "unproven", warm_up_why = "run is c1")]
  found <- judged(forks, best())$verdicts
  expect_identical(found$verdict, "undecided")
  expect_match(found$reason, "warm-up unproven \\(run is c1\\)")
})

test_that("slowest-of has it too, where it is given", {
  slowest <- ordered_claim("slowest-of", c("AES", "DES", "Blowfish"), parameters = list(alike = 1.05))
  expect_match(judged(even_forks(near), list(K3 = slowest))$verdicts$reason, "^all alike")
  slowest$parameters <- list()
  expect_identical(judged(even_forks(near), list(K3 = slowest))$verdicts$verdict, "undecided")
})

test_that("all alike in one setting refutes, at the price of the number of settings", {
  expect_equal(combine_contrasts(c(1, 1, 1, 1), c(1, 1, 1, 1), c(0.001, 0.002, 0.5, 0.6), c("a", "a", "b", "b")), list(
    p = 2 * 2 * 2 * 0.002, answer = "does-not-hold", decisive = 2L, alike = TRUE, tests = 8
  ))
})

# Claims about a difference of two measures, in their own unit.
set.seed(72)
forks <- made_up_forks(data.table(workload = "log-on", factor.cipher = c("AES", "DES"), ns = c(1000, 2000)))
observed <- forks[, .(
  experiment, environment, round, fork, measure = "spare",
  value = fifelse(factor.cipher == "DES", 0.62, 0.3) + stats::rnorm(.N, 0, 0.005), sd = NA_real_
)]
between <- function(lower, upper = NULL, points = 100) {
  list(I7 = list(
    form = "difference-between", measure = "spare", parameters = list(lower = lower, upper = upper, points = points),
    ratios = list(list(numerator = list(cipher = "DES"), denominator = list(cipher = "AES")))
  ))
}
found <- function(claims) judge_made_up(forks, made_up_definitions(claims), observed)
sides <- split(100 * observed$value, forks$factor.cipher)

test_that("its interval and its two one-sided tests, paired by rounds, are on the measure's own scale", {
  row <- found(between(24, 40))
  test <- stats::t.test(sides$DES, sides$AES, paired = TRUE)
  expect_equal(c(row$contrasts$lower, row$contrasts$upper), as.numeric(test$conf.int))
  expect_equal(row$contrasts$ratio, unname(test$estimate))
  lower <- stats::t.test(sides$DES, sides$AES, mu = 24, alternative = "greater", paired = TRUE)$p.value
  upper <- stats::t.test(sides$DES, sides$AES, mu = 40, alternative = "less", paired = TRUE)$p.value
  expect_equal(row$contrasts$p_support, max(lower, upper))
  expect_identical(row$verdicts$verdict, "holds")
  expect_match(row$verdicts$reason, "^the spare is 3[0-9.]+ points higher for DES than for AES")
})

test_that("it does not hold outside, and may be open above; 0 is a limit like others", {
  expect_identical(found(between(40, 50))$verdicts$verdict, "other-size")
  expect_identical(found(between(28))$verdicts$verdict, "holds")
  zero <- found(between(0, 6))
  expect_identical(zero$verdicts$verdict, "other-size")
  expect_identical(zero$contrasts$target_lower, 0)
})

test_that("without points it stays in the measure's unit", {
  expect_equal(found(between(0.1, 0.5, NULL))$contrasts$ratio, diff(vapply(sides, mean, 0))[[1]] / 100)
})

test_that("a ratio between two limits is tested on logs: the golden values", {
  one <- c(10.1, 10.3, 9.9, 10.0, 10.2)
  two <- c(12.0, 12.4, 12.1, 11.8, 12.2)
  made <- made_up_forks(data.table(workload = "encrypt", factor.cipher = c("AES", "DES"), ns = 1), count = 5)
  made[, wall_ns_per_op := c(one, two)]
  claim <- list(
    form = "ratio-between", parameters = list(lower = 0.8, upper = 1.25),
    ratios = list(list(numerator = list(cipher = "DES"), denominator = list(cipher = "AES")))
  )
  row <- judged(made, list(I2 = claim))$contrasts
  expect_golden(c(row$ratio, row$lower, row$upper), c(1.1979736, 1.1682791, 1.2284228))
  expect_golden(row$p_support, 0.0023146, 1e-4)
})

# Claims about a measure of the cells themselves.
set.seed(11)
value_forks <- made_up_forks(data.table(
  workload = c("encrypt", "encrypt", "generate-key"), factor.cipher = c("AES", "DES", "AES"), ns = 1000
))
value_observed <- value_forks[workload == "encrypt", .(
  experiment, environment, round, fork, measure = "share.key",
  value = fifelse(factor.cipher == "AES", 0.8, 0.6) * exp(stats::rnorm(.N, 0, 0.02)), sd = NA_real_
)]
value_judged <- function(claim, forks = value_forks, observed = value_observed) {
  judge_made_up(forks, made_up_definitions(list(C4 = c(claim, list(measure = "share.key")))), observed)
}
above <- function(limit, ...) {
  list(form = "value-above", parameters = list(limit = limit), values = list(workload = "encrypt", ...))
}

test_that("a claim about every cell's value is judged on the worst of them", {
  found <- value_judged(above(0.5))
  expect_identical(found$verdicts$verdict, "holds")
  expect_identical(found$verdicts$contrasts, 2L)
  expect_equal(found$verdicts$estimate, 0.6, tolerance = 0.02)
  expect_match(found$verdicts$reason, "the share of key is 0\\.[56][0-9]* for .*DES, SunJCE")
  expect_identical(value_judged(above(0.7))$verdicts$verdict, "does-not-hold")
  expect_identical(value_judged(above(0.7, cipher = "AES"))$verdicts$verdict, "holds")
})

test_that("its interval is Student's t on the log values", {
  rows <- value_judged(above(0.5, cipher = "AES"))$contrasts
  own <- log(value_observed$value[value_forks[workload == "encrypt"]$factor.cipher == "AES"])
  test <- stats::t.test(own)
  expect_equal(log(c(rows$ratio, rows$lower, rows$upper)), unname(c(test$estimate, test$conf.int)))
  expect_equal(rows$df, 9)
})

test_that("about and below have their targets; a ratio may be of an observed measure too", {
  about <- list(form = "value-about", parameters = list(value = 0.8, within = 1.1), values = list(cipher = "AES"))
  expect_identical(value_judged(about)$verdicts$verdict, "holds")
  below <- list(form = "value-below", parameters = list(limit = 0.7), values = list(cipher = c("AES", "DES")))
  expect_identical(value_judged(below)$verdicts$verdict, "does-not-hold")
  slowest <- ordered_claim("slowest-of", c("AES", "DES"), among = list(workload = "encrypt"))
  found <- value_judged(slowest)
  expect_identical(found$verdicts$verdict, "holds")
  expect_match(found$verdicts$reason, "the share of key is 1.3[0-9]* times as high for AES as for DES")
})

test_that("forks that observed nothing make no value", {
  found <- value_judged(above(0.5), observed = value_observed[0])
  expect_identical(found$verdicts$verdict, "not-testable")
  expect_identical(found$verdicts$reason, "no fork of the cells observed share.key")
  found <- value_judged(above(0.5, cipher = "RC4"))
  expect_identical(found$verdicts$verdict, "not-testable")
  expect_match(found$verdicts$reason, "not measured here in this tier: encryption (RC4)", fixed = TRUE)
})

test_that("a claim has verdicts only under protocols that its workloads are measured under", {
  both <- rbind(value_forks, copy(value_forks)[, `:=`(protocol = "as-published", round = paste0("a", round))])
  definitions <- made_up_definitions(list(C1 = list(
    form = "ratio-below", parameters = list(limit = 2), ratios = list(list(
      numerator = list(workload = "encrypt", cipher = "AES"), denominator = list(workload = "encrypt", cipher = "DES")
    ))
  )))
  experiment <- definitions$experiments[[1]]
  experiment$protocols <- list("as-published" = list(), "steady-state" = list())
  definitions$experiments[[1]] <- experiment
  expect_identical(nrow(judge_made_up(both, definitions)$verdicts), 2L)
  definitions$experiments[[1]]$workloads$encrypt$protocols <- list("steady-state")
  expect_identical(judge_made_up(both, definitions)$verdicts$protocol, "steady-state")
})

test_that("measures have words", {
  expect_identical(measure_phrase("wall"), "time")
  expect_identical(measure_phrase("cpu"), "CPU time")
  expect_identical(measure_phrase("server-cpu"), "CPU time of the server")
  expect_identical(measure_phrase("client-utilisation"), "client's utilisation")
  expect_true(is_time("server-jvm-cpu") && !is_time("server-utilisation"))
  expect_true(is_time("server-cpu") && is_time("latency.p99"))
  expect_identical(measure_phrase("share.generate-key"), "share of key generation")
  expect_identical(measure_phrase("later.step.encrypt"), "time of encryption")
  expect_identical(measure_phrase("bytes-on-the-wire"), "bytes-on-the-wire")
  expect_true(is_time("later.total") && is_time("step.encrypt") && !is_time("share.encrypt"))
})

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
