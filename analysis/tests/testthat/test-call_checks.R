# Single calls: spread, far-out calls, whether extremes say anything, and what interrupted the slowest.
places <- list(
  experiment = "e", environment = "v", image_id = "i", machine_id = "m", protocol = "steady-state",
  cpu_profile = "native"
)
key <- list(experiment = "e", environment = "v", round = "r")
forks <- do.call(data.table, c(places, list(
  round = "r", fork = 1:6, cell = rep(c("a", "b"), each = 3), warm_up_state = "proven", warm_up_why = ""
)))
iterations <- do.call(data.table, c(key, list(fork = rep(1:6, each = 4), iteration = 1:4, measured = TRUE)))
calls_of <- function(fork, iteration, ns, start_us = seq_along(ns) * 1000, switched = 0 * ns) {
  do.call(data.table, c(key, list(
    fork = fork, iteration = iteration, position = seq_along(ns) - 1, ns = ns, start_us = start_us, switched = switched
  )))
}
none <- do.call(data.table, c(key, list(fork = 1, uptime_ms = 1e6, pause_ms = 1, side = "fork")))
checks <- function(calls, pauses = none, own = iterations) call_checks(calls, own, pauses, forks)
at <- function(found, name) found[measure == name]

ten <- c(100, 102, 98, 101, 99, 100, 103, 97, 100, 400)
all_forks <- rbindlist(lapply(1:6, function(fork) {
  rbind(calls_of(fork, 3, ten * (1 + fork / 100)), calls_of(fork, 4, rev(ten) * (1 + fork / 100)))
}))

test_that("spread and far-out calls are those of a fork's calls, in the typical cell", {
  found <- checks(all_forks)
  twenty <- c(ten, ten)
  expect_equal(at(found, "calls.variation")$estimate, stats::sd(twenty) / mean(twenty))
  expect_equal(at(found, "calls.far-out")$estimate, (6 + 0.5) / (60 + 1))
  expect_identical(at(found, "calls.variation")[, c(cells, forks, forks_min)], c(2L, 6L, 3L))
})

test_that("every measure of single calls has a sentence", {
  expect_setequal(names(call_sentences), unique(checks(all_forks)$measure))
})

test_that("extremes are compared with the mean over forks", {
  wild <- rbindlist(lapply(1:6, function(fork) {
    calls_of(fork, 3, c(rep(1000, 50) * (1 + fork / 1000), c(1500, 3000, 6000, 1500, 3000, 6000)[fork]))
  }))
  found <- checks(wild)
  maxima <- log(c(1500, 3000, 6000))
  means <- vapply(1:3, function(one) log(mean(wild[wild$fork == one]$ns)), 0)
  later <- vapply(4:6, function(one) log(mean(wild[wild$fork == one]$ns)), 0)
  ratio <- stats::sd(maxima) / c(stats::sd(means), stats::sd(later))
  expect_equal(at(found, "calls.maximum-spread")$estimate, exp(mean(log(ratio))))
  expect_lt(at(found, "calls.minimum-spread")$estimate, 1)
})

test_that("the slowest call is interrupted by a pause of its own JVM, or by losing its CPU", {
  ms <- c(1, 1, 1, 5) * 1e6
  one <- rbindlist(lapply(1:6, function(fork) calls_of(fork, 3, ms, start_us = c(0, 2, 4, 6) * 1000)))
  free <- checks(one)
  expect_equal(at(free, "calls.largest-interrupted")$estimate, 0.5 / 4)
  stops <- function(uptime_ms, side = "fork") {
    do.call(data.table, c(key, list(fork = 1:6, uptime_ms = uptime_ms, pause_ms = 2, side = side)))
  }
  hit <- checks(one, stops(8))
  expect_equal(at(hit, "calls.largest-interrupted")$estimate, 3.5 / 4)
  expect_equal(at(hit, "calls.largest-over-all")$estimate, (3.5 / 4) / (3.5 / 13))
  expect_equal(at(checks(one, stops(30)), "calls.largest-interrupted")$estimate, 0.5 / 4)
  expect_equal(at(checks(one, stops(8, "server")), "calls.largest-interrupted")$estimate, 0.5 / 4)
  lost <- copy(one)[position == 3, switched := 1]
  expect_equal(at(checks(lost), "calls.largest-interrupted")$estimate, 3.5 / 4)
})

test_that("lists of single calls become one row per call; what a round did not record is missing", {
  rows <- data.table(
    experiment = "e", environment = "v", round = "r", fork = c(1, 1, 2), iteration = c(2, 2, 1),
    measure = c("calls", "calls.start", "calls"), value = NA_real_, counts = c("5;0;7", "10;20;30", "4;")
  )
  found <- single_calls(rows)
  expect_identical(found$ns, c(5, 0, 7, 4))
  expect_identical(found$position, c(0:2, 0L))
  expect_identical(found$fork, c(1, 1, 1, 2))
  expect_identical(found$start_us, c(10, 20, 30, NA))
  expect_identical(found$switched, rep(NA_real_, 4))
  expect_identical(names(single_calls(rows[0])), names(found))
})

