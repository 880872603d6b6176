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
