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
