found <- function(text) find_blocks(charToRaw(text))

test_that("arrays of raw data are found, whatever the white space", {
  text <- '{"rawData":[[1,2]], "rawData" :\n [ [3] ],\t"rawDataHistogram": [[[[1,2]]]]}'
  blocks <- found(text)
  expect_identical(substring(text, blocks$from, blocks$to), c("[[1,2]]", "[ [3] ]", "[[[[1,2]]]]"))
  expect_identical(blocks$depth, c(2L, 2L, 4L))
  expect_identical(attr(blocks, "brackets")[block == 1, level], c(1L, 2L, 2L, 1L))
})

test_that("what stands around the arrays is JSON with each one's place in the file", {
  text <- '{"rawData":[[1,2]], "x": [7], "rawData":[[3]]}'
  blocks <- found(text)
  expect_identical(
    block_surroundings(charToRaw(text), blocks, offset = 100), '{"rawData":112, "x": [7], "rawData":141}'
  )
})

test_that("brackets and the key inside texts lead nowhere", {
  text <- '{"a": "[[", "b": "\\"rawData\\": [1", "rawData": [["NaN", 1]], "rawData": null}'
  blocks <- found(text)
  expect_identical(substring(text, blocks$from, blocks$to), '[["NaN", 1]]')
  expect_true(blocks$worded)
  expect_identical(jsonlite::parse_json(block_surroundings(charToRaw(text), blocks))$a, "[[")
})

test_that("an array that is cut off is left to the JSON reader", {
  text <- '{"rawData": [[1, 2], [3'
  expect_identical(nrow(found(text)), 0L)
  expect_identical(block_surroundings(charToRaw(text), found(text)), text)
})

numbers <- function(text) {
  bytes <- charToRaw(text)
  fast_numbers(bytes, find_blocks(bytes))
}

test_that("every file of JMH is read as jsonlite reads it", {
  for (file in list.files(jmh_fixtures(), full.names = TRUE)) {
    bytes <- readBin(file, "raw", file.size(file))
    blocks <- find_blocks(bytes)
    text <- vapply(seq_len(nrow(blocks)), function(i) rawToChar(bytes[blocks$from[i]:blocks$to[i]]), "")
    slow <- lapply(text, function(one) as.numeric(unlist(jsonlite::parse_json(one))))
    fast <- lapply(fast_numbers(bytes, blocks), function(rows) c(t(rows)))
    expect_equal(fast, slow, tolerance = 1e-15)
  }
})

test_that("one array a line, many, or all on one line: the same numbers", {
  expect_identical(numbers('{"rawData":[[1,2.5],[3,4e1]]}')[[1]], matrix(c(1, 3, 2.5, 40), 2))
  expect_identical(
    numbers('{"rawData" : [\r\n\t[\r\n\t1,\r\n2.5\r\n],\r\n[3,4e1 ] ]\r\n}')[[1]], matrix(c(1, 3, 2.5, 40), 2)
  )
  expect_identical(numbers('{"rawData":[[-7]],"a":1,"rawData":[[8]]}'), list(matrix(-7), matrix(8)))
})

test_that("arrays of different lengths are read, each as long as it is", {
  found <- numbers('{"rawData":[[1,2],[3,4]],"rawData":[[5,6,7]],"rawData":[[8],[9]]}')
  expect_identical(found, list(matrix(c(1, 3, 2, 4), 2), matrix(c(5, 6, 7), 1), matrix(c(8, 9), 2)))
})

test_that("what isn't plain JSON with plain numbers is left to jsonlite", {
  odd <- c(
    "[[1,2],[3]]", "[[1 2],[3,4]]", "[[1,2,],[3,4,]]", "[[,1,2],[,3,4]]", "[[1,,2],[3,,4]]", "[[1,2][3,4]]",
    "[[1,2],,[3,4]]", "[[1,2],[3,4],]", "[1,[2,3]]", "[[[1,2]]]", "[[\"NaN\",2]]", "[[1,x]]", "[[]]", "[]",
    "[[1,2],[]]", "[[1,NaN]]", "[[1,null]]", "[[1\n2],[3,4]]", "[[1,true]]"
  )
  for (array in odd) expect_null(numbers(sprintf('{"rawData":%s}', array))[[1]], info = array)
})

