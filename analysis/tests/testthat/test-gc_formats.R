# JDK 8's log.
test_that("the weblog's four lines of 2014: only stops, no causes", {
  found <- read_gc_log(fixture("weblog-2014.log"))
  expect_equal(found$pause_ms, c(0.419, 0.193, 0.165, 0.045))
  expect_equal(found$uptime_ms, c(1096, 4166, 72173, 75174) - found$pause_ms)
  expect_identical(found$kind, rep("safepoint", 4))
  expect_identical(found$cause, rep("", 4))
})

test_that("Serial: 34 stops, 22 of them collections", {
  found <- read_gc_log(fixture("jdk8-SerialGC.log"))
  expect_identical(found[, .N, keyby = kind]$N, c(22L, 12L))
  expect_equal(sum(found$pause_ms), 10.1408)
  expect_identical(unique(found[kind == "collection", cause]), "Allocation Failure")
  expect_equal(found[1, c(uptime_ms, pause_ms)], c(35 - 0.89, 0.89))
})

test_that("G1: details of the workers are no collections", {
  found <- read_gc_log(fixture("jdk8-G1GC.log"))
  expect_identical(found[, .N, keyby = kind]$N, c(5L, 4L))
  expect_identical(unique(found[kind == "collection", cause]), "G1 Evacuation Pause")
})

test_that("CMS: initial mark and remark stop the threads, concurrent phases don't", {
  found <- read_gc_log(fixture("jdk8-ConcMarkSweepGC.log"))
  expect_identical(nrow(found), 15L)
  expect_identical(found[, .N, keyby = cause][c("CMS Initial Mark", "CMS Final Remark"), N], c(1L, 1L))
  expect_identical(found[kind == "safepoint", .N], 4L)
})

stopped <- paste(
  "Total time for which application threads were stopped: 0.0010000 seconds,",
  "Stopping threads took: 0.0000100 seconds"
)

test_that("a line broken by another thread still gives its stop and cause", {
  found <- parse_jdk8_log(c(
    paste0("0.500: [GC (System.gc()) [Tenured: 1K->", "2026-11-20T09:00:00.001+0000: 0.501: ", stopped),
    "1K(2K), 0.001 secs]",
    "2026-11-20T09:00:00.002+0000: 0.502: 2026-11-20T09:00:00.002+0000: 0.502: [CMS-concurrent-mark-start]",
    stopped
  ))
  expect_equal(found$uptime_ms, c(500, 501))
  expect_identical(found$kind, c("collection", "safepoint"))
  expect_identical(found$cause, c("System.gc()", ""))
})

test_that("decimal commas and logs with dates only are read", {
  comma <- "0,500: Total time for which application threads were stopped: 0,0010000 seconds"
  expect_equal(parse_jdk8_log(comma)$uptime_ms, 499)
  dated <- paste0("2026-11-20T09:00:0", c("0.100", "1.350"), "+0000: ", stopped)
  expect_equal(parse_jdk8_log(dated)$uptime_ms, c(0, 1249), tolerance = 1e-4)
})

test_that("a stop without any stamp can't be laid over iterations and is refused", {
  path <- tempfile()
  writeLines(c("CommandLine flags: -X", stopped), path)
  expect_refusal(read_gc_log(path), "line 2 is a stop that can't be read")
  # Anybody's log may lack stamps: its stops have lengths all the same.
  found <- read_gc_pauses(path)
  expect_identical(attr(found, "lost"), character())
  expect_equal(found$pause_ms, 1)
})

test_that("full collections and collections without a cause are collections", {
  found <- parse_jdk8_log(
    c(
      "0.100: [Full GC (Metadata GC Threshold) 1K", paste("0.101:", stopped), "0.200: [GC 17K->1K(2K)",
      paste("0.201:", stopped)
    )
  )
  expect_identical(found$kind, rep("collection", 2))
  expect_identical(found$cause, c("Metadata GC Threshold", ""))
})

# Formats that no JDK of ours writes any more, as their documentation and the literature show them.
read_lines <- function(...) {
  found <- read_gc_pauses(log_of(...))
  expect_identical(attr(found, "lost"), character())
  found
}

test_that("JDK 7's ParNew and remark, with a date right after the bracket", {
  found <- read_lines(
    paste0(
      "2014-02-28T11:59:00.000+0000: 12.345: [GC2014-02-28T11:59:00.000+0000: 12.345: [ParNew: 13184K->1K(14784K), ",
      "0.0100000 secs] 13184K->1K(63936K), 0.0102000 secs] [Times: user=0.02 sys=0.00, real=0.01 secs] "
    ),
    "13.000: [GC [1 CMS-initial-mark: 4K(9K)] 5K(9K), 0.0031000 secs] [Times: user=0.00 sys=0.00, real=0.00 secs] ",
    "13.100: [CMS-concurrent-mark-start]",
    paste0(
      "14.000: [GC[YG occupancy: 12 K (99 K)]14.000: [Rescan (parallel) , 0.0050000 secs]14.005: [weak refs ",
      "processing, 0.0000100 secs] ",
      "[1 CMS-remark: 4K(9K)] 5K(9K), 0.0051000 secs] [Times: user=0.01 sys=0.00, real=0.01 secs] "
    ),
    "15.000: [Full GC15.000: [CMS: 4K->3K(9K), 0.0200000 secs] 5K->3K(9K), [CMS Perm : 2K->2K(9K)], 0.0210000 secs]"
  )
  expect_equal(found$pause_ms, c(10.2, 3.1, 5.1, 21))
  expect_equal(found$uptime_ms, c(12345, 13000, 14000, 15000))
})

