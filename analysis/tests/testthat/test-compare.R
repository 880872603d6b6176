set.seed(84)
# A list of results, or results.
run <- function(...) {
  results <- list(...)
  if (is.null(names(results[[1]]))) results <- results[[1]]
  read_run(jmh_folder("a.json" = do.call(jmh_text, results)), steady = FALSE, cores = 1L)$forks
}
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
  refused <- function(one, two, text) {
    expect_refusal(check_comparable(run(one), run(two), folders), "has no benchmark in common", text)
  }
  plain <- jmh_result(jmh_forks_of(100), params = NULL)
  refused(plain, jmh_result(jmh_forks_of(300)), "parameter size")
  refused(plain, jmh_result(jmh_forks_of(100), params = list(environment = "big")), "parameter environment")
  refused(plain, jmh_result(jmh_forks_of(100), params = NULL, mode = "ss"), "mode")
  metric <- list(list(score = 1, scoreUnit = "B/op", rawData = lapply(jmh_forks_of(5), as.list)))
  names(metric) <- "gc.alloc.rate.norm"
  # What both measured beside their scores does not make the benchmarks comparable.
  refused(
    jmh_result(jmh_forks_of(100), secondaryMetrics = metric),
    jmh_result(jmh_forks_of(100), secondaryMetrics = metric, threads = 2), "threads"
  )
})

test_that("a parameter named as a column of our rounds tells benchmarks of others apart", {
  result <- function(value) jmh_result(jmh_forks_of(100), params = list(environment = value))
  one <- run(result("small"), jmh_result(jmh_forks_of(5), benchmark = "b.B.same"))
  two <- run(result("large"), jmh_result(jmh_forks_of(5), benchmark = "b.B.same"))
  rows <- compare_runs(one, two, 0.5)
  expect_identical(sort(rows$verdict), c("only in baseline", "only in candidate", "same"))
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
  expect_match(words[length(words)], "compare: undecided \\(status 3\\); 1 row can't be judged")
})

test_that("an undecided row says why, and how many forks it takes", {
  wide <- function(mean) run(jmh_result(jmh_forks_of(mean, 6, 0.05)))
  rows <- compare_runs(wide(100), wide(103), 0.02)
  expect_identical(rows[, c(verdict, cause)], c("undecided", "too wide"))
  expect_gt(rows$forks_needed, 6)
  expect_match(rows$note, sprintf("too wide an interval: it would take about %g forks a side", rows$forks_needed))
  expect_match(comparison_words(rows, 0.02), "undecided: b.B.run .*too wide an interval", all = FALSE)
  narrow <- function(mean) run(jmh_result(jmh_forks_of(mean, 40, 0.004)))
  close <- compare_runs(narrow(100), narrow(102), 0.02)
  expect_identical(close$cause, "too close to call")
})

test_that("the outcome is slower, then benchmark missing, then undecided, then nothing slower", {
  outcome <- function(..., cause = "too wide", metric = "", strict = FALSE) {
    comparison_outcome(data.table(verdict = c(...), cause = cause, metric = metric), strict)
  }
  expect_identical(outcome("slower", "undecided", "only in baseline"), "slower")
  expect_identical(outcome("same", "only in baseline", "too few forks"), "benchmark missing")
  expect_identical(outcome("same", "only in candidate"), "benchmark missing")
  expect_identical(outcome("same", "only in candidate", metric = c("", "gc.count")), "nothing slower")
  expect_identical(outcome("same", "too few forks"), "undecided")
  expect_identical(outcome("same", "undecided", cause = "warm-up"), "undecided")
  expect_identical(outcome("same", "undecided"), "nothing slower")
  expect_identical(outcome("same", "undecided", strict = TRUE), "undecided")
  expect_identical(outcome("same", "faster", "shown only", strict = TRUE), "nothing slower")
})

