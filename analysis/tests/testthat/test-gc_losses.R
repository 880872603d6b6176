gc_logs <- function() {
  found <- c(fixture("gc"), dirname(fixture("jdk17-Serial.log")))
  files <- unlist(lapply(found, list.files, pattern = "^jdk.*\\.log$", full.names = TRUE))
  files[basename(files) != "jdk17-Z-gc.log"]
}
#' An excerpt without what begins after its last stop, or last event: it ended there in the middle.
whole_lines <- function(file) {
  lines <- readLines(file)
  ends <- grep("threads were stopped: |\\] Safepoint \"|^}", lines)
  lines[seq_len(max(ends, if (length(ends) == 0) length(lines)))]
}
lost <- function(lines) attr(read_gc_pauses(log_of(lines)), "lost")

test_that("whole logs of every JDK and collector have lost nothing", {
  for (file in gc_logs()) expect_identical(lost(whole_lines(file)), character())
})

test_that("where a log ends before its last stop's line, the collection's own time stands for it", {
  found <- read_gc_pauses(log_of(readLines(fixture("jdk8-SerialGC.log"))))
  expect_identical(attr(found, "lost"), character())
  expect_match(attr(found, "remarks"), "ends before the lines of 1 stops")
})

test_that("a line that is cut takes no other pause along, and is said", {
  for (file in grep("/gc/jdk8-", gc_logs(), value = TRUE)) {
    lines <- whole_lines(file)
    whole <- read_gc_pauses(log_of(lines))
    for (at in jdk8_collections(lines)$line) {
      cut <- replace(lines, at, sub("^(.*?\\[(Full )?GC[^,\\[]*).*$", "\\1", lines[at], perl = TRUE))
      found <- read_gc_pauses(log_of(cut))
      # Where an event goes on below its first line, that may have all that is needed.
      expect_gte(nrow(found), nrow(whole) - 1L)
      if (nrow(found) == nrow(whole)) next
      expect_match(attr(found, "lost"), sprintf("1 pauses can't be read .*line %d$", at), all = FALSE)
    }
  }
  lines <- sprintf("%d.100: [GC (Allocation Failure) [PSYoungGen: 9K->1K(9K)] 9K->1K(9K), 0.0010000 secs]", 1:74)
  found <- read_gc_pauses(log_of(replace(lines, 40, substr(lines[40], 1, 50))))
  expect_identical(nrow(found), 73L)
  expect_match(attr(found, "lost"), "1 pauses can't be read .*: line 40")
})

test_that("a collection whose stop is gone is noticed, in either format", {
  for (name in c("jdk8-SerialGC", "jdk8-G1GC", "jdk8-ConcMarkSweepGC", "jdk11-Serial", "jdk17-Serial")) {
    lines <- whole_lines(fixture(paste0(name, ".log")))
    stops <- grep("threads were stopped: |\\] Safepoint \"", lines)
    held <- which(read_gc_pauses(log_of(lines))$kind == "collection")
    for (at in setdiff(stops[held], max(stops))) {
      expect_match(lost(lines[-at]), "1 stops are missing", all = FALSE, info = paste(name, at))
    }
  }
})

test_that("collections that the log passes over are counted by the collector's own numbers", {
  lines <- readLines(fixture("gc/jdk17-G1-gc.log"))
  paused <- grep("GC\\(\\d+\\) Pause", lines)
  expect_match(lost(lines[-paused[4:5]]), "2 collections are missing by the collector's own count")
  heap <- whole_lines(fixture("gc/jdk8-Serial-heap.log"))
  event <- grep("[GC", heap, fixed = TRUE)
  expect_match(lost(heap[-event[1]]), "1 collections are missing", all = FALSE)
})

test_that("a safepoint that was entered and has no end is a stop that is missing", {
  lines <- whole_lines(fixture("jdk11-Serial.log"))
  entered <- grep("Entering safepoint region: ", lines)
  expect_match(lost(append(lines, lines[entered[2]], entered[2])), "1 stops are missing", all = FALSE)
})

test_that("an opening that nobody foresaw is counted, not passed over", {
  lines <- c("0.100: [GC (Allocation Failure) 9K->1K(9K), 0.0010000 secs]", "0.200: [GC~new 9K->1K(9K), 10 jiffies]")
  expect_match(lost(lines), "1 pauses can't be read .*line 2")
})

test_that("two logs of a young collection beside CMS's remark are two pauses", {
  lines <- c(
    "[0.100s][info][gc] GC(5) Pause Young (Allocation Failure) 9M->1M(9M) 0.500ms",
    "[0.110s][info][gc] GC(4) Pause Remark 9M->1M(9M) 9.900ms",
    "[0.120s][info][gc] GC(6) Pause Full (x) 9M->1M(9M) 1.0ms"
  )
  expect_equal(read_gc_pauses(log_of(lines))$pause_ms, c(0.5, 9.9, 1))
})

test_that("a log whose only stop is cut has a pause that can't be read, and no warning", {
  line <- readLines(fixture("weblog-2014.log"))[1]
  for (at in c(92L, 95L)) {
    expect_no_warning(found <- read_gc_pauses(log_of(substr(line, 1, at))))
    expect_identical(nrow(found), 0L)
  }
})

test_that("a pause below 0 is one that can't be read, in either format", {
  log <- tempfile()
  on.exit(unlink(log))
  unified <- "[0.%ds][info][gc] GC(%d) Pause Young (Allocation Failure) 6M->1M(9M) %s"
  writeLines(sprintf(unified, c(500L, 900L), 0:1, c("5.000ms", "-5.000ms")), log)
  stops <- read_gc_pauses(log)
  expect_identical(stops$pause_ms, 5)
  expect_match(attr(stops, "lost"), "1 pauses can't be read .*: line 2")
  older <- "0.%d: [GC (Allocation Failure) 512K->488K(15872K), %s secs]"
  writeLines(sprintf(older, c(500L, 900L), c("0.0050000", "-0.0050000")), log)
  stops <- read_gc_pauses(log)
  expect_identical(stops$pause_ms, 5)
  expect_match(attr(stops, "lost"), "1 pauses can't be read .*: line 2")
})
