set.seed(84)
run <- function(...) read_run(jmh_folder("a.json" = jmh_text(...)), steady = FALSE, cores = 1L)$forks
both_modes <- function(factor, forks = 10) {
  run(
    jmh_result(jmh_forks_of(100, forks)), jmh_result(jmh_forks_of(100 * factor, forks), benchmark = "b.B.changed"),
    jmh_result(jmh_forks_of(0.01 / factor, forks), benchmark = "b.B.changed", mode = "thrpt", unit = "ops/us")
  )
}
baseline <- both_modes(1)

test_that("ratio and interval are Welch's on log fork means", {
  candidate <- both_modes(1.1)
  row <- compare_runs(baseline, candidate, 0.02)[benchmark == "b.B.changed" & mode == "avgt"]
  one <- log(candidate[benchmark == "b.B.changed" & mode == "avgt", mean])
  two <- log(baseline[benchmark == "b.B.changed" & mode == "avgt", mean])
  expected <- welch_ratio(mean(one), var(one), 10, mean(two), var(two), 10)
  expect_equal(unlist(row[, .(ratio, lower, upper)]), unlist(expected[, .(ratio, lower, upper)]))
})

test_that("slower, faster and the same are told apart, and higher throughput is better", {
  slower <- compare_runs(baseline, both_modes(1.1), 0.02)
  expect_identical(
    slower[, paste(benchmark, mode, verdict)],
    c("b.B.changed avgt slower", "b.B.changed thrpt slower", "b.B.run avgt same")
  )
  expect_lt(slower[mode == "thrpt", ratio], 1)
  expect_identical(slower$better, c("lower", "higher", "lower"))
  faster <- compare_runs(baseline, both_modes(0.9), 0.02)
  expect_identical(faster$verdict, c("faster", "faster", "same"))
  expect_identical(compare_runs(baseline, both_modes(1.1), 0.2)$verdict, rep("same", 3))
})

test_that("p values are adjusted over all rows", {
  rows <- compare_runs(baseline, both_modes(1.03), 0.02)
  expect_equal(rows$p_holm, p.adjust(rows$p, "holm"))
})

test_that("cells of one side, and those with too few forks, are named and not judged", {
  few <- run(
    jmh_result(jmh_forks_of(300, 3)), jmh_result(jmh_forks_of(100, 1), benchmark = "b.B.changed"),
    jmh_result(jmh_forks_of(100), benchmark = "b.B.new")
  )
  rows <- compare_runs(baseline, few, 0.02)
  expect_identical(
    rows[, paste(benchmark, mode, verdict)],
    c(
      "b.B.changed avgt too few forks", "b.B.changed thrpt only in baseline", "b.B.new avgt only in candidate",
      "b.B.run avgt too few forks"
    )
  )
  expect_match(
    rows$note, "one fork in the candidate: no interval|not in the|3 forks in the candidate; a verdict needs 5"
  )
  expect_true(is.na(rows$lower[1]) && !is.na(rows$lower[4]))
  expect_true(all(is.na(rows$p)))
  expect_identical(compare_runs(baseline, few, 0.02, least = 3)[benchmark == "b.B.run", verdict], "slower")
  words <- comparison_words(rows, 0.02)
  for (part in c(
    "4 benchmarks and settings", "only in candidate: b.B.new", "only in baseline: b.B.changed \\(size 1024\\), thrpt"
  )) {
    expect_match(words, part, all = FALSE)
  }
})

test_that("forks of several files of a side count together", {
  folder <- jmh_folder(
    "1.json" = jmh_text(jmh_result(jmh_forks_of(100))), "2.json" = jmh_text(jmh_result(jmh_forks_of(100)))
  )
  rows <- compare_runs(read_run(folder, FALSE, 1L)$forks, read_run(folder, FALSE, 1L)$forks, 0.05)
  expect_identical(rows$baseline_forks, 12L)
  expect_match(rows$note, "forks of 2 files of the baseline together")
})

test_that("two environments of ours are compared with one another, several by name", {
  raw <- tempfile("raw")
  cells <- kofahi_cells(c(DES = 3e6))
  for (environment in c("debian-12", "debian-13")) {
    for (number in 1:5) write_round(raw, "kofahi2013", environment, number, cells, image_id = environment)
  }
  each <- lapply(file.path(raw, "kofahi2013", c("debian-12", "debian-13")), function(folder) read_run(folder)$forks)
  across <- compare_runs(each[[1]], each[[2]], 0.1)
  expect_identical(c(across$baseline_forks, across$candidate_forks), c(5L, 5L))
  all <- read_run(raw)$forks
  expect_identical(compare_runs(all, all, 0.1)$param.environment, c("debian-12", "debian-13"))
})

