# Formats that no JDK of ours writes any more, as their documentation and the literature show them.
read_lines <- function(...) {
  path <- tempfile(fileext = ".log")
  writeLines(c(...), path)
  found <- read_gc_pauses(path)
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
