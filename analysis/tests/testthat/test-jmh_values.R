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
