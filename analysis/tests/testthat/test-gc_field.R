# Logs as people have them: with anything in front of a line, any decorations, cut, rotated, of several JVMs.
read_lines <- function(...) read_gc_pauses(log_of(c(...)))
lost <- function(stops) attr(stops, "lost")

three <- c(
  "[1.204s][info][gc,start  ] GC(0) Pause Young (Normal) (G1 Evacuation Pause)",
  "[1.216s][info][gc        ] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 31M->7M(96M) 12.401ms",
  "[2.530s][info][gc,start  ] GC(1) Pause Young (Normal) (G1 Evacuation Pause)",
  "[2.539s][info][gc        ] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 52M->9M(96M) 9.038ms",
  "[4.002s][info][gc,start  ] GC(2) Pause Full (System.gc())",
  "[4.131s][info][gc        ] GC(2) Pause Full (System.gc()) 40M->6M(96M) 128.77ms"
)
safepoint <- function(uptime, name, total_ms, since_ms) {
  sprintf(
    "[%.3fs][info][safepoint] Safepoint \"%s\", Time since last: %d ns, Reaching safepoint: 1 ns, Total: %d ns",
    uptime, name, as.integer(since_ms * 1e6), as.integer(total_ms * 1e6)
  )
}

test_that("anything may stand in front of a line, and around it", {
  expected <- read_lines(three)
  expect_equal(sum(expected$pause_ms), 150.209)
  wrappings <- list(
    compose = function(line) paste0("web-1  | ", line), indented = function(line) paste0("    ", line),
    journal = function(line) paste0("May 06 07:08:09 node7 java[4711]: ", line),
    kubectl = function(line) paste0("[pod/web-0/app] ", line), grep = function(line) paste0("gc.log:17:", line),
    cri = function(line) paste0("2031-05-06T07:08:09.123456789Z stdout F ", line),
    colour = function(line) paste0("\033[32m", line, "\033[0m"),
    json_file = function(line) sprintf('{"log":"%s\\n","stream":"stdout","time":"2031-05-06T07:08:09.1Z"}', line),
    json_last = function(line) sprintf('{"stream": "stdout", "log": "%s\\n"}', line),
    collector = function(line) sprintf('{"@timestamp":"2031-05-06","log.level":"INFO","message":"%s"}', line),
    journal_json = function(line) sprintf('{"_PID":"1","MESSAGE":"%s"}', line),
    quoted = function(line) sprintf('"%s"', line)
  )
  for (name in names(wrappings)) {
    found <- read_lines(wrappings[[name]](three))
    expect_equal(as.data.frame(found), as.data.frame(expected), info = name, ignore_attr = TRUE)
    expect_identical(lost(found), character(), info = name)
  }
})

test_that("any decorations, or none, give the same stops", {
  body <- sub("^.*?\\] (?=GC)", "", three, perl = TRUE)
  decorations <- list(
    none = "", uptime = "[%.3fs] ", millis = "[%.0fms][info] ", tags = "[%.3fs][gc] ", level = "[%.3fs][info ] ",
    pid = "[%.3fs][4711][4712] ", host = "[2031-05-06T07:08:10.204+0200][%.3fs][web] "
  )
  seconds <- as.numeric(sub("^\\[([0-9.]+)s.*$", "\\1", three))
  for (name in names(decorations)) {
    stamp <- if (name == "millis") 1000 * seconds else seconds
    # With tags but without `start` a line without a length would be one that was cut off.
    keep <- if (name == "tags") grepl("ms$", body) else TRUE
    front <- if (name == "none") "" else sprintf(decorations[[name]], stamp)
    found <- read_lines(paste0(front, body)[keep])
    expect_equal(found$pause_ms, c(12.401, 9.038, 128.77), info = name)
    expect_identical(lost(found), character(), info = name)
    starts <- c(1216 - 12.401, 2539 - 9.038, 4131 - 128.77)
    expect_equal(found$uptime_ms, if (name == "none") rep(NA_real_, 3) else starts, info = name)
  }
})

