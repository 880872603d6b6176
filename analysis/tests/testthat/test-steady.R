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

test_that("many forks at once get the class and the start that each gets alone", {
  set.seed(61)
  n <- 60
  noise <- function(m) matrix(rnorm(n * m, 100, 1), n)
  warm <- noise(20) * (1 + exp(-(seq_len(n) - 1) / 6))
  slow <- noise(20) * ifelse(seq_len(n) > 30, 1.2, 1)
  late <- noise(20) * ifelse(seq_len(n) > 55, 0.5, 1)
  small <- noise(20) * ifelse(seq_len(n) > 20, 0.995, 1)
  wild <- matrix(100 * exp(rt(n * 20, 2) / 20), n)
  times <- cbind(noise(20), warm, slow, late, small, wild)
  alone <- rbindlist(lapply(asplit(times, 2), function(x) classify_steady_many(as.matrix(x))))
  found <- classify_steady_many(times)
  expect_identical(found$steady, alone$steady)
  expect_identical(found$steady_from, alone$steady_from)
  expect_setequal(unique(alone$steady), c("flat", "warm-up", "slowdown", "no steady state"))
})

test_that("iterations of forks of any lengths, in any order, get what their fork gets alone", {
  set.seed(63)
  lengths <- sample(c(3, 12, 40, 60), 30, replace = TRUE)
  forks <- lapply(lengths, function(n) rnorm(n, 100, 1) * ifelse(seq_len(n) <= n / 4, 1.3, 1))
  table <- data.table(fork = rep(paste0("f", seq_along(forks)), lengths), time = unlist(forks))
  table[, c("steady", "steady_from", "segment") := class_of(time), by = fork]
  table <- table[order(rep(seq_along(forks), lengths) %% 7)]
  found <- classify_iterations(table$time, table$fork)
  expect_identical(as.list(found), as.list(table[, .(steady, steady_from, segment)]))
})

test_that("medians of columns", {
  set.seed(62)
  x <- matrix(rnorm(70), 7)
  expect_identical(column_medians(x), apply(x, 2, median))
  expect_equal(column_medians(x[1:6, ]), apply(x[1:6, ], 2, median))
})

test_that("a fork's mean is the sum of times over the sum of operations of its measured iterations", {
  iterations <- data.table(
    fork = 1, iteration = 1:3, measured = c(FALSE, TRUE, TRUE), steady = "warm-up", duration_ns = c(900, 100, 400),
    operations = c(1, 1, 3), all_operations = c(2, 2, 4), worker_cpu_ns = c(900, 90, 390), process_user_ns = 600,
    process_system_ns = 60
  )
  found <- fork_means(iterations, "fork")
  expect_identical(
    found[, .(iterations, measured_iterations, steady_from)],
    data.table(iterations = 3L, measured_iterations = 2L, steady_from = 2L)
  )
  expect_equal(found$wall_ns_per_op, 500 / 4)
  expect_equal(found$cpu_ns_per_op, 480 / 6)
  expect_equal(found$process_cpu_ns_per_op, 1320 / 6)
  expect_equal(found$sd_within_wall_ns, sd(c(100, 400 / 3)))
  expect_equal(found$sd_within_cpu_ns, sd(c(45, 97.5)))
})

test_that("the means without the iterations that a pause hit", {
  iterations <- data.table(
    fork = c(1, 1, 1, 2, 2), iteration = c(1:3, 1:2), measured = c(FALSE, TRUE, TRUE, TRUE, TRUE), steady = "flat",
    duration_ns = c(900, 100, 400, 50, 60), operations = 1, all_operations = 1, worker_cpu_ns = c(900, 90, 390, 50, 60),
    process_user_ns = 0, process_system_ns = 0, pause_ms = c(5, 0, 3, 1, 1)
  )
  found <- fork_means(iterations, "fork")
  expect_identical(found$iterations_paused, c(1L, 2L))
  expect_equal(found$wall_ns_per_op, c(250, 55))
  expect_equal(found$wall_ns_per_op_unpaused, c(100, NA))
  expect_equal(found$cpu_ns_per_op_unpaused, c(90, NA))
  without <- fork_means(iterations[, !"pause_ms"], "fork")
  expect_identical(without$iterations_paused, c(0L, 0L))
  expect_equal(without$wall_ns_per_op_unpaused, without$wall_ns_per_op)
})
