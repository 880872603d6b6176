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
