log_of <- function(...) {
  path <- tempfile(fileext = ".log")
  writeLines(c(...), path)
  path
}

test_that("an empty log, a missing one and anything else are refused by name", {
  path <- tempfile()
  expect_refusal(read_gc_log(path), path, "is missing")
  file.create(path)
  expect_refusal(read_gc_log(path), path, "is empty")
  expect_refusal(read_gc_log(log_of("fork,iteration", "1,2")), "isn't a GC log")
  expect_refusal(read_gc_log(log_of("[1, 2, 3]")), "isn't a GC log")
})

test_that("a log without a stop is a log", {
  expect_identical(nrow(read_gc_log(log_of("[0.004s][info][gc] Using Serial"))), 0L)
  expect_identical(nrow(read_gc_log(log_of("CommandLine flags: -XX:+UseSerialGC"))), 0L)
})

test_that("a stop that was cut off is refused with its line, not dropped", {
  expect_refusal(read_gc_log(log_of(
    "[0.004s][info][gc] Using Serial", "[0.005s][info][safepoint] Safepoint \"Halt\", Time since last: 5 ns, Reach"
  )), "line 2")
  expect_refusal(read_gc_log(log_of(
    "CommandLine flags: -X", "1.096: Total time for which application threads were stopped: 0.00"
  )), "line 2")
})

test_that("start of a stop is the logged uptime minus its duration", {
  found <- read_gc_log(log_of("1.096: Total time for which application threads were stopped: 0.0100000 seconds"))
  expect_equal(found$uptime_ms, 1086)
  expect_equal(found$pause_ms, 10)
})

test_that("what a line told after one stop belongs to the next", {
  expect_identical(between_stops(c(1, 2, 5), c("a", "b", "c"), c(3, 4, 6)), c("b", "", "c"))
  expect_identical(between_stops(c(1, 2, 5), c("a", "b", "c"), c(3, 4, 6), "first"), c("a", "", "c"))
  expect_identical(between_stops(c(7), "late", c(3, 4)), c("", ""))
})
