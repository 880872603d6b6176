iterations <- data.table(
  fork = c(1, 1, 2), iteration = c(1, 2, 1), start_uptime_ms = c(0, 100, 0), end_uptime_ms = c(100, 200, 100)
)

test_that("an iteration holds the time its own fork stood still inside it", {
  pauses <- data.table(fork = c(1, 1, 1), uptime_ms = c(10, 50, 250), pause_ms = c(2, 3, 9))
  found <- join_pauses(copy(iterations), pauses)
  expect_identical(found$pause_ms, c(5, 0, 0))
  expect_identical(found$pauses, c(2L, 0L, 0L))
})

test_that("a pause over a border is split by overlap and counted in both", {
  found <- join_pauses(copy(iterations), data.table(fork = 1, uptime_ms = 98, pause_ms = 5))
  expect_identical(found$pause_ms, c(2, 3, 0))
  expect_identical(found$pauses, c(1L, 1L, 0L))
})

test_that("no pause at all is zero, not missing", {
  found <- join_pauses(copy(iterations), data.table(fork = numeric(), uptime_ms = numeric(), pause_ms = numeric()))
  expect_identical(found$pause_ms, c(0, 0, 0))
})

test_that("keyed iterations join as well (defect: the key was taken for the span)", {
  keyed <- setkey(copy(iterations), fork, iteration)
  expect_identical(join_pauses(keyed, data.table(fork = 2, uptime_ms = 5, pause_ms = 1))$pause_ms, c(0, 0, 1))
})