piece <- function(text, ...) {
  file <- tempfile(fileext = ".json")
  writeBin(charToRaw(text), file)
  read_jmh_piece(file, ...)
}

test_that("forks and values of every file of JMH are those that jsonlite reads", {
  for (file in list.files(jmh_fixtures(), full.names = TRUE)) {
    read <- file_results(dirname(file), basename(file), list(read_jmh_piece(file)))
    slow <- unlist(raw_data_by_jsonlite(file), recursive = FALSE)
    own <- read$forks[read$results[metric == ""], on = "result"]
    expect_identical(own$n, lengths(slow))
    iteration_mean <- function(entries) {
      if (!is.list(entries)) return(entries)
      table <- matrix(unlist(entries), 2)
      sum(table[1, ] * table[2, ]) / sum(table[2, ])
    }
    expected <- unlist(lapply(slow, function(fork) vapply(fork, iteration_mean, 0)))
    expect_equal(read$values[sequence(own$n, own$first)], expected, tolerance = 1e-14)
  }
})

test_that("histograms become means of iterations, and a fork's mean is that of its samples", {
  text <- '{"rawDataHistogram": [[[[1, 3], [5, 1]], [[2, 2]]], [[[7, 1]], [[9, 3]]]]}'
  fast <- piece(text)
  slow <- piece(sub("[7, 1]", "[\"NaN\", 1], [7, 1]", text, fixed = TRUE))
  expect_equal(fast$values, c(2, 2, 7, 9))
  expect_equal(fast$forks$mean, c(2, 34 / 4))
  expect_equal(fast$forks$samples, c(6, 4))
  expect_equal(slow$values, c(2, 2, NaN, 9))
})

test_that("NaN and infinities are read from JMH's words for them", {
  expect_identical(piece('{"rawData": [["NaN", 2], ["+INF", "-INF"]]}')$values, c(NaN, 2, Inf, -Inf))
})

test_that("an array that can't be read is named, and the others are read", {
  damage <- function(text) piece(text)$damaged[, paste(what, expected)]
  expect_match(damage('{"rawData": [["two", 2]]}'), '"two" among its raw data a number per iteration')
  expect_match(damage('{"rawData": [1, 2]}'), "without forks")
  expect_match(damage('{"rawData": [[1 2]]}'), "isn't whole JSON")
  expect_match(damage('{"rawDataHistogram": [[[[1, 2, 3]]]]}'), "histogram entry of 3 numbers")
  two <- piece('[{"rawData": [[1, 2]]}, {"rawData": [["x", 2]]}]')
  expect_equal(two$values, c(1, 2))
  expect_identical(nrow(two$damaged), 1L)
})

test_that("a file in pieces is the file", {
  set.seed(71)
  file <- tempfile(fileext = ".json")
  results <- lapply(1:9, function(i) jmh_result(jmh_forks_of(100 * i), benchmark = paste0("b.B.run", i)))
  writeLines(do.call(jmh_text, results), file)
  ends <- piece_ends(file, 5000)
  expect_gt(length(ends), 3)
  expect_identical(ends[length(ends)], file.size(file))
  pieces <- Map(function(from, to) read_jmh_piece(file, from, to), c(1, head(ends, -1) + 1), ends)
  whole <- read_jmh_piece(file)
  expect_identical(paste(vapply(pieces, `[[`, "", "text"), collapse = ""), whole$text)
  expect_identical(unlist(lapply(pieces, `[[`, "values")), whole$values)
  expect_equal(rbindlist(lapply(pieces, `[[`, "forks")), whole$forks)
})

results <- function(text) {
  bytes <- charToRaw(text)
  jmh_results("f.json", block_surroundings(bytes, find_blocks(bytes)))
}
edited <- function(...) jmh_text(jmh_result(list(c(1, 2), c(3, 4)), ...))

