# Stage one's tables of one environment, from iterations: a column per fork, a row per iteration, in ns per operation.
stage_one <- function(cells, gap_ms = 500) {
  iterations <- rbindlist(lapply(names(cells), function(cell) {
    times <- cells[[cell]]
    data.table(
      cell = cell, number = rep(seq_len(ncol(times)), each = nrow(times)),
      iteration = rep(seq_len(nrow(times)), ncol(times)), per_op = c(times)
    )
  }))
  iterations[, `:=`(experiment = "e", environment = "v", round = sprintf("standard-0a-%02d", number))]
  iterations[, fork := match(cell, names(cells)), by = round]
  setorder(iterations, number, fork, iteration)
  # Iterations of 100 ms; every fork starts `gap_ms` after the one before it ended.
  iterations[, `:=`(
    start_epoch_ms = 1e12 + 100 * (seq_len(.N) - 1) + gap_ms * (fork - 1),
    start_uptime_ms = 300 + 100 * (iteration - 1), end_uptime_ms = 400 + 100 * (iteration - 1),
    duration_ns = per_op * 1000, operations = 1000, all_operations = 1000,
    worker_cpu_ns = per_op * 990, process_user_ns = NA_real_, process_system_ns = NA_real_, warmup = "steady-state"
  ), by = round]
  by <- c("experiment", "environment", "round", "fork")
  iterations <- mark_measured(iterations, by)
  keys <- unique(iterations[, c(by, "cell", "number"), with = FALSE])
  forks <- fork_means(iterations, by)[keys, on = by]
  list(forks = forks[, `:=`(protocol = "steady-state", valid = TRUE)], iterations = iterations)
}
plan_of <- function(cells, half_widths = c("steady-state" = 0.01), most = 40, ...) {
  tables <- stage_one(cells, ...)
  fork_plan(tables$forks, tables$iterations, half_widths, most)
}
#' Ten forks of twenty iterations: the first `warm` twice as slow, then forks that vary by `between`, iterations by
#' `within`.
forks_like <- function(between, within, warm = 5, count = 10, size = 20) {
  levels <- 100 * exp(scale(qnorm(ppoints(count)))[, 1] * between)
  noise <- matrix(exp(within * sin(seq_len(size * count) * 2.4)), size)
  noise * rep(levels, each = size) * ifelse(seq_len(size) <= warm, 2, 1)
}

test_that("a cell that stage one met needs no fork, one with more spread Stein's number, and the cap holds", {
  found <- plan_of(list(
    calm = forks_like(0.002, 0.001), lively = forks_like(0.02, 0.001), wild = forks_like(0.2, 0.001)
  ))
  expect_identical(found$cell, c("calm", "lively", "wild"))
  expect_identical(found$reason, c("met by stage one", "more forks", "cap"))
  expect_equal(found$forks_wanted, stein_forks(found$s0_log, 10, 0.01))
  expect_equal(found$forks, pmin(found$forks_wanted, 40) - 10)
  expect_equal(found$s0_log[2], 0.02, tolerance = 0.1)
  expect_true(all(found$first_forks == 10 & found$most_forks == 40 & found$wanted_half_width_pct == 1))
  expect_identical(names(found), stage_columns)
})

test_that("the warm-up is what nine forks in ten have behind them", {
  times <- forks_like(0.002, 0.001)
  expect_identical(plan_of(list(a = times))$warmup_iterations, 5L)
  times[1:10, 3] <- 2 * times[12, 3]
  expect_identical(plan_of(list(a = times))$warmup_iterations, 5L)
  times[1:10, 4] <- 2 * times[12, 4]
  expect_identical(plan_of(list(a = times))$warmup_iterations, 10L)
})

test_that("a window is put off until the times have become steady", {
  falling <- forks_like(0.002, 0.001) * (1 + 0.04 * pmax(12 - seq_len(20), 0) / 12)
  expect_gt(plan_of(list(a = falling))$warmup_iterations, 6)
})

test_that("forks without a steady state count as warm from their last half, and are counted", {
  times <- forks_like(0.002, 0.001)
  times[19:20, 1:3] <- 3 * times[19:20, 1:3]
  found <- plan_of(list(a = times))
  expect_identical(c(found$forks_no_steady, found$warmup_iterations), c(3L, 10L))
})

test_that("the window is Kalibera and Jones' best, at least three iterations and at most stage one's", {
  set.seed(2)
  noisy <- forks_like(0.01, 0, warm = 4) * exp(rnorm(200, 0, 0.03))
  tables <- stage_one(list(a = noisy))
  steady <- tables$iterations[iteration > 4][order(fork, number, iteration)]
  parts <- variance_components(matrix(log(steady$per_op), 16))
  by_hand <- best_repetitions(c(100, 300 + 400), parts$t_squared, 16)
  found <- plan_of(list(a = noisy))
  expect_identical(found$iterations - found$warmup_iterations, as.integer(max(by_hand, 3)))
  expect_gt(by_hand, 3)
  expect_identical(plan_of(list(a = forks_like(0.02, 0.0001)))$iterations, 5L + least_measured)
  expect_identical(plan_of(list(a = forks_like(0, 0.03)))$iterations, 20L)
})

