# Numbers and ranges as the report prints them.
test_that("a number keeps its significant digits, and thousands are parted from five digits on", {
  expect_identical(format_significant(c(1234.5, 0.012345, 9.996, 0)), c("1230", "0.0123", "10.0", "0"))
  expect_identical(format_significant(1234567, 7), "1,234,567")
  expect_identical(format_count(c(9310, 12345)), c("9310", "12,345"))
  expect_identical(format_fixed(c(-1.25, NA, -0.001), 1), c("\u22121.2", "\u2013", "0.0"))
})

test_that("an estimate and its interval share their decimals", {
  shown <- format_interval(278.42, 270.11, 287.04)
  expect_identical(shown$estimate, "278.4")
  expect_identical(shown$interval, "[270.1, 287.0]")
  expect_identical(format_interval(9310, 8980.4, 9652.2)$interval, "[8980, 9650]")
  expect_identical(format_interval(0.0123, 0.0101, 0.0149)$interval, "[0.0101, 0.0149]")
})

test_that("an estimate without an interval, or with one that is very wide or very narrow, can be shown", {
  expect_identical(format_interval(1.5, NA, NA)$interval, "\u2013")
  expect_identical(format_interval(NA, NA, NA)$estimate, "\u2013")
  expect_identical(format_interval(3.14, -20, 26)$estimate, "3.1")
  expect_identical(format_interval(1.0000001, 1.00000005, 1.00000015)$estimate, "1.0000")
  expect_identical(format_interval(2, 2, 2)$interval, "[2.00, 2.00]")
})

test_that("p values say no more than they know", {
  expect_identical(format_p(c(0.0004, 0.0123, 0.34, 1, NA)), c("< 0.001", "0.012", "0.34", "> 0.99", "\u2013"))
})

test_that("per cent, counts, targets and letters are words a reader knows", {
  expect_identical(format_percent(c(0.123, 4.56, 12.7)), c("0.12", "4.6", "13"))
  expect_identical(vapply(0:2, format_plural, "", "fork"), c("no fork", "1 fork", "2 forks"))
  targets <- format_target(c(1, NA, 500, NA), c(NA, 0.05, 2000, NA))
  expect_identical(targets, c("above 1", "below 0.05", "500 to 2000", "\u2013"))
  letters <- verdict_letter(c("holds", "does-not-hold", "undecided", "not-testable", "?"))
  expect_identical(letters, c("H", "X", "U", "\u2013", "\u2013"))
})

test_that("breaks of a log axis lie within it, whether it spans decades or per cents", {
  for (limits in list(c(0.5, 2e6), c(3, 40), c(1.01, 1.04), c(7, 7))) {
    breaks <- log_breaks(limits)
    expect_true(length(breaks) >= 1 && all(breaks >= min(limits) & breaks <= max(limits)))
  }
})

test_that("the weblog's own table gives 278 where its text says 1000, and the report says so", {
  published <- published_values(published_folder)
  ratio <- printed_ratio(
    published[study == "phenry2014"], list(numerator = "rsa-encrypt", denominator = "des-encrypt")
  )
  expect_equal(ratio$ratio, 203438.819 / 731.335)
  # Half-widths at 99.9 % over n = 20 become standard errors with t(19); the log scale and Welch's df give the interval.
  expect_equal(c(ratio$lower, ratio$upper), c(266.6, 290.3), tolerance = 1e-3)
  said <- describe_own_table(list(stated = 1000, table = ratio), list(parameters = list(within = 2)))
  expect_match(said, "278 .*3.6 times less.*contradict")
  expect_identical(describe_own_table(list(stated = 1000, table = ratio), list(parameters = list(within = 4))), "")
})

# Texts from files.
test_that("a refusal is one line: file: what; expected ...; remedy", {
  expect_error(refuse("a.csv", "is\nempty", "rows", "restore it"), class = "refusal")
  message <- tryCatch(refuse("a.csv", "is\nempty", "rows", "restore it"), refusal = conditionMessage)
  expect_identical(message, "a.csv: is empty; expected rows; restore it")
})

test_that("long lists are cut after five names", {
  expect_identical(some_of(letters[1:3]), "a, b, c")
  expect_identical(some_of(letters[1:7]), "a, b, c, d, e and 2 more")
})

test_that("what a file's text holds can't forge a line or speak to a terminal", {
  message <- tryCatch(refuse("a\u2028\u001b[31m.csv", "is\rempty", "rows", "restore it"), refusal = conditionMessage)
  expect_identical(message, "a [31m.csv: is empty; expected rows; restore it")
  expect_identical(one_line(c("m\xe4rz", "m\u00e4rz")), c("m<e4>rz", "m\u00e4rz"))
})

test_that("numbers in a sentence have their significant digits, and no exponent", {
  expect_identical(
    format_plain(c(0.1234, 9310.4, 278.0001, 2, 0.000046, 1e6)), c("0.123", "9310", "278", "2", "0.000046", "1000000")
  )
  expect_identical(format_plain(c(12345.6, 0.5), 4), c("12350", "0.5"))
})

test_that("words are listed as in a sentence", {
  lists <- vapply(0:3, function(n) format_list(letters[seq_len(n)]), "")
  expect_identical(lists, c("", "a", "a and b", "a, b and c"))
  expect_identical(format_list(c("a", "b"), "or"), "a or b")
})

test_that("the first group of a pattern is picked from each text that has it", {
  expect_identical(picked(c("a=1", "b", "a=23"), "a=([0-9]+)"), c("1", NA, "23"))
  expect_identical(picked(character(), "a"), character())
})