test_that("what was run comes out, with every parameter", {
  set.seed(72)
  found <- results(jmh_text(
    jmh_result(list(c(1, 2)), params = list(bits = "128", mode = "ECB")),
    jmh_result(list(c(3, 4)), mode = "thrpt", unit = "ops/s", params = NULL)
  ))$results
  expect_identical(found$mode, c("avgt", "thrpt"))
  expect_identical(found$unit, c("us/op", "ops/s"))
  expect_identical(found$param.bits, c("128", NA))
  expect_identical(found$param.mode, c("ECB", NA))
  expect_identical(found[1, c(threads, batch, forks_planned, iterations_planned, score)], c(1, 1, 1, 2, 1.5))
})

test_that("the first versions' unit of a single shot is the one of today", {
  expect_identical(results(edited(mode = "ss", unit = "us"))$results$unit, "us/op")
})

test_that("kotlinx-benchmark's units are JMH's under other names", {
  expect_identical(results(edited(mode = "thrpt", unit = "ops/sec"))$results$unit, "ops/s")
  expect_identical(results(edited(unit = "sec/op"))$results$unit, "s/op")
  expect_identical(results(edited(unit = "\u03bcs/op"))$results$unit, "us/op")
  expect_match(results(edited(unit = "ops/sec"))$left_out$what, "of mode avgt is in 'ops/s'")
})

test_that("one result, or one list of results, a line is read as JMH's list", {
  object <- function(level) {
    sub("\\]$", "", sub("^\\[", "", jmh_text(jmh_result(list(level + c(1, 2))), pretty = FALSE)))
  }
  whole <- results(sprintf("[%s,%s]", object(1), object(2)))$results
  same <- function(text) expect_identical(results(text)$results[, score], whole$score)
  same(paste0(object(1), "\n", object(2), "\n"))
  same(paste0("\n", object(1), "\r\n\r\n", object(2)))
  same(paste0(object(1), ",\n", object(2), ",\n"))
  same(sprintf("[%s]\n[%s]\n", object(1), object(2)))
  expect_identical(results(object(1))$results$score, whole$score[1])
  expect_refusal(results(paste0(object(1), "\n", substr(object(2), 1, 200))), "isn't whole JSON")
})

test_that("JMH's other formats are named, with the remedy", {
  formats <- list(
    "CSV" = "\"Benchmark\",\"Mode\",\"Threads\",\"Samples\",\"Score\"\n\"b.B.run\",\"thrpt\",1,25,8.5",
    "CSV" = "\ufeffBenchmark;Mode;Threads;Samples;Score\r\nb.B.run;thrpt;1;25;8,5",
    "text table" = "Benchmark    (size)   Mode  Cnt    Score    Error  Units\nB.run   10  thrpt   25  812.5 \u00b1 12",
    "text table" = "[info] Benchmark  Mode  Cnt  Score  Error  Units\n[info] B.run  avgt  5  1.2  0.1 us/op",
    "text table" = "Benchmark  Mode Thr  Cnt  Sec  Mean  Mean error  Units\nb.B.run avgt 1 5 5 1.2 0.1 us/op",
    "LaTeX table" = "\\begin{tabular}{r|l}\n \\multicolumn{1}{c|}{\\texttt{Benchmark}} & Score",
    "prints while it runs" = "# JMH version: 1.37\n# VM version: JDK 21\n# Warmup Iteration   1: 5 us/op"
  )
  for (i in seq_along(formats)) {
    expect_refusal(results(formats[[i]]), names(formats)[i], "-rf json")
  }
  expect_refusal(read_jmh_directory(jmh_folder("results.csv" = formats[[1]])), "results.csv", "CSV", "-rf json")
  both <- jmh_folder("a.ndjson" = jmh_text(jmh_result(list(c(1, 2)))), "results.csv" = formats[[1]])
  expect_identical(read_jmh_directory(both, cores = 1L)$results$file, "a.ndjson")
  expect_refusal(read_jmh_directory(jmh_folder("notes.txt" = "Benchmark of the mode in my head")), "holds no JSON file")
})

test_that("JSON that has nothing of JMH is nobody's fault", {
  expect_null(results('{"name": "x", "version": 1}'))
  expect_null(results("[1, 2]"))
})