test_that("safepoints without decorations are stops, with or without collections", {
  bare <- sub("^.*?(?=Safepoint)", "", perl = TRUE, c(
    safepoint(1, "G1CollectForAllocation", 8, 81), safepoint(2, "ICBufferFull", 0.1, 40),
    safepoint(3, "G1CollectFull", 150, 9)
  ))
  for (lines in list(bare, c(
    "GC(0) Pause Young (Normal) (G1 Evacuation Pause) 31M->7M(96M) 7.700ms", bare[1:2],
    "GC(1) Pause Full (System.gc()) 40M->6M(96M) 149.100ms", bare[3]
  ))) {
    found <- read_lines(lines)
    expect_equal(found$pause_ms, c(8, 0.1, 150))
    expect_identical(found$kind, c("collection", "safepoint", "collection"))
    expect_identical(lost(found), character())
  }
})

test_that("JDK 9 to 12 write JDK 8's sentence in brackets of their own", {
  found <- read_lines("[1.096s] Total time for which application threads were stopped: 0.0100000 seconds")
  expect_equal(found$uptime_ms, 1086)
  expect_identical(lost(found), character())
})

test_that("nanoseconds of the machine are not the JVM's uptime", {
  line <- "[%s][info][gc] GC(%d) Pause Young (Allocation Failure) 20M->3M(64M) %s"
  alone <- c(
    sprintf(sub("gc", "gc,start", line), "733000000000000ns", 0L, ""),
    sprintf(line, "733000012000000ns", 0L, "12.000ms"),
    sprintf(sub("gc", "gc,start", line), "733005000000000ns", 1L, ""),
    sprintf(line, "733005009000000ns", 1L, "9.000ms")
  )
  expect_equal(read_lines(alone)$uptime_ms, c(0, 5000))
  both <- sprintf(line, c("1.212s][733000012000000ns][1212000000ns", "6.209s][733005009000000ns][6209000000ns"), 0:1, c(
    "12.000ms", "9.000ms"
  ))
  expect_equal(read_lines(both)$uptime_ms, c(1200, 6200))
})

test_that("a pause that began and never ended is lost, with its line", {
  killed <- c(three, "[9.870s][info][gc,start  ] GC(3) Pause Full (G1 Compaction Pause)")
  found <- read_lines(killed)
  expect_equal(sum(found$pause_ms), 150.209)
  expect_match(lost(found), "1 pause began and never ended: line 7")
  for (gone in c(2L, 4L)) {
    found <- read_lines(three[-gone])
    expect_identical(nrow(found), 2L)
    expect_match(lost(found), sprintf("1 pause began and never ended: line %d", gone - 1L))
  }
})

test_that("with safepoints, a collection that began last and has no stop is one missing stop", {
  lines <- c(three[1:2], safepoint(1.217, "G1CollectForAllocation", 12.5, 1200), three[3])
  expect_match(lost(read_lines(lines)), "1 stops are missing")
  # The line of its end is lost, but its stop is there.
  expect_identical(lost(read_lines(lines, safepoint(2.54, "G1CollectForAllocation", 9.1, 1313))), character())
})

test_that("more time since the last safepoint than the log says is a missing stop", {
  lines <- c(safepoint(1, "ThreadDump", 1, 100), safepoint(2, "ThreadDump", 1, 999), safepoint(3, "ThreadDump", 1, 999))
  expect_identical(lost(read_lines(lines)), character())
  lines[3] <- safepoint(3, "ThreadDump", 1, 400)
  expect_match(lost(read_lines(lines)), "1 stops are missing")
})

test_that("messages that asynchronous logging dropped are stated", {
  found <- read_lines(three, "[4.200s][warning][] 42 messages dropped due to async logging")
  expect_match(lost(found), "42 messages were dropped")
})

