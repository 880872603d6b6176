inside("basics")

test_that("a refusal is one line: file: what; expected ...; remedy", {
  expect_error(refuse("a.csv", "is\nempty", "rows", "restore it"), class = "refusal")
  message <- tryCatch(refuse("a.csv", "is\nempty", "rows", "restore it"), refusal = conditionMessage)
  expect_identical(message, "a.csv: is empty; expected rows; restore it")
})

test_that("long lists are cut after five names", {
  expect_identical(some_of(letters[1:3]), "a, b, c")
  expect_identical(some_of(letters[1:7]), "a, b, c, d, e and 2 more")
})