test_that("runs that can't be compared are refused", {
  folders <- c("before", "after")
  other <- run(jmh_result(jmh_forks_of(100), benchmark = "b.B.other"))
  expect_refusal(check_comparable(baseline, other, folders), "after: has no benchmark in common", "before")
})

test_that("units that measure the same are turned into the baseline's", {
  for (mode in c("avgt", "thrpt")) {
    units <- if (mode == "avgt") c("us/op", "ns/op") else c("ops/us", "ops/ms")
    one <- run(jmh_result(jmh_forks_of(100), mode = mode, unit = units[1]))
    two <- run(jmh_result(jmh_forks_of(1e5), mode = mode, unit = units[2]))
    row <- compare_runs(one, two, 0.05)
    expect_identical(row[, c(unit, verdict)], c(units[1], "same"))
    expect_equal(row$candidate_mean, mean(two$mean) / 1000)
  }
})

test_that("a run of one fork has the interval of its iterations, and is told what forks would give", {
  one <- list(jmh_forks_of(100, 1), jmh_forks_of(130, 1))
  rows <- compare_runs(run(jmh_result(one[[1]])), run(jmh_result(one[[2]])), 0.02)
  parts <- lapply(one, function(fork) list(mean = mean(fork[[1]]), se = sd(fork[[1]]) / sqrt(12)))
  relative <- vapply(parts, function(part) part$se / part$mean, 0)
  df <- sum(relative^2)^2 / (sum(relative^4) / 11)
  half <- qt(0.975, df) * sqrt(sum(relative^2))
  expect_equal(rows$ratio, parts[[2]]$mean / parts[[1]]$mean)
  expect_equal(log(rows$one_jvm_upper), log(rows$ratio) + half)
  expect_true(is.na(rows$lower) && rows$verdict == "too few forks" && rows$forks_needed == 5)
  expect_match(rows$note, "5 forks a side would give a verdict, with an interval of at best \\+-")
  words <- comparison_words(rows, 0.02)
  expect_match(words, "too few forks: b.B.run.* times the time of the baseline \\(of one JVM: ", all = FALSE)
  expect_match(words[length(words)], "compare: undecided \\(status 3\\): 1 rows have no verdict")
})

test_that("an inconclusive row says why, and how many forks it takes", {
  wide <- function(mean) run(jmh_result(jmh_forks_of(mean, 6, 0.05)))
  rows <- compare_runs(wide(100), wide(103), 0.02)
  expect_identical(rows[, c(verdict, cause)], c("inconclusive", "too wide"))
  expect_gt(rows$forks_needed, 6)
  expect_match(rows$note, sprintf("too wide an interval: it would take about %g forks a side", rows$forks_needed))
  expect_match(comparison_words(rows, 0.02), "inconclusive: b.B.run .*too wide an interval", all = FALSE)
  narrow <- function(mean) run(jmh_result(jmh_forks_of(mean, 40, 0.004)))
  close <- compare_runs(narrow(100), narrow(102), 0.02)
  expect_identical(close$cause, "too close to call")
})

test_that("the outcome is slower before undecided before nothing slower", {
  outcome <- function(...) comparison_outcome(data.table(verdict = c(...)))
  expect_identical(outcome("slower", "inconclusive"), "slower")
  expect_identical(outcome("same", "too few forks"), "undecided")
  expect_identical(outcome("same", "faster", "only in baseline", "shown only"), "nothing slower")
})

test_that("other metrics are shown and not judged", {
  metric <- function(level) {
    raw <- lapply(jmh_forks_of(level), as.list)
    list(gc.alloc.rate.norm = list(score = 1, scoreUnit = "B/op", rawData = raw))
  }
  one <- run(jmh_result(jmh_forks_of(100), secondaryMetrics = metric(50)))
  two <- run(jmh_result(jmh_forks_of(100), secondaryMetrics = metric(100)))
  row <- compare_runs(one, two, 0.05)[metric == "gc.alloc.rate.norm"]
  expect_identical(row$verdict, "shown only")
  expect_true(is.na(row$p) && row$lower > 1.5)
})
