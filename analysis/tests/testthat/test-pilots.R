# Pilots: what they end with, after how long, and how cells are held against them.

by <- c("experiment", "environment", "round", "fork")
a_fork <- function(...) data.table(experiment = "e", environment = "v", round = "pilot-1-01", fork = 1, ...)
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

pilots <- data.table(
  experiment = "e", environment = "v", image_id = "i", machine_id = "m", cell = c("a", "b", "b", "c"),
  kind = c("pilot", "pilot", "canary", "pilot"), settled = c("proved", "not proved", "proved", "proved"),
  mean_ns = c(100, 900, 200, 50)
)

test_that("forks get the end of a proved pilot, and a canary's beside; another image's or machine's they don't", {
  forks <- data.table(experiment = "e", environment = "v", image_id = c("i", "i", "i", "j"), machine_id = "m",
                      cell = c("a", "b", "d", "a"))
  found <- with_pilots(forks, pilots)
  expect_equal(found$pilot_ns, c(100, NA, NA, NA))
  expect_equal(found$canary_ns, c(NA, 200, NA, NA))
  expect_identical(with_pilots(forks[1], no_pilots())$pilot_ns, NA_real_)
})

some_forks <- function(times, pilot = NA_real_, canary = NA_real_) {
  data.table(
    experiment = "e", environment = "v", image_id = "i", machine_id = "m", cell = "a", workload = "w",
    protocol = "steady-state", provider = "p", cpu_profile = "native", settled = "proved", settled_why = "",
    wall_ns_per_op = times, pilot_ns = pilot, canary_ns = canary
  )
}

test_that("a cell whose pilot ends elsewhere is not proved, whatever its forks' records say", {
  found <- cell_states(some_forks(c(210, 212, 211, 209, 210), pilot = 100))
  expect_identical(found$settled, "not proved")
  expect_match(found$settled_why, "2.1 times")
  expect_equal(found$pilot_ratio, exp(mean(log(c(210, 212, 211, 209, 210)))) / 100)
  expect_equal(found$pilot_reach, 1.02 * found$pilot_ratio)
})

test_that("a pilot within what one more fork may be off by chance, and two per cent, leaves the cell proved", {
  times <- c(100, 102, 98, 101, 99)
  chance <- qt(0.975, 4) * sd(log(times)) * sqrt(1.2)
  edge <- exp(mean(log(times)) - chance) / 1.02
  expect_identical(cell_states(some_forks(times, pilot = edge * 1.001))$settled, "proved")
  expect_identical(cell_states(some_forks(times, pilot = edge * 0.999))$settled, "not proved")
  expect_identical(cell_states(some_forks(times, pilot = 100))$settled_why, "")
  expect_identical(cell_states(some_forks(100, pilot = 50))$settled, "proved")
})

test_that("a canary bounds what may be wrong and settles nothing", {
  found <- cell_states(some_forks(c(900, 905, 910), canary = 200))
  expect_identical(found$settled, "proved")
  expect_equal(found$pilot_reach, 1.02 * exp(mean(log(c(900, 905, 910)))) / 200)
})

test_that("without a pilot nothing is said", {
  found <- cell_states(some_forks(c(100, 101))[, c("pilot_ns", "canary_ns") := NULL])
  expect_identical(c(found$pilot_ratio, found$pilot_reach), c(NA_real_, NA_real_))
})
