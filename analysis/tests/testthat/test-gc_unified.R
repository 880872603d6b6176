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
