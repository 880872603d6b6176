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

# Pauses of any log.
pauses <- function(name) read_gc_pauses(fixture(file.path("gc", paste0(name, ".log"))))

test_that("a log with safepoints gives the stops of read_gc_log, and no remark", {
  for (name in c("jdk17-Serial.log", "jdk21-Z.log", "jdk8-ConcMarkSweepGC.log", "jdk25-Shenandoah.log")) {
    found <- read_gc_pauses(fixture(name))
    expect_equal(as.data.frame(found), as.data.frame(read_gc_log(fixture(name))), ignore_attr = TRUE)
    expect_identical(attr(found, "remarks"), character())
  }
})

test_that("a unified log without safepoints gives its collections' pauses, and says so", {
  found <- pauses("jdk17-G1-gc")
  expect_identical(nrow(found), 10L)
  expect_equal(sum(found$pause_ms), 35.916)
  expect_equal(found$uptime_ms[1], 52 - 6.613)
  expect_identical(unique(found$cause), c("G1 Evacuation Pause", "G1 Preventive Collection"))
  expect_match(attr(found, "remarks"), "no safepoints")
})

test_that("starts of pauses, and a full collection inside a young one, aren't stops of their own", {
  found <- pauses("jdk17-Z-gc-all")
  expect_identical(found$cause, c("Pause Mark Start", "Pause Mark End", "Pause Relocate Start"))
  nested <- pauses("jdk11-Serial-gc")
  expect_identical(nrow(nested), 11L)
  expect_true(7.786 %in% nested$pause_ms && !7.728 %in% nested$pause_ms)
})

test_that("a log by the time of day counts from its first stamp, one without times has none", {
  found <- pauses("jdk17-Serial-safepoint")
  expect_equal(found$uptime_ms[1:2], c(0, 5 - 3.24345))
  expect_identical(attr(found, "remarks"), character())
  bare <- pauses("jdk17-Serial-bare")
  expect_identical(nrow(bare), 7L)
  expect_true(all(is.na(bare$uptime_ms)))
  expect_match(attr(bare, "remarks"), "when the stops were", all = FALSE)
})

test_that("JDK 8's collections are told from the concurrent phases and the details around them", {
  cms <- pauses("jdk8-ConcMarkSweep-details")
  expect_identical(cms$cause, c(rep("Allocation Failure", 4), "CMS Initial Mark", "CMS Final Remark"))
  expect_equal(cms$pause_ms[c(1, 6)], c(9.1085, 0.8829))
  expect_equal(cms$uptime_ms[c(1, 6)], c(44, 101))
  expect_equal(pauses("jdk8-G1-details")$pause_ms, c(5.5401, 3.1324, 3.1699, 3.2876))
  expect_equal(pauses("jdk8-Serial-heap")$pause_ms, c(10.3064, 3.0069))
  expect_true(all(is.na(pauses("jdk8-Parallel-verbose")$uptime_ms)))
})

test_that("dates alone count from the first collection", {
  line <- "2026-11-20T13:17:32.%s+0000: [GC (Allocation Failure) 1K->1K(2K), 0.0010000 secs]"
  found <- read_gc_pauses(log_of(sprintf(line, c("100", "250"))))
  expect_equal(found$uptime_ms, c(0, 150), tolerance = 1e-6)
})

test_that("a log without any collection is a log", {
  expect_identical(nrow(read_gc_pauses(log_of("[0.004s][info][gc] Using Serial"))), 0L)
  expect_identical(nrow(read_gc_pauses(log_of("CommandLine flags: -XX:+PrintGC"))), 0L)
})

test_that("what isn't a GC log, or doesn't tell, is refused by name", {
  expect_refusal(pauses("jdk17-Z-gc"), "jdk17-Z-gc.log: has collections but not how long", "-Xlog:gc*,safepoint")
  expect_refusal(read_gc_pauses(log_of("a,b", "1,2")), "isn't a GC log")
  expect_refusal(read_gc_pauses(log_of(character())), "is empty")
  pipe <- tempfile("pipe")
  system2("mkfifo", shQuote(pipe))
  expect_refusal(read_gc_pauses(pipe), "no ordinary file")
})

test_that("logs of other JVMs are refused by name", {
  others <- c(
    "OpenJ9" = '<verbosegc xmlns="http://www.ibm.com/j9/verbosegc" version="8a1b2c3">',
    "before version 5" = "<AF[1]: Allocation Failure. need 528 bytes, 0 ms since last AF>",
    JRockit = "[INFO ][memory ] [OC#1] 0.844-0.848: OC 428KB->78423KB (117108KB), 0.003 s",
    Android = "D/dalvikvm( 1): GC_CONCURRENT freed 2049K, 65% free 3571K/9991K, paused 4ms+5ms"
  )
  for (name in names(others)) expect_refusal(read_gc_pauses(log_of(others[[name]])), "is a log of", name)
})