test_that("what JMH can't have written is refused by name", {
  whole <- edited()
  expect_refusal(results(substr(whole, 1, nchar(whole) - 40)), "f.json: isn't whole JSON")
  expect_refusal(results(paste(whole, "}")), "isn't whole JSON")
  expect_refusal(results(""), "is empty")
  expect_refusal(results("[]"), "has no result")
  expect_refusal(results('{"primaryMetric": 1}'), "isn't a list of results")
  bad <- function(text) results(text)$left_out[, paste(what, expected)]
  expect_match(bad(edited(mode = "fast")), "mode 'fast' .*thrpt, avgt, sample, ss")
  expect_match(bad(edited(unit = "apples")), "in 'apples' s/op")
  expect_match(bad(edited(mode = "thrpt")), "in 'us/op' ops/s")
  expect_match(bad(sub("rawData", "rowData", whole)), "has no raw data")
  expect_match(bad(sub("\"benchmark\"", "\"bench\"", whole)), "has no benchmark")
  expect_match(bad(sub("primaryMetric", "metric", whole)), "has no primaryMetric")
  expect_match(bad(edited(threads = "many")), "has no number of threads")
})

test_that("one result that can't be read leaves the others", {
  two <- results(jmh_text(jmh_result(list(c(1, 2))), jmh_result(list(c(3, 4)), mode = "fast")))
  expect_identical(two$results$entry, 1L)
  expect_identical(two$left_out[, .(entry, left_out)], data.table(entry = 2L, left_out = "result"))
})

test_that("profilers' metrics, counters and a group's methods are rows of their own, in their own units", {
  metric <- function(unit, raw) list(score = 1, scoreUnit = unit, rawData = list(as.list(raw)))
  found <- results(edited(secondaryMetrics = list(
    "\u00b7gc.alloc.rate.norm" = metric("B/op", c(0, 16)), get = metric("us/op", c(1, 2)), odd = list(score = 1)
  )))
  expect_identical(found$results$metric, c("", "gc.alloc.rate.norm", "get"))
  expect_identical(found$results$unit, c("us/op", "B/op", "us/op"))
  expect_identical(unique(found$results$param.size), "1024")
  expect_match(found$left_out$what, "has no raw data of odd")
})

set.seed(81)

test_that("a fork's mean and spread are those of its iterations, in every mode", {
  read <- read_jmh_directory(jmh_fixtures(), cores = 1L)
  forks <- jmh_forks(read, cores = 1L)
  one <- forks[file == "modes.json" & mode == "thrpt" & fork == 2]
  values <- unlist(raw_data_by_jsonlite(file.path(jmh_fixtures(), "modes.json"))[[1]][[2]])
  expect_equal(c(one$mean, one$sd, one$iterations), c(mean(values), sd(values), 3))
  sample <- forks[file == "sample.json" & fork == 1]
  entries <- matrix(unlist(raw_data_by_jsonlite(file.path(jmh_fixtures(), "sample.json"))[[1]][[1]]), 2)
  expect_equal(sample$mean, sum(entries[1, ] * entries[2, ]) / sum(entries[2, ]))
  expect_identical(unique(forks[metric == "", steady]), "too few iterations")
  expect_identical(unique(forks[metric != "", steady]), "not sought")
})

test_that("iterations without a number are left out and counted", {
  text <- sub("77", "\"NaN\"", jmh_text(jmh_result(list(c(1, 2, 6), c(3, 77, 5)), primaryMetric = list(score = "NaN"))))
  forks <- jmh_forks(read_jmh_directory(jmh_folder("a.json" = text), cores = 1L), cores = 1L)
  expect_equal(forks$mean, c(3, 4))
  expect_equal(forks$sd, c(sd(c(1, 2, 6)), sd(c(3, 5))))
  expect_identical(forks$lost, 0:1)
  expect_identical(forks$iterations, 3:2)
})

test_that("forks are classed by their times, those of throughput too", {
  warm <- function(n) c(rep(200, 10), rep(100, n - 10)) * exp(rnorm(n, 0, 0.005))
  raw <- c(list(warm(40)), jmh_forks_of(100, 2, iterations = 40))
  folder <- jmh_folder("a.json" = jmh_text(
    jmh_result(raw), jmh_result(lapply(raw, function(x) 1 / x), mode = "thrpt", unit = "ops/us")
  ))
  forks <- jmh_forks(read_jmh_directory(folder, cores = 1L), cores = 2L)
  expect_identical(forks$steady, rep(c("warm-up", "flat", "flat"), 2))
  expect_identical(jmh_forks(read_jmh_directory(folder, cores = 1L), FALSE)$steady, rep(NA_character_, 6))
})