test_that("the last half of a fork's iterations counts, steady or not, and without calls there is an empty table", {
  expect_identical(checks(rbind(all_forks, calls_of(1, 2, 50 * ten))), checks(all_forks))
  unsteady <- copy(iterations)[, measured := FALSE]
  expect_identical(checks(all_forks, own = unsteady), checks(all_forks))
  empty <- checks(all_forks[0])
  expect_identical(names(empty), names(checks(all_forks)))
  expect_identical(nrow(empty), 0L)
})

test_that("an iteration of a single call counts", {
  long <- rbind(all_forks[iteration == 3], calls_of(1, 4, 10000))
  expect_gt(at(checks(long), "calls.variation")$estimate, at(checks(all_forks), "calls.variation")$estimate)
})

test_that("forks of code that is not proven compiled are left out where others are enough, and cells are counted", {
  many <- rbindlist(lapply(1:18, function(number) {
    copy(forks[1])[, `:=`(fork = number, cell = rep(c("a", "b", "c"), each = 6)[number])]
  }))
  wild <- c(6, 13:18)
  many[fork %in% wild, warm_up_state := "unproven"]
  spans <- rbindlist(lapply(1:18, function(number) copy(iterations[1:4])[, fork := number]))
  calls <- rbindlist(lapply(1:18, function(number) {
    calls_of(number, 4, ten * if (number %in% wild) seq(1, 100, length.out = 10) else 1)
  }))
  found <- at(call_checks(calls, spans, none, many), "calls.variation")
  expect_equal(found$estimate, stats::sd(ten) / mean(ten))
  expect_identical(
    unlist(found[, .(cells, forks, forks_min, cells_unproven)], use.names = FALSE), c(2L, 11L, 5L, 1L)
  )
  expect_identical(found$warm_up_state, "proven")
  few <- copy(many)[fork %in% 7:8, warm_up_state := "unproven"]
  shown <- at(call_checks(calls, spans, none, few), "calls.variation")
  expect_identical(unlist(shown[, .(cells, forks, cells_unproven)], use.names = FALSE), c(3L, 18L, 0L))
  expect_identical(shown$warm_up_state, "unproven")
})

judged_calls <- function(measures, parameters, table, ...) {
  claim <- c(list(id = "S2a", form = "calls", measures = measures, measure = paste(measures, collapse = ";"),
                  parameters = parameters, experiment = list(id = "e")), list(...))
  target <- list(lower = parameters$above %||% 0, upper = parameters$below)
  adjust_holm(call_verdicts(c(claim, list(decision = list(targets = list(target)))), table), 0.05)
}
table <- do.call(data.table, c(places, list(
  measure = c("calls.variation", "calls.far-out"), cells = 20L, forks = 100L, forks_min = 5L, estimate = c(0.01, 0.2),
  lower = c(0.008, 0.15), upper = c(0.0125, 0.8 / 3), warm_up_state = "proven", warm_up_why = "",
  cells_unproven = 0L
)))

test_that("a limit supports, refutes or neither; of several measures all must hold", {
  expect_identical(judged_calls("calls.variation", list(below = 0.05), table)$verdict, "holds")
  expect_identical(judged_calls("calls.variation", list(below = 0.005), table)$verdict, "does-not-hold")
  expect_identical(judged_calls("calls.variation", list(below = 0.0101), table)$verdict, "undecided")
  both <- judged_calls(c("calls.variation", "calls.far-out"), list(below = 0.05), table)
  expect_identical(both$verdict, "does-not-hold")
})

test_that("the p value is that of the interval it comes from; without a limit it is shown", {
  edge <- copy(table)[1, `:=`(estimate = 2, lower = 1, upper = 4)]
  expect_equal(judged_calls("calls.variation", list(above = 1), edge)$p, 0.05)
  shown <- judged_calls("calls.variation", list(), table)
  expect_identical(shown$verdict, "not-comparable")
  said <- "Here: the standard deviation of single calls is 0.0100 times their mean, on average over 20 benchmarks"
  expect_match(shown$reason, said)
})

test_that("too few forks, or code that is not proven compiled, give no verdict", {
  few <- copy(table)[, forks_min := 2L]
  expect_identical(judged_calls("calls.variation", list(below = 0.05), few)$verdict, "undecided")
  loose <- copy(table)[, `:=`(warm_up_state = "unproven", warm_up_why = "x")]
  expect_identical(judged_calls("calls.variation", list(below = 0.05), loose)$verdict, "undecided")
})
