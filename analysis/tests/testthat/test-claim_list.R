published <- published_values(published_folder)
claim <- function(...) list(text = "A claim", place = "page 1", form = "ratio-about", published = list(...))
table <- list(numerator = "rsa-encrypt", denominator = "des-encrypt")
definitions <- list(experiments = list(list(
  id = "phenry2014", study = list(id = "phenry2014"), claims = list(
    P1 = claim(quantity = "ratio of RSA to DES, encryption", reading = "value"), P4 = claim(table = table),
    P9 = list(text = "Another", place = "page 2", form = "not-testable")
  )
)))
found <- claim_list(definitions, published, published_ratios(definitions, published))

test_that("a claim has its words and the number that its study gives: stated, or of its table, or none", {
  expect_identical(found$claim, c("P1", "P4", "P9"))
  expect_identical(found$text, c("A claim", "A claim", "Another"))
  expect_equal(found$published_value, c(1000, 203438.819 / 731.335, NA))
  expect_match(found$published[1], "^1000")
  expect_match(found$published[2], "^the table: 278")
  expect_identical(found$published[3], "no figure")
})

test_that("a run without claims has a table without rows", {
  none <- claim_list(list(experiments = list(list(id = "a"))), published, published_ratios(list(), published))
  expect_identical(dim(none), c(0L, 7L))
})