test_that("percentiles are JMH's own, of the same samples", {
  result <- jsonlite::fromJSON(file.path(jmh_fixtures(), "sample.json"), simplifyVector = FALSE)[[1]]
  samples <- matrix(unlist(result$primaryMetric$rawDataHistogram), 2)
  median <- sample_percentiles(samples[1, ], samples[2, ])[["p0.50"]]
  expect_equal(median, result$primaryMetric$scorePercentiles[["50.0"]])
  values <- as.numeric(1:999)
  # By hand: place 0.95 * 1000 is the 950th, 0.999 * 1000 the last.
  expect_equal(sample_percentiles(rev(values), rep(1, 999))[c("p0.50", "p0.95")], c(p0.50 = 500, p0.95 = 950))
  expect_equal(
    sample_percentiles(c(10, 20), c(30, 10))[["p0.50"]], 10
  )
  # Between the 15th and the 16th of 30: half of each.
  expect_equal(sample_percentiles(c(1, 2), c(15, 15))[["p0.50"]], 1.5)
})

test_that("a percentile with fewer than ten samples beyond it is not told", {
  found <- sample_percentiles(as.numeric(1:1000), rep(1, 1000))
  expect_identical(names(found)[is.na(found)], c("p0.999", "p0.9999"))
})

test_that("each fork's percentiles are a metric of its result", {
  set.seed(80)
  fork <- function(level) list(lapply(sort(level * rexp(200)), function(value) list(value, 1)))
  raw <- list(fork(100), fork(200))
  of_fork <- lapply(raw, function(fork) vapply(fork[[1]], `[[`, 0, 1))
  result <- jmh_result(list(1, 1), mode = "sample", primaryMetric = list(score = "NaN"))
  result$primaryMetric$rawData <- NULL
  result$primaryMetric$rawDataHistogram <- raw
  result$measurementIterations <- 1
  result$secondaryMetrics <- list("p0.50" = list(score = 1, scoreUnit = "us/op", rawData = list(list(1), list(1))))
  forks <- jmh_forks(read_jmh_directory(jmh_folder("a.json" = jmh_text(result)), cores = 1L), cores = 1L)
  expect_setequal(forks$metric, c("", "p0.50", "p0.90", "p0.95"))
  expect_equal(forks[metric == "p0.90", mean], vapply(of_fork, quantile, 0, 0.9, type = 6, names = FALSE))
  expect_identical(forks[metric == "p0.50", fork], 1:2)
  expect_identical(unique(forks$iterations), 1L)
})

read_text <- function(text) read_jmh_directory(jmh_folder("a.json" = text), cores = 1L)

test_that("raw data that don't agree with the rest of the file are left out, and a file of nothing else refused", {
  raw <- list(c(1, 2, 3), c(3, 4, 5))
  score <- function(score) jmh_text(jmh_result(raw, primaryMetric = list(score = score)))
  expect_silent(read_text(jmh_text(jmh_result(raw))))
  expect_refusal(
    read_text(jmh_text(jmh_result(raw, measurementIterations = 2))), "a.json", "3 iterations in fork 1", "2"
  )
  wrong <- jmh_result(raw, benchmark = "b.B.other", forks = 1)
  expect_left_out(
    left_out_of("a.json" = jmh_text(wrong, jmh_result(raw))), "a.json: result 1 (b.B.other) has 2 forks", "is left out"
  )
  expect_refusal(read_text(jmh_text(jmh_result(raw, forks = 1))), "has 2 forks", "1, as it says")
  expect_refusal(read_text(score(3.1)), "has score 3.1", "expected 3, the mean of its raw data")
  expect_silent(read_text(score("NaN")))
})