test_that("several JVMs in one log keep their pauses apart", {
  first <- c(
    "[0.010s][info][gc] Using G1",
    "[3.000s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 50M->9M(96M) 11.000ms",
    "[8.000s][info][gc] GC(1) Pause Full (System.gc()) 40M->6M(96M) 20.000ms"
  )
  second <- c(
    "[0.011s][info][gc] Using G1",
    "[2.500s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 50M->9M(96M) 35.000ms",
    "[4.000s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 50M->9M(96M) 7.000ms"
  )
  for (lines in list(c(first, second), c(second, first), c(first, second, first))) {
    found <- read_lines(lines)
    expect_identical(nrow(found), sum(grepl("Pause", lines)))
    expect_equal(sum(found$pause_ms), sum(as.numeric(sub("^.* ([0-9.]+)ms$", "\\1", grep("ms$", lines, value = TRUE)))))
    expect_identical(lost(found), character())
  }
})

test_that("the files of a rotated log are one log, in any order", {
  stop_lines <- c(
    safepoint(1.217, "G1CollectForAllocation", 12.5, 1200), safepoint(2.54, "G1CollectForAllocation", 9.1, 1313),
    safepoint(4.132, "G1CollectFull", 129, 1463)
  )
  whole <- c(three[1:2], stop_lines[1], three[3:4], stop_lines[2], three[5:6], stop_lines[3])
  expected <- as.data.frame(read_lines(whole))
  # A collection's line may end one file, and its stop begin the next.
  for (at in 1:8) {
    paths <- c(log_of(whole[(at + 1):9]), log_of(whole[1:at]))
    for (order in list(1:2, 2:1)) {
      found <- read_gc_pauses(paths[order])
      expect_equal(as.data.frame(found), expected, ignore_attr = TRUE, info = at)
      expect_identical(lost(found), character(), info = at)
    }
    expect_equal(as.data.frame(read_lines(whole[c((at + 1):9, 1:at)])), expected, ignore_attr = TRUE, info = at)
  }
})

test_that("native images of GraalVM are read, of either form", {
  found <- read_lines(
    "[0.009s] GC(0) Pause Incremental GC (Collect on allocation) 0.26M->0.34M 1.106ms",
    "[0.200s] GC(1) Pause Full GC (System.gc()) 8.03M->6.51M 3.123ms"
  )
  expect_equal(found$pause_ms, c(1.106, 3.123))
  expect_identical(found$cause, c("Collect on allocation", "System.gc()"))
  found <- read_lines(
    "[Incremental GC (CollectOnAllocation) 261632K->1024K, 0.0045000 secs]",
    "[Full GC (System.gc()) 9K->1K, 0.0100000 secs]"
  )
  expect_equal(found$pause_ms, c(4.5, 10))
})

test_that("the summary has number, sum, percentiles, maximum and throughput", {
  stops <- data.table(uptime_ms = (0:99) * 100, pause_ms = as.numeric(1:100))
  expect_identical(pause_summary(stops), paste0(
    "100 stops, 5050 ms in all; median 50 ms; 95th percentile 95 ms; 99th percentile 99 ms; longest 100 ms; ",
    "throughput 49.5 % from the first stop to the last"
  ))
  expect_identical(pause_summary(stops[0]), "0 stops, 0 ms in all")
})

test_that("a line of any length that HotSpot never writes takes no time to speak of", {
  times <- function(text) strrep(text, 300000 %/% nchar(text))
  stop_line <- "[1.096s][info][gc] GC(0) Pause Full (x) 9M->1M(9M) 1.0ms"
  for (text in c("[", "[GC (", "]", "[GC [", "GC(1) Pause ", "Safepoint \"", "(", "[1ns]", "1.096: ")) {
    found <- read_lines(stop_line, paste0(times(text), "GC(1) Pause Full (x)"), paste0("0.100: [GC ", times(text)))
    expect_true(1 %in% found$pause_ms || length(lost(found)) > 0, info = text)
  }
})