#' Forks of benchmarks as `read_run` gives them, without files: 10 forks around each mean.
benchmark_forks <- function(means, cv = 0.02) {
  names <- sprintf("b.B.m%03d", seq_along(means))
  forks <- CJ(benchmark = names, metric = "", mode = "avgt", threads = 1, batch = 1, unit = "us/op", number = 1:10)
  forks[, `:=`(
    mean = means[match(benchmark, names)] * exp(stats::rnorm(.N, 0, cv)), file = "f", sd = 1, iterations = 5L,
    shared_trend = "", of_rounds = FALSE, number = NULL
  )][]
}

test_that("200 unchanged benchmarks end with nothing slower, and with the slowdown that would have been found", {
  set.seed(85)
  rows <- compare_runs(benchmark_forks(rep(100, 200)), benchmark_forks(rep(100, 200)), 0.02)
  expect_identical(comparison_outcome(rows), "nothing slower")
  expect_identical(comparison_outcome(rows, strict = TRUE), "undecided")
  expect_true(all(rows$detectable_pct > 2 & rows$detectable_pct < 20))
  words <- comparison_words(rows, 0.02)
  expect_match(words[length(words)], "the smallest slowdown that this comparison could have found is")
  expect_lt(length(words), 30)
  expect_true(all(is.na(rows$relative_ratio)))
})

test_that("a slowdown as large as the one that is detectable is found nine times in ten", {
  set.seed(86)
  # The spread is as it was simulated, so what is detectable is too.
  se <- 0.02 * sqrt(2 / 10)
  slowdown <- detectable_slowdown(data.table(se_log = se, df = 18), TRUE, 1, 0.02, 0.05)
  rows <- compare_runs(benchmark_forks(rep(100, 300)), benchmark_forks(rep(100 + slowdown, 300)), 0.02)
  # Each alone, as detectable_slowdown takes it: Holm's correction is that of one row.
  found <- rows$p <= 0.05 & rows$ratio > 1
  expect_gt(mean(found), 0.84)
  expect_lt(mean(found), 0.96)
})

test_that("rows that all move together are said to, with ratios relative to the median", {
  set.seed(87)
  many <- function(factors, mode = "avgt") {
    run(lapply(seq_along(factors), function(i) {
      level <- if (mode == "thrpt") 100 / factors[i] else 100 * factors[i]
      jmh_result(
        jmh_forks_of(level, 6, 0.001), benchmark = sprintf("b.B.m%02d", i), mode = mode,
        unit = if (mode == "thrpt") "ops/s" else "us/op"
      )
    }))
  }
  for (mode in c("avgt", "thrpt")) {
    rows <- compare_runs(many(rep(1, 8), mode), many(c(rep(1.3, 7), 1.6), mode), 0.02)
    expected <- rep(c(1, 1.6 / 1.3), c(7, 1))
    expect_equal(rows$relative_ratio, if (mode == "thrpt") 1 / expected else expected, tolerance = 0.01)
    words <- comparison_words(rows, 0.02)
    expect_match(words, "all rows move together: the median of 8 rows is 1.3 times the time", all = FALSE)
    expect_match(comparison_markdown(rows, 0.02), "relative to median", all = FALSE)
  }
  still <- function(factors) all(is.na(compare_runs(many(rep(1, length(factors))), many(factors), 0.02)$relative_ratio))
  expect_true(still(rep(1.3, 7)))
  expect_true(still(rep(1.01, 8)))
  expect_true(still(c(rep(1.3, 5), 1, 1, 1)))
})

test_that("rows whose forks warm up together have no verdict, whichever side they are on", {
  set.seed(88)
  steady <- jmh_forks_of(100, 5, 0.001, iterations = 5)
  warming <- lapply(steady, function(fork) fork * c(7, 7, 7, 1, 1))
  for (pair in list(list(steady, warming), list(warming, steady), list(warming, warming))) {
    rows <- compare_runs(run(jmh_result(pair[[1]])), run(jmh_result(pair[[2]])), 0.02)
    expect_identical(rows[, c(verdict, cause)], c("undecided", "warm-up"))
    expect_true(is.na(rows$p) && is.na(rows$forks_needed))
    expect_match(rows$note, "warmed up together")
    expect_identical(comparison_outcome(rows), "undecided")
  }
  # Another benchmark that is slower still is.
  rows <- compare_runs(
    run(jmh_result(steady), jmh_result(steady, benchmark = "b.B.other")),
    run(jmh_result(warming), jmh_result(lapply(steady, `*`, 2), benchmark = "b.B.other")), 0.02
  )
  expect_identical(rows$verdict, c("slower", "undecided"))
})

