# The tools for anybody's data.
set.seed(91)
out <- tempfile("out")
cells <- function(factor = 1) {
  jmh_text(jmh_result(jmh_forks_of(100)), jmh_result(jmh_forks_of(50 * factor), benchmark = "b.B.other"))
}
baseline <- jmh_folder("a.json" = cells(), "notes.json" = "{}")

test_that("summarise.R writes summary.csv, the same bytes each time, and names what it left out", {
  first <- call_command("summarise", "--raw", baseline, "--out", out)
  expect_identical(first$status, 0L)
  expect_match(first$errors, "notes.json", all = FALSE)
  bytes <- readLines(file.path(out, "summary.csv"))
  expect_match(bytes[1], paste0(
    "^file,benchmark,metric,param.size,mode,threads,batch,unit,forks,iterations,mean,lower,upper,half_width_pct,",
    "sd_between,"
  ))
  call_command("summarise", "--raw", baseline, "--out", out)
  expect_identical(readLines(file.path(out, "summary.csv")), bytes)
})

test_that("compare.R tells by its exit status whether something got slower", {
  compare <- function(candidate, ...) {
    call_command("compare", "--baseline", baseline, "--candidate", jmh_folder("b.json" = candidate), "--out", out, ...)
  }
  changed <- cells(1.2)
  slower <- compare(changed)
  expect_identical(slower$status, 1L)
  # A process of its own ends with that status, and says the same.
  again <- run_script(
    "run.R", "compare", "--baseline", baseline, "--candidate", jmh_folder("b.json" = changed), "--out", out
  )
  expect_identical(again[c("status", "output")], slower[c("status", "output")])
  expect_match(
    slower$output, "slower: b.B.other \\(size 1024\\), avgt: 1.\\d+ times the time of the baseline", all = FALSE
  )
  expect_identical(read_csv_strictly(file.path(out, "compare.csv"))$verdict[1], "slower")
  expect_identical(compare(cells(1.2), "--margin", "0.5")$status, 0L)
  expect_identical(compare(cells(0.8), "--margin", "0.5")$status, 0L)
  # How the other benchmark compares is not proven compiled at the margin of 2 per cent.
  expect_identical(compare(cells(0.8))$status, 0L)
  expect_identical(readLines(file.path(out, "outcome.txt")), "nothing slower")
  expect_identical(compare(cells(0.8), "--fail_on", "undecided")$status, 3L)
  expect_identical(readLines(file.path(out, "outcome.txt")), "undecided")
  expect_identical(compare(jmh_text(jmh_result(jmh_forks_of(100))))$status, 3L)
  expect_identical(readLines(file.path(out, "outcome.txt")), "benchmark missing")
  expect_match(readLines(file.path(out, "compare.md")), "only in baseline", all = FALSE)
})

test_that("gc_pauses.R writes a row for every stop", {
  file <- file.path(out, "stops.csv")
  expect_identical(call_command("gc_pauses", "--log", fixture("jdk21-Serial.log"), "--out", file)$status, 0L)
  found <- read_csv_strictly(file)
  expect_named(found, c("uptime_ms", "kind", "cause", "pause_ms"))
  expect_identical(nrow(found), 13L)
})

test_that("bad input ends in one line that names the file, and status 2", {
  refused <- function(result, text) {
    expect_identical(result$status, 2L)
    expect_length(result$errors, 1)
    expect_match(result$errors, text)
  }
  refused(call_command("summarise", "--raw", "/no/such", "--out", out), "^/no/such: no such file")
  refused(call_command("summarise", "--raw", jmh_folder("a.txt" = ""), "--out", out), "holds no JSON file")
  refused(
    call_command("summarise", "--raw", jmh_folder("a.json" = substr(cells(), 1, 500)), "--out", out),
    "a.json: isn't whole JSON"
  )
  refused(call_command(
    "compare", "--baseline", baseline, "--candidate", jmh_folder("b.json" = jmh_text(jmh_result(list(c(0, 1))))),
    "--out", out
  ), "b.json: .* has 0 in fork 1")
  refused(
    call_command("compare", "--baseline", baseline, "--candidate", baseline, "--out", out, "--margin", "much"),
    "--margin is 'much'"
  )
  refused(
    call_command("gc_pauses", "--log", file.path(baseline, "a.json"), "--out", file.path(out, "x.csv")),
    "a.json: isn't a GC log"
  )
})

test_that("the script that measures the tools runs", {
  measured <- run_script("tests/performance.R", "--rows", "1e4")
  expect_identical(measured$status, 0L)
  expect_match(measured$output, "^ *10000 iterations, .* summarised in .* compared in")
})

test_that("no function of the package is defined in two files, where the later one would take the other's place", {
  files <- list.files(file.path(analysis_dir, "R"), "[.]R$", full.names = TRUE)
  names <- unlist(lapply(files, function(file) {
    assigns_name <- function(call) is.call(call) && identical(call[[1]], quote(`<-`)) && is.name(call[[2]])
    calls <- Filter(assigns_name, parse(file))
    unique(vapply(as.list(calls), function(call) as.character(call[[2]]), ""))
  }))
  expect_gt(length(names), 500)
  expect_identical(names[duplicated(names)], character())
})
