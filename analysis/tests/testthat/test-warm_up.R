# Warm-up is proven by what was compiled, not by flat times.

by <- c("round", "fork")

flat_fork <- function(times = rep(100, 12), jit_ms = 0) {
  n <- length(times)
  data.table(
    round = "r1", fork = 1, iteration = seq_len(n), warmup = "steady-state", start_uptime_ms = 1000 + 100 * seq_len(n),
    end_uptime_ms = 1099 + 100 * seq_len(n), duration_ns = times * 1e6 / 100, operations = 1e4, jit_ms = jit_ms,
    measured = TRUE, steady = "flat"
  )
}
the_fork <- data.table(round = "r1", fork = 1, warmup = "steady-state", native = FALSE)
a_chain <- function(...) {
  states <- c(...)
  depth <- seq_along(states) - 1
  data.table(round = "r1", fork = 1, depth = depth, method = paste0("m", depth), state = states)
}
at <- function(...) data.table(round = "r1", fork = 1, uptime_ms = c(...), method = "m0")
nothing <- at(1)[0]
state <- function(iterations = flat_fork(), chain = a_chain("c2"), compilations = nothing, fork = the_fork) {
  awaited <- count_disturbed(copy(iterations), chain, by)
  awaited <- await_compilers(await_chain(awaited, compilations, by), by)
  fork_warm_up_states(fork, awaited, chain, compilations, by)
}

test_that("a flat fork whose chain is compiled is proven", {
  found <- state(chain = a_chain("c2", "inlined", "intrinsic", "trivial", "native"))
  expect_identical(found$warm_up_state, "proven")
  expect_identical(found$warm_up_why, "")
  expect_identical(c(found$operations_before, found$operations_measured), c(0, 12e4))
})

test_that("a flat fork with one method of its chain at a lower tier is unproven, and the method is named", {
  found <- state(chain = a_chain("c2", "c1", "c2"))
  expect_identical(found$warm_up_state, "unproven")
  expect_identical(found$warm_up_why, "m1 is c1")
  expect_identical(state(chain = a_chain("interpreted"))$warm_up_state, "unproven")
})

test_that("a fork without a record is unproven", {
  expect_identical(state(chain = a_chain("c2")[0])$warm_up_why, "what was compiled is not recorded")
})

test_that("the window begins behind the last compilation of the chain", {
  iterations <- await_chain(flat_fork(), at(900, 1450), by)
  expect_identical(iterations$measured, seq_len(12) > 4)
  expect_identical(state(compilations = at(1450))$warm_up_state, "proven")
  expect_identical(state(compilations = at(1450))$operations_before, 4e4)
})

test_that("where a compilation leaves too little behind it, the fork is still compiling", {
  found <- state(compilations = at(2100))
  expect_identical(found$warm_up_state, "still compiling")
  expect_identical(found$warm_up_why, "m0 was compiled while it was measured")
})

test_that("times that fall inside the window count against it, also where they are noisy", {
  falling <- state(flat_fork(times = c(rep(130, 6), rep(100, 6)) + c(-1, 1)))
  expect_identical(falling$warm_up_state, "still compiling")
  expect_identical(falling$warm_up_why, "its times fall by 23 % while it is measured")
  noisy <- c(170, 100, 160, 110, 165, 120, 100, 90, 102, 95, 99, 101)
  expect_match(state(flat_fork(times = noisy))$warm_up_why, "fall by")
  expect_identical(state(flat_fork(times = rep(c(100, 130), 6)))$warm_up_state, "proven")
  expect_identical(state(flat_fork(times = c(rep(100, 6), rep(130, 6)) + c(-1, 1)))$warm_up_state, "proven")
})

marked <- function(times) {
  iterations <- flat_fork(times)[, measured := NULL][, steady := NULL]
  count_disturbed(mark_measured(iterations, by), a_chain("c2"), by)
}

test_that("what disturbs a recorded fork at its end counts with the rest, not alone", {
  times <- c(890, 892, 888, 891, 890, 889, 892, 890, 888, 1475, 1600, 1540)
  without <- mark_measured(flat_fork(times)[, c("measured", "steady") := NULL], by)
  expect_identical(without$steady[1], "slowdown")
  expect_identical(which(without$measured), 10:12)
  expect_identical(which(count_disturbed(copy(without), a_chain("c2")[0], by)$measured), 10:12)
  expect_true(all(count_disturbed(without, a_chain("c2"), by)$measured))
})

test_that("its own warm-up still goes, and code that changed is not averaged over", {
  times <- c(1800, 1790, 890, 892, 888, 891, 890, 889, 892, 1475, 1480, 1470)
  expect_identical(which(marked(times)$measured), 3:12)
  expect_identical(which(await_chain(marked(times), at(1950), by)$measured), 10:12)
})

test_that("a recorded fork disturbed in its last two iterations, which is no steady state, keeps the others", {
  times <- c(890, 892, 888, 891, 890, 889, 892, 890, 888, 889, 1475, 1480)
  found <- marked(times)
  expect_identical(found$steady[1], "no steady state")
  expect_true(all(found$measured))
})

test_that("a fork that falls until its end has its last half measured, recorded or not", {
  found <- marked(c(900, 902, 898, 700, 702, 698, 500, 502, 498, 501, 300, 301))
  expect_identical(found$steady[1], "no steady state")
  expect_identical(which(found$measured), 7:12)
})

test_that("what happens after the last iteration is not in the window", {
  expect_identical(state(compilations = at(2400))$warm_up_state, "proven")
})

test_that("compilers at work for more than a twentieth of the time are still compiling", {
  expect_identical(state(flat_fork(jit_ms = 0.04))$warm_up_state, "proven")
  expect_identical(state(flat_fork(rep(1e4, 12), jit_ms = 6))$warm_up_state, "still compiling")
  expect_identical(state(flat_fork(jit_ms = NA))$warm_up_state, "still compiling")
})

test_that("the window begins where compilers are hardly at work any more, where a quarter is left", {
  early <- await_compilers(flat_fork(rep(1e4, 12), jit_ms = c(60, 10, rep(1, 10))), by)
  expect_identical(early$measured, seq_len(12) > 1)
  expect_identical(state(flat_fork(rep(1e4, 12), jit_ms = c(60, 10, rep(1, 10))))$warm_up_state, "proven")
  late <- flat_fork(rep(1e4, 12), jit_ms = c(rep(1, 9), 100, 0, 0))
  expect_true(all(await_compilers(copy(late), by)$measured))
  expect_identical(state(late)$warm_up_state, "still compiling")
  published <- flat_fork(rep(1e4, 12), jit_ms = c(90, rep(0, 11)))[, steady := "not sought"]
  expect_true(all(await_compilers(published, by)$measured))
})

test_that("native programs and protocols that say themselves what counts are proven by definition", {
  native <- copy(the_fork)[, native := TRUE]
  expect_identical(state(chain = a_chain("c2")[0], fork = native)$warm_up_state, "by definition")
  cold <- copy(the_fork)[, warmup := "0"]
  expect_identical(state(chain = a_chain("c2")[0], fork = cold)$warm_up_state, "by definition")
})

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