test_that("compare.md has the rows that need attention first, and texts of benchmarks can't break the table", {
  set.seed(89)
  odd <- list(text = "a|b`c`\n<b>@you")
  one <- run(jmh_result(jmh_forks_of(100), params = odd), jmh_result(jmh_forks_of(100), benchmark = "b.B.a"))
  two <- run(jmh_result(jmh_forks_of(150), params = odd), jmh_result(jmh_forks_of(10), benchmark = "b.B.a"))
  lines <- comparison_markdown(compare_runs(one, two, 0.02), 0.02)
  table <- grep("^\\|", lines, value = TRUE)
  expect_length(table, 4)
  expect_match(table[3], "a\\|b'c' <b>@you), avgt` | slower |", fixed = TRUE)
  expect_match(table[4], "| faster |", fixed = TRUE)
  expect_identical(unique(lengths(regmatches(table, gregexpr("(?<!\\\\)\\|", table, perl = TRUE)))), 8L)
})

test_that("pairs compare parameters of one run and benchmarks of different names", {
  set.seed(90)
  one <- run(
    jmh_result(jmh_forks_of(100), params = list(size = "10", mode = "A=B")),
    jmh_result(jmh_forks_of(150), params = list(size = "20", mode = "A=B")),
    jmh_result(jmh_forks_of(100), params = list(size = "10", mode = "C,D:1")),
    jmh_result(jmh_forks_of(150), params = list(size = "20", mode = "C,D:1")),
    jmh_result(jmh_forks_of(50), benchmark = "b.Old.run"), jmh_result(jmh_forks_of(100), benchmark = "c.New.run")
  )
  pair <- function(...) {
    sides <- paired_sides(one, one, c(...))
    compare_runs(sides[[1]], sides[[2]], 0.02)
  }
  for (words in c("size:10=size:20", "size=10=size=20", "run,size:10=b.B.run,size:20")) {
    rows <- pair(words)
    expect_identical(rows[, paste(param.size, verdict)], rep("10 -> 20 slower", 2))
    expect_identical(rows$param.mode, c("A=B", "C,D:1"))
  }
  expect_identical(pair("Old.run=c.New.run")[, c(benchmark, verdict)], c("b.Old.run -> c.New.run", "slower"))
  expect_identical(pair("Old.run,size:1024=B.run,size:20,mode:A=B")$param.mode, "none -> A=B")
  expect_identical(nrow(pair("size:10=size:20", "Old.run=New.run")), 3L)
  expect_refusal(pair("size:10=size:30"), "names no benchmark of both sides")
  expect_refusal(pair("nothing"), "names no benchmark of both sides")
  expect_refusal(pair("run=New.run"), "names 3 benchmarks")
  expect_refusal(pair("Old.run,size:1024=B.run,mode:A=B"), "several values of size on a side: 10, 20")
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

test_that("forks whose means are all the same have no spread, and no verdict, on either side", {
  alike <- function(value, forks = 5) run(jmh_result(rep(list(rep(value, 5)), forks)))
  varied <- run(jmh_result(jmh_forks_of(100, 5)))
  for (sides in list(list(alike(100), alike(103)), list(alike(100), varied), list(varied, alike(103)))) {
    rows <- compare_runs(sides[[1]], sides[[2]], 0.02)
    expect_identical(rows$verdict, "undecided")
    expect_match(rows$note, "all have the same mean")
    expect_identical(comparison_outcome(rows), "undecided")
  }
})
