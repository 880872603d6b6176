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

test_that("the collector's own pauses are those of its lines, in either format, and a stop is never shorter", {
  old <- read_gc_log(log_of(
    "1.000: [GC (Allocation Failure) 1.000: [DefNew: 9K->1K(9K), 0.0030000 secs] 9K->1K(29K), 0.0040000 secs]",
    "1.005: Total time for which application threads were stopped: 0.0050000 seconds",
    "1.096: Total time for which application threads were stopped: 0.0100000 seconds"
  ))
  expect_equal(c(sum(old$pause_ms), attr(old, "reported_ms")), c(15, 4))
  new <- read_gc_log(log_of(
    "[1.0s][info][gc,start] GC(0) Pause Young (Allocation Failure)",
    "[1.1s][info][gc] GC(0) Pause Young (Allocation Failure) 6M->1M(64M) 4.000ms",
    paste(
      "[1.2s][info][safepoint] Safepoint \"SerialCollect\", Time since last: 9 ns, Reaching safepoint: 5 ns,",
      "At safepoint: 5 ns, Total: 5000000 ns"
    )
  ))
  expect_equal(c(sum(new$pause_ms), attr(new, "reported_ms")), c(5, 4))
  for (log in list.files(fixture("."), "^jdk.*[.]log$", full.names = TRUE)) {
    stops <- read_gc_log(log)
    expect_gte(sum(stops$pause_ms), attr(stops, "reported_ms"))
  }
})
