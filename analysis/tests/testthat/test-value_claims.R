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