test_that("how iterations and forks vary is the median over the cells, so that no window hangs on its cell's luck", {
  set.seed(3)
  like <- function(within) forks_like(0.01, 0, warm = 4) * exp(rnorm(200, 0, within))
  cells <- list(a = like(0.03), b = like(0.02), c = like(0.0001))
  alone <- plan_of(cells["b"], gap_ms = 300)
  together <- plan_of(cells, gap_ms = 300)
  expect_identical(unique(together[, iterations - warmup_iterations]), alone[, iterations - warmup_iterations])
  expect_lt(plan_of(cells["c"], gap_ms = 300)$iterations, alone$iterations)
})

test_that("a fork's start is the gap before it, that of a round's first fork the JVM's uptime", {
  tables <- stage_one(list(a = forks_like(0.01, 0), b = forks_like(0.01, 0)), gap_ms = 700)
  expect_identical(fork_starts(tables$iterations)[, start_ms], rep(c(300, 700), 10))
})

test_that("the spread is that of wall or CPU time, whichever is larger, over the planned window alone", {
  tables <- stage_one(list(a = forks_like(0.01, 0)))
  tables$iterations[, worker_cpu_ns := 990 * per_op * exp(0.03 * (number %% 2))]
  found <- fork_plan(tables$forks, tables$iterations, c("steady-state" = 0.01), 40)
  own <- tables$iterations[iteration > found$warmup_iterations & iteration <= found$iterations]
  means <- own[, .(mean = sum(worker_cpu_ns) / sum(all_operations)), by = number]
  expect_equal(found$s0_log, sd(log(means$mean)))
  tables$iterations[, worker_cpu_ns := NA_real_]
  expect_equal(fork_plan(tables$forks, tables$iterations, c("steady-state" = 0.01), 40)$s0_log, 0.01, tolerance = 0.01)
})

test_that("a protocol of fixed length keeps it, and one without a wanted half-width is not planned", {
  tables <- stage_one(list(a = forks_like(0.02, 0.001, warm = 0)))
  tables$forks[, `:=`(steady = "not sought", steady_from = 5L)]
  found <- fork_plan(tables$forks, tables$iterations, c("steady-state" = 0.01), 40)
  expect_identical(c(found$warmup_iterations, found$iterations), c(4L, 20L))
  none <- fork_plan(tables$forks, tables$iterations, c("as-published" = 0.01), 40)
  expect_identical(nrow(none), 0L)
  expect_identical(names(none), stage_columns)
})

test_that("forks that don't count are made up for, and one alone can't be planned from", {
  tables <- stage_one(list(a = forks_like(0.02, 0.001)))
  tables$forks[, valid := number > 2]
  found <- fork_plan(tables$forks, tables$iterations, c("steady-state" = 0.01), 60)
  expect_equal(found$forks_wanted, stein_forks(found$s0_log, 8, 0.01))
  expect_equal(found$forks, found$forks_wanted - 8)
  tables$forks[, valid := number > 9]
  expect_identical(nrow(fork_plan(tables$forks, tables$iterations, c("steady-state" = 0.01), 60)), 0L)
})

test_that("the widths of all experiments are demands, each of one cell", {
  tables <- stage_one(list(a = forks_like(0.02, 0.001), b = forks_like(0.002, 0.001)))
  wanting <- list(id = "e", tier = list(max_rounds = 40), protocols = list("steady-state" = list(half_width = 0.01)))
  others <- list(id = "f", tier = list(), protocols = list())
  definitions <- list(experiments = list(wanting, others), calibration = NULL)
  found <- width_demands(tables$forks, tables$iterations, definitions)
  expect_identical(names(found), names(no_demands()))
  expect_identical(found$demand, c("width e v a", "width e v b"))
  expect_true(all(found$environment == "v" & found$protocol == "" & found$chance == 1))
  expect_identical(found$forks > 0, c(TRUE, FALSE))
})

# Iterations of forks, from a matrix of their times: a column per fork.
timed_forks <- function(times) {
  data.table(iteration = rep(seq_len(nrow(times)), ncol(times)), duration_ns = c(times) * 10, operations = 10)
}
# Ten forks of twenty iterations that vary by 3 %, iterations by 0.5 %.
still <- function() {
  set.seed(4)
  100 * exp(rep(rnorm(10, 0, 0.03), each = 20) + rnorm(200, 0, 0.005))
}
warm_up_state <- function(times, warm = 2, measured = 4, wanted = 0.01) {
  steady_warmup(timed_forks(matrix(times, 20)), warm, measured, 20, wanted)
}

