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
