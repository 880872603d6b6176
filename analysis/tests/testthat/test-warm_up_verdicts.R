# A verdict does not rest on times whose code is unproven compiled.

test_that("the tipping_factor factor is the way from the interval to the nearest limit", {
  expect_equal(tipping_factor(1.46, 3, 1, Inf), 1.46)
  expect_equal(tipping_factor(0.2, 0.5, 1, Inf), 2)
  expect_equal(tipping_factor(0.9, 1.1, 0.8, 1.25), 1.125)
  expect_equal(tipping_factor(0.9, 1.1, 1, Inf), 1)
  expect_equal(tipping_factor(2, 3, 0.8, 1.25), 1.6)
  expect_equal(tipping_factor(c(2, 0.2, 0.8), c(3, 0.5, 1.2), 0, Inf), c(2, 2, 1))
})

four <- function(state) {
  forks <- made_up_forks(four_ciphers())
  forks[factor.cipher == "AES", `:=`(warm_up_state = state, warm_up_why = if (state == "proven") "" else "run is c1")]
}
fastest <- list(A = ordered_claim("best-of", c("AES", "DES", "Triple-DES", "Blowfish")))
verdict_of <- function(forks) judged(forks, claims = fastest)$verdicts

test_that("a clear difference of cells that are unproven is undecided, and says what would turn it", {
  proven <- verdict_of(four("proven"))
  expect_identical(proven$verdict, "holds")
  expect_identical(proven$warm_up_state, "proven")
  for (state in c("unproven", "still compiling")) {
    found <- verdict_of(four(state))
    expect_identical(found$verdict, "undecided")
    expect_identical(found$warm_up_state, state)
    expect_match(
      found$reason, "; warm-up unproven \\(run is c1\\): times wrong by a factor of 7\\.[0-9]+ would turn it$"
    )
    expect_equal(found$p, proven$p)
  }
})

test_that("a claim that does not hold needs only the contrast that breaks it to be proven warm", {
  slowest <- list(A = ordered_claim("best-of", c("Triple-DES", "DES", "AES", "Blowfish")))
  forks <- made_up_forks(four_ciphers())[factor.cipher == "DES", warm_up_state := "unproven"]
  found <- judged(forks, claims = slowest)$verdicts
  expect_identical(found$verdict, "does-not-hold")
  expect_identical(found$warm_up_state, "proven")
})

test_that("a label has a mark where a cell of it is not proven compiled, and a caption explains it", {
  found <- mark_unproven(c("AES", "AES", "DES"), c("proven", "unproven", "by definition"))
  expect_identical(found, c("AES \u2020", "AES \u2020", "DES"))
  caption <- unproven_caption(data.table(label = factor(found)))
  expect_match(caption, paste(unproven_mark, "warm-up not proven"), fixed = TRUE)
  expect_identical(unproven_caption(data.table(label = "DES", n = 1)), "")
  expect_identical(unproven_caption(list()), "")
})

test_that("what is made of times needs proven times too: rates, utilisations, quotients of steps, single calls", {
  made_of <- c(
    "wall", "server-cpu", "throughput", "client-utilisation", "busier-utilisation", "server-per-client",
    "step-ratio.encrypt.decrypt", "calls.variation"
  )
  expect_true(all(rests_on_times(made_of)))
  expect_false(any(rests_on_times(c("deviation.100", "answered", "share.generate-key", "resolution"))))
  forks <- four("unproven")
  observed <- forks[, .(
    experiment, environment, round, fork, measure = "throughput", value = 1e9 / wall_ns_per_op, sd = NA_real_
  )]
  faster <- list(A = list(
    form = "ratio-above", measure = "throughput", parameters = list(limit = 1),
    ratios = list(list(numerator = list(cipher = "AES"), denominator = list(cipher = "DES")))
  ))
  found <- judge_made_up(forks, made_up_definitions(faster), observed)$verdicts
  expect_identical(c(found$verdict, found$warm_up_state), c("undecided", "unproven"))
})