test_that("what failed iterations left is taken, and said", {
  raw <- list(c(1, 2, 3), c(3, 4))
  text <- jmh_text(jmh_result(raw, measurementIterations = 3))
  expect_identical(read_text(text)$forks$n, c(3L, 2L))
  expect_left_out(
    left_out_of("a.json" = text), "result 1 (b.B.run) has 2 iterations in fork 2",
    "expected 3, its measurementIterations", "what is there is taken"
  )
  none <- sub("[3, 4]", "[]", gsub("\\s+", " ", jmh_text(jmh_result(
    raw, measurementIterations = 3, primaryMetric = list(score = 2)
  ), pretty = FALSE)), fixed = TRUE)
  none <- sub("[3,4]", "[]", none, fixed = TRUE)
  expect_identical(read_text(none)$forks$n, 3L)
  expect_left_out(left_out_of("a.json" = none), "has no iteration in fork 2", "the fork is left out")
})

test_that("fewer forks than planned, and none planned (in JMH's own process), are possible", {
  raw <- list(c(1, 2, 3), c(3, 4, 5))
  expect_silent(read_text(jmh_text(jmh_result(raw, forks = 5))))
  expect_silent(read_text(jmh_text(jmh_result(raw[1], forks = 0))))
})

test_that("zero, negative and infinite times are refused with their place", {
  for (value in list(0, -2.5, "+INF")) {
    text <- sub("77", jsonlite::toJSON(value, auto_unbox = TRUE), jmh_text(jmh_result(list(c(1, 2), c(3, 77)))))
    expect_refusal(read_text(text), "a.json: result 1 (b.B.run)", "in fork 2, iteration 2", "more than 0")
  }
})

test_that("scores may be rounded as they are written, not more", {
  expect_equal(last_digit(c(12.34, 5, 1.5e-7, 120)), c(0.01, 1, 1e-8, 1))
  raw <- list(c(1.234, 2.345), c(3.456, 4.561))
  rounded <- function(score) read_text(jmh_text(jmh_result(raw, primaryMetric = list(score = score))))
  expect_silent(rounded(2.899))
  expect_silent(rounded(2.9))
  expect_refusal(rounded(2.8991), "has score 2.8991")
})

test_that("a file of whose results none is left is refused, though no check has anything to look at", {
  text <- jmh_text(jmh_result(list(c(1, 2), c(3, 4))), pretty = FALSE)
  spoilt <- sub("\\[ ?1, ?2\\]", '["one"]', text)
  expect_false(identical(spoilt, text))
  expect_refusal(read_text(spoilt), "a.json: result 1", "\"one\" among its raw data")
})

set.seed(73)
forks <- jmh_forks_of(100)
other <- jmh_forks_of(100)

test_that("several files, in directories, become one table, and other JSON is named", {
  folder <- jmh_folder(
    "b/two.json" = jmh_text(jmh_result(other)), "one.json" = jmh_text(jmh_result(forks)), "settings.json" = '{"x": 1}',
    ".hidden.json" = "nonsense", "notes.txt" = "nonsense"
  )
  read <- read_jmh_directory(folder, cores = 1L)
  expect_identical(read$results$file, c("b/two.json", "one.json"))
  expect_identical(read$forks$fork, rep(1:6, 2))
  expect_equal(read$values, unlist(c(other, forks)))
  expect_identical(read$forks$first, seq(1L, by = 12L, length.out = 12L))
  expect_identical(read$left_out$file, "settings.json")
  expect_match(finding_words(folder, read$left_out), "1 JSON files that aren't JMH's are left out: settings.json")
})

test_that("two cores read the same", {
  read <- function(cores) read_jmh_directory(jmh_fixtures(), cores = cores)
  expect_identical(read(1L), read(2L))
})

test_that("files that can't be read are left out, all of them named, on one core or two", {
  folder <- jmh_folder(
    "a.json" = jmh_text(jmh_result(forks)), "b.json" = "[{", "c.json" = character(), "d.json" = '{"rawData": []}',
    "schema.json" = '{"properties": {"primaryMetric": {"type": "object"}}}'
  )
  for (cores in 1:2) {
    read <- read_jmh_directory(folder, cores = cores)
    expect_equal(read$values, unlist(forks))
    expect_identical(read$left_out$file, c("b.json", "c.json", "d.json", "schema.json"))
    expect_identical(unique(read$left_out$left_out), "file")
    expect_match(finding_words(folder, read$left_out)[1], "b.json: isn't whole JSON .*; the file is left out$")
  }
})

