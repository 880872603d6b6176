# Reference forks: what they end with, after how long, and how cells are held against them.

by <- c("experiment", "environment", "round", "fork")
a_fork <- function(...) data.table(experiment = "e", environment = "v", round = "reference-1-01", fork = 1, ...)
seconds <- a_fork(
  iteration = 1:4, start_uptime_ms = c(1000, 2000, 3000, 4000), end_uptime_ms = c(2000, 3000, 4000, 5000),
  operations = c(10, 10, 100, 1000)
)

test_that("the wait ends where the chain's code last took over, within an iteration in proportion", {
  events <- a_fork(uptime_ms = c(1500, 2500, 3600, 3900), event = c("ready", "ready", "ready", "compiled"))
  found <- last_compiled(seconds, events, by)
  expect_equal(found$wait_calls, 10 + 10 + 60)
  expect_equal(found$wait_s, 2.6)
})

test_that("code that is there before the first iteration is not waited for, nor what comes after the last", {
  found <- last_compiled(seconds, a_fork(uptime_ms = c(700, 9000), event = "ready"), by)
  expect_equal(c(found$wait_calls, found$wait_s), c(0, 0))
})

reference_forks <- data.table(
  experiment = "e", environment = "v", image_id = "i", machine_id = "m", cell = c("a", "b", "b", "c"),
  kind = c("reference", "reference", "early", "reference"), warm_up_state = c("proven", "unproven", "proven", "proven"),
  mean_ns = c(100, 900, 200, 50)
)

test_that("forks get the end of a proven reference fork, of the same image and machine alone", {
  forks <- data.table(experiment = "e", environment = "v", image_id = c("i", "i", "i", "j"), machine_id = "m",
                      cell = c("a", "b", "d", "a"))
  found <- with_reference_forks(forks, reference_forks)
  expect_equal(found$reference_ns, c(100, NA, NA, NA))
  expect_equal(found$early_ns, c(NA, 200, NA, NA))
  expect_identical(with_reference_forks(forks[1], no_reference_forks())$reference_ns, NA_real_)
})

some_forks <- function(times, reference_fork = NA_real_, early_fork = NA_real_) {
  data.table(
    experiment = "e", environment = "v", image_id = "i", machine_id = "m", cell = "a", workload = "w",
    protocol = "steady-state", provider = "p", cpu_profile = "native", warm_up_state = "proven", warm_up_why = "",
    wall_ns_per_op = times, reference_ns = reference_fork, early_ns = early_fork
  )
}

test_that("a cell whose reference fork ends elsewhere is unproven, whatever its forks' records say", {
  found <- cell_states(some_forks(c(210, 212, 211, 209, 210), reference_fork = 100))
  expect_identical(found$warm_up_state, "unproven")
  expect_match(found$warm_up_why, "2.1 times")
  expect_equal(found$reference_ratio, exp(mean(log(c(210, 212, 211, 209, 210)))) / 100)
  expect_equal(found$reference_reach, 1.02 * found$reference_ratio)
})

test_that("a reference fork within what one more fork may be off by chance, and two per cent, leaves the cell proven", {
  times <- c(100, 102, 98, 101, 99)
  chance <- qt(0.975, 4) * sd(log(times)) * sqrt(1.2)
  edge <- exp(mean(log(times)) - chance) / 1.02
  expect_identical(cell_states(some_forks(times, reference_fork = edge * 1.001))$warm_up_state, "proven")
  expect_identical(cell_states(some_forks(times, reference_fork = edge * 0.999))$warm_up_state, "unproven")
  expect_identical(cell_states(some_forks(times, reference_fork = 100))$warm_up_why, "")
  expect_identical(cell_states(some_forks(100, reference_fork = 50))$warm_up_state, "proven")
})

test_that("an early-compilation fork bounds what may be wrong and settles nothing", {
  forks <- some_forks(c(900, 905, 910), early_fork = 200)
  expect_identical(cell_states(forks)$warm_up_state, "proven")
  unproven <- cell_states(forks[, warm_up_state := "unproven"])
  expect_equal(unproven$reference_reach, 1.02 * exp(mean(log(c(900, 905, 910)))) / 200)
})

test_that("without a reference fork the proven forks bound what may be wrong, where they are two or more", {
  reach <- function(times, states) {
    forks <- some_forks(times)[, c("reference_ns", "early_ns") := NULL][, warm_up_state := states]
    found <- cell_states(forks)
    expect_identical(found$reference_ratio, NA_real_)
    found$reference_reach
  }
  expect_equal(reach(c(100, 101), "proven"), 1.02)
  times <- c(100, 101, 99, 100, 150)
  one_off <- c(rep("proven", 4), "still compiling")
  alike <- log(times[1:4])
  chance <- qt(0.975, 3) * sqrt(sum((alike - mean(alike))^2) / 3 * (1 + 1 / 4))
  expect_equal(reach(times, one_off), 1.02 * exp((log(150) - mean(alike) + chance) / 5))
  expect_equal(reach(rev(times), rev(one_off)), reach(times, one_off))
  expect_identical(reach(c(100, 101), c("proven", "unproven")), NA_real_)
  expect_identical(reach(c(100, 101), "by definition"), NA_real_)
})

test_that("a reference fork bounds what may be wrong, or else proven forks, or else an early-compilation fork", {
  times <- c(100, 101, 99, 103, 104)
  reach <- function(...) {
    cell_states(some_forks(times, ...)[, warm_up_state := rep(c("proven", "unproven"), c(3, 2))])$reference_reach
  }
  # An early-compilation fork of 20 s may end long before its own code is compiled: then it is far slower than the cell.
  expect_equal(reach(early_fork = 300), reach())
  expect_lt(reach(), 1.1)
  expect_equal(reach(reference_fork = 90, early_fork = 300), 1.02 * exp(mean(log(times))) / 90)
})

test_that("the bound by proven forks holds in 97.5 % of cells and more, and is none that nothing exceeds", {
  set.seed(20140816)
  for (case in list(c(proven = 2, n = 5), c(proven = 6, n = 10), c(proven = 9, n = 10))) {
    proven <- seq_len(case[["n"]]) <= case[["proven"]]
    wrong <- log(1.1) * mean(!proven)
    reach <- replicate(4000, reach_of_proven(exp(rnorm(case[["n"]], ifelse(proven, 0, log(1.1)), 0.03)), proven))
    expect_gte(mean(log(reach / 1.02) >= wrong), 0.97)
    expect_lte(median(log(reach / 1.02)), wrong + 3 * 0.03)
  }
})