test_that("JDK 5 and 6: incremental CMS, a collection with the train's words, G1 before causes", {
  found <- read_lines(
    "1.500: [GC 1.500: [ParNew: 14K->1K(14K), 0.0020000 secs] 14K->1K(63K) icms_dc=5 , 0.0022000 secs]",
    "1.900: [Inc GC 512K->400K(1024K), 0.0040000 secs]", "2.000: [GC pause (young), 0.0150000 secs]",
    "   [Parallel Time:  14.0 ms]", "      [GC Worker Start Time (ms):  2000.1  2000.1]",
    "2.500: [GC concurrent-mark-start]", "2.600: [GC remark, 0.0012000 secs]",
    "2.700: [GC cleanup 9M->8M(64M), 0.0003000 secs]"
  )
  expect_equal(found$pause_ms, c(2.2, 4, 15, 1.2, 0.3))
})

test_that("Shenandoah of JDK 8", {
  found <- read_lines(
    "24.010: [Pause Init Mark, 0.405 ms]", "24.011: [Concurrent marking 8G->8G(16G), 158.512 ms]",
    "24.169: [Pause Final Mark (process weakrefs), 0.777 ms]", "24.170: [Concurrent evacuation 8G->9G(16G), 50.1 ms]",
    "24.300: [Pause Degenerated GC (Mark) 9M->3M(50M), 8.250 ms]", "24.400: [Pause Full 9M->3M(50M), 20.5 ms]"
  )
  expect_equal(found$pause_ms, c(0.405, 0.777, 8.25, 20.5))
  expect_identical(found$cause[1:2], c("Pause Init Mark", "Pause Final Mark"))
  expect_equal(found$uptime_ms[1], 24010)
})

# Counts and sums were taken from the fixtures with grep and awk.
logs <- list(
  list(name = "jdk11-Serial", stops = 13L, ms = 6.6226, collections = 7L),
  list(name = "jdk17-Serial", stops = 13L, ms = 6.511295, collections = 9L),
  list(name = "jdk21-Serial", stops = 12L, ms = 6.302815, collections = 8L),
  list(name = "jdk21-Z", stops = 12L, ms = 4.464402, collections = 6L),
  list(name = "jdk25-Serial", stops = 11L, ms = 4.101923, collections = 7L),
  list(name = "jdk25-Shenandoah", stops = 2L, ms = 0.188151, collections = 2L)
)

for (log in logs) {
  test_that(paste(log$name, "gives every stop with its kind"), {
    found <- read_gc_log(fixture(paste0(log$name, ".log")))
    expect_identical(nrow(found), log$stops)
    expect_equal(sum(found$pause_ms), log$ms)
    expect_identical(found[kind == "collection", .N], log$collections)
    expect_false(is.unsorted(found$uptime_ms))
    expect_true(all(nzchar(found$cause)))
  })
}

test_that("a collection's cause is the GC's, a safepoint's the operation's name", {
  found <- read_gc_log(fixture("jdk21-Serial.log"))
  expect_identical(sort(unique(found$cause)), c("Allocation Failure", "ThreadDump"))
  old <- read_gc_log(fixture("jdk11-Serial.log"))
  expect_identical(sort(unique(old$cause)), c("Allocation Failure", "EnableBiasedLocking", "RevokeBias", "ThreadDump"))
})

test_that("the last bracket before the sizes is the cause", {
  lines <- paste0("[0.1s][info][gc] GC(1) Pause ", c(
    "Young (Normal) (G1 Evacuation Pause) 17M->0M(61M) 1.2ms", "Full (System.gc())", "Remark 3M->3M(9M) 0.1ms",
    "Young (Allocation Failure)"
  ))
  expect_identical(pause_cause(lines), c("G1 Evacuation Pause", "System.gc()", "", "Allocation Failure"))
})

test_that("uptime comes from nanoseconds, seconds or milliseconds, never from the wall clock", {
  lines <- c(
    "[2026-11-20T09:18:00.123+0000][0.123s][info][gc] x", "[1795166280123ms][77ms][info][gc] x",
    "[0.123s][123456789ns][info] x",
    "[1,500s][info][gc] x"
  )
  expect_equal(unified_uptimes(lines), c(123, 77, 123.456789, 1500))
})

test_that("operations of every collector are collections, others aren't", {
  collecting <- c(
    "GenCollectForAllocation", "SerialCollectForAllocation", "ParallelGCFailedAllocation", "ParallelGCSystemGC",
    "G1CollectForAllocation", "G1PauseRemark", "G1TryInitiateConcMark", "CollectForMetadataAllocation", "ZMarkStart",
    "CMS_Initial_Mark", "XRelocateStart", "ZOperation", "ZMarkEndYoung", "ShenandoahInitMark", "ShenandoahDegeneratedGC"
  )
  others <- c(
    "ThreadDump", "RevokeBias", "Halt", "ICBufferFull", "CleanClassLoaderDataMetaspaces", "RendezvousGCThreads",
    "Deoptimize", "HandshakeFallback", "Cleanup", "Exit"
  )
  expect_true(all(grepl(collecting_operation, collecting, perl = TRUE)))
  expect_false(any(grepl(collecting_operation, others, perl = TRUE)))
})