test_that("a named pipe is no file that anybody waits for", {
  folder <- jmh_folder("a.json" = jmh_text(jmh_result(forks)))
  system2("mkfifo", shQuote(file.path(folder, "pipe.json")))
  expect_match(read_jmh_directory(folder, cores = 1L)$left_out$what, "no ordinary file")
})

test_that("names of files may be of any letters, in UTF-8 or not", {
  folder <- jmh_folder("a.json" = jmh_text(jmh_result(forks)))
  odd <- c("m\u00e4rz 'x':1.json", "m\xe4rz.json")
  texts <- list(other, jmh_forks_of(100))
  for (i in 1:2) {
    plain <- file.path(folder, "plain")
    writeLines(jmh_text(jmh_result(texts[[i]])), plain)
    # By printf: R itself would take the name for one in its own encoding.
    name <- paste(sprintf("\\%03o", as.integer(charToRaw(odd[i]))), collapse = "")
    system2("sh", c("-c", shQuote(sprintf("mv '%s' \"%s/$(printf '%s')\"", plain, folder, name))))
  }
  found <- read_jmh_directory(folder, cores = 1L)
  expect_identical(nrow(found$forks), 18L)
  expect_true(all(validUTF8(found$results$file)))
})

test_that("other metrics follow their result, and its own score stands first", {
  read <- read_jmh_directory(jmh_fixtures(), "gc-profiler.json", 1L)
  expect_identical(read$results$metric[1], "")
  expect_identical(unique(read$results$benchmark), read$results$benchmark[1])
  expect_gt(nrow(read$results), 1)
})

test_that("a directory without results is refused", {
  expect_refusal(read_jmh_directory(jmh_folder("a.txt" = "x")), "holds no JSON file")
  expect_refusal(
    read_jmh_directory(jmh_folder("a.json" = '{"a": 1}', "b.json" = "{}")), "holds no result of JMH in a.json, b.json"
  )
})

test_that("forks that are there again are left out, with both places", {
  same <- jmh_result(forks)
  expect_left_out(left_out_of("a.json" = jmh_text(same, same)), "result 2 (b.B.run) has fork 1 and 5 more again")
  copy <- list("a.json" = jmh_text(same), "copy.json" = jmh_text(jmh_result(rev(forks))))
  expect_left_out(do.call(left_out_of, copy), "copy.json: result 1 (b.B.run) has fork 1 and 5 more", "fork 6 of a.json")
  read <- read_jmh_directory(do.call(jmh_folder, copy), cores = 1L)
  expect_identical(read$results$file, "a.json")
  expect_equal(read$values, unlist(forks))
  within <- jmh_folder("a.json" = jmh_text(jmh_result(forks[c(1, 2, 1)])))
  read <- read_jmh_directory(within, cores = 1L)
  expect_identical(read$forks$fork, 1:2)
  expect_left_out(finding_words(within, read$left_out), "has fork 3 again, as fork 1 of a.json")
})

test_that("the same parameter value twice is more forks of one cell, unless the JVM was another", {
  folder <- jmh_folder("a.json" = jmh_text(jmh_result(forks), jmh_result(other)))
  read <- read_jmh_directory(folder, cores = 1L)
  expect_identical(nrow(read$forks), 12L)
  expect_identical(nrow(read$left_out), 0L)
  expect_left_out(
    left_out_of("a.json" = jmh_text(jmh_result(forks, jdkVersion = "17"), jmh_result(other, jdkVersion = "21"))),
    "result 2 (b.B.run) has the setting of result 1 but another jdkVersion", "the result is left out"
  )
})

test_that("equal forks of a coarse clock are no copies", {
  expect_silent(read_jmh_directory(jmh_folder("a.json" = jmh_text(jmh_result(list(c(2, 2), c(2, 2))))), cores = 1L))
})

test_that("one benchmark may be in several units", {
  folder <- jmh_folder("a.json" = jmh_text(jmh_result(forks)), "b.json" = jmh_text(jmh_result(other, unit = "ms/op")))
  expect_identical(read_jmh_directory(folder, cores = 1L)$results$unit, c("us/op", "ms/op"))
})
