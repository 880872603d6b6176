noisy <- function(n, level, sd = 0.002) {
  set.seed(3)
  level * exp(rnorm(n, 0, sd))
}

class_of <- function(times) {
  found <- classify_iterations(times, rep(1L, length(times)))
  list(steady = unique(found$steady), steady_from = unique(found$steady_from), segment = found$segment)
}

test_that("a fork without change is flat and counts from its first iteration", {
  found <- class_of(noisy(20, 100))
  expect_identical(found$steady, "flat")
  expect_identical(found$steady_from, 1L)
  expect_identical(found$segment, rep(1L, 20))
})

test_that("slow at first is a warm-up; the steady part begins after the change", {
  found <- class_of(c(noisy(5, 200), noisy(15, 100)))
  expect_identical(found[1:2], list(steady = "warm-up", steady_from = 6L))
  expect_identical(found$segment, rep(1:2, c(5, 15)))
})

test_that("fast at first is a slowdown", {
  expect_identical(class_of(c(noisy(8, 100), noisy(12, 150)))[1:2], list(steady = "slowdown", steady_from = 9L))
})

test_that("a change in the last quarter leaves no steady state; the last half stands in", {
  found <- class_of(c(noisy(20, 100), noisy(4, 200)))
  expect_identical(found[1:2], list(steady = "no steady state", steady_from = 13L))
})

test_that("neighbouring segments that differ by less than the margin are one steady part", {
  found <- class_of(c(noisy(6, 200), noisy(20, 100, 0.0005), noisy(20, 100.5, 0.0005)))
  expect_identical(max(found$segment), 3L)
  expect_identical(found[1:2], list(steady = "warm-up", steady_from = 7L))
})

test_that("a warm-up in a short fork is found (defect: 15 ln n is out of reach in 15 iterations)", {
  found <- class_of(noisy(15, 100, 0.015) * (1 + exp(-(0:14) / 3)))
  expect_identical(found$steady, "warm-up")
  expect_gte(found$steady_from, 5L)
  expect_equal(steady_penalty(30), 15 * log(30))
  expect_equal(steady_penalty(2000), 15 * log(2000))
})

test_that("the class does not depend on the unit, nor on a clock that repeats itself", {
  times <- c(noisy(5, 200), noisy(15, 100))
  expect_identical(class_of(times), class_of(times * 1e-9))
  expect_identical(class_of(c(rep(100, 10), rep(100.001, 10)))$steady, "flat")
})

test_that("protocols with a fixed warm-up leave out that many iterations and seek no changepoint", {
  table <- data.table(fork = rep(1:2, each = 20), warmup = rep(c("steady-state", "4"), each = 20), operations = 2)
  table[, duration_ns := 2 * rep(c(noisy(5, 200), noisy(15, 100)), 2)]
  marked <- mark_measured(table, "fork")
  expect_identical(marked[fork == 1, measured], rep(c(FALSE, TRUE), c(5, 15)))
  expect_identical(marked[fork == 2, measured], rep(c(FALSE, TRUE), c(4, 16)))
  expect_identical(marked[, unique(steady), by = fork]$V1, c("warm-up", "not sought"))
  expect_true(all(is.na(marked[fork == 2, segment])))
})