test_that("times that stay as they are have become steady at once, whatever forks do", {
  expect_equal(warm_up_state(still()), 2)
  expect_equal(warm_up_state(rep(100, 200)), 2)
})

test_that("a window waits until the mean is that of the forks' end", {
  falls <- 1 + 0.04 * pmax(12 - seq_len(20), 0) / 12
  expect_gte(warm_up_state(still() * falls), 7)
  expect_lte(warm_up_state(still() * falls), 12)
  expect_gte(warm_up_state(still() / falls), 7)
  expect_equal(warm_up_state(still() * falls, wanted = 0.4), 2)
  expect_equal(warm_up_state(still() * (1 + (20:1) / 100)), 16)
})

test_that("one fork of ten that is late does not count as drift", {
  times <- matrix(still(), 20)
  times[1:8, 3] <- 1.1 * times[1:8, 3]
  expect_equal(warm_up_state(times), 2)
})

test_that("drift counts beyond its bound, where R's own t test tells it from 0", {
  set.seed(6)
  for (mean in c(0.1, 0.3, 0.6, 2)) {
    x <- rnorm(10, mean)
    expect_identical(drifts(x, 0), t.test(x)$p.value < 0.2)
    expect_false(drifts(x, 4))
  }
  expect_true(drifts(rep(-1, 3), 0.5))
  expect_false(drifts(rep(0, 3), 0) || drifts(rep(1, 3), 1))
})

# {{9,5},{8,3}}, {{10,6},{7,11}}, {{1,12},{2,4}}: innermost the iteration.
nested <- array(c(9, 5, 8, 3, 10, 6, 7, 11, 1, 12, 2, 4), c(2, 2, 3))

test_that("three levels: golden values", {
  found <- variance_components(nested)
  expect_golden(found$mean, 6.5)
  expect_golden(found$s_squared, c(16.5, 2.5833333, 3.5625))
  expect_golden(found$t_squared, c(16.5, -5.6666667, 2.2708333))
})

test_that("flattened to 3 forks of 4: golden values", {
  found <- variance_components(matrix(nested, 4))
  expect_golden(found$s_squared, c(12.7222222, 3.5625))
  expect_golden(found$t_squared[2], 0.3819444)
})

test_that("the paper's own example gives its T squared", {
  values <- array(c(3, 4, 3, 1.2, 3.1, 3, 0.2, 1, 1.5, 1, 2, 3), c(3, 2, 2))
  expect_golden(variance_components(values)$t_squared, c(0.7266667, 0.2627778, 0.7747222))
})

test_that("lme4's Dyestuff: golden values", {
  found <- variance_components(dyestuff)
  expect_golden(found$mean, 1527.5)
  expect_golden(found$s_squared[1], 2451.25)
  expect_golden(found$t_squared[2], 1764.05)
})

test_that("components from fork means agree with the balanced design", {
  table <- matrix(nested, 4)
  found <- fork_components(colMeans(table), apply(table, 2, sd), rep(4, 3))
  expect_golden(unlist(found), c(12.7222222, 3.5625, 0.3819444))
})

test_that("a single fork or single iterations leave components empty, not zero", {
  expect_identical(fork_components(5, 1, 10)$s2_squared, NA_real_)
  expect_identical(fork_components(c(5, 6), c(NA, NA), c(1, 1))$s1_squared, NA_real_)
})

# The best number of repetitions.
test_that("the paper's own example: golden values", {
  values <- array(c(3, 4, 3, 1.2, 3.1, 3, 0.2, 1, 1.5, 1, 2, 3), c(3, 2, 2))
  parts <- variance_components(values)$t_squared
  expect_golden(parts, c(0.7266667, 0.2627778, 0.7747222))
  expect_identical(best_repetitions(c(3, 20, 100), parts), c(5, 2))
})

test_that("a level without variation is measured once, one above which nothing varies as often as is affordable", {
  expect_identical(best_repetitions(c(1, 100), c(-0.5, 1)), 1)
  expect_identical(best_repetitions(c(1, 100), c(0, 0)), 1)
  expect_identical(best_repetitions(c(1, 100), c(1, -0.5)), Inf)
  expect_identical(best_repetitions(c(1, 100), c(1, -0.5), most = 50), 50)
})

test_that("no other number of repetitions gives a smaller variance for the same cost", {
  costs <- c(1, 30)
  parts <- c(4, 1)
  best <- best_repetitions(costs, parts)
  variance_times_cost <- function(r) (parts[2] + parts[1] / r) * (costs[2] + r * costs[1])
  expect_identical(which.min(vapply(1:100, variance_times_cost, 0)) + 0, best)
})
