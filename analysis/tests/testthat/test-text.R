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
