inside("judge")

test_that("numbers have three significant digits and no exponent", {
  expect_identical(
    number_words(c(0.1234, 9310.4, 278.0001, 2, 0.000046, 1e6)), c("0.123", "9310", "278", "2", "0.000046", "1000000")
  )
})

test_that("a contrast is one plain sentence", {
  contrast <- list(
    numerator = "AES", denominator = "Blowfish", ratio = 0.1204, measure = "cpu",
    scope = "encrypt, 100 KB, random, sunjce"
  )
  expect_identical(
    contrast_sentence(contrast), "AES takes 0.12 times the CPU time of Blowfish (encrypt, 100 KB, random, sunjce)"
  )
})

test_that("targets and lists read well", {
  expect_identical(target_words(0, 0.05), "below 0.05")
  expect_identical(target_words(1, Inf), "above 1")
  expect_identical(target_words(500, 2000), "500 to 2000")
  expect_identical(vapply(1:3, function(n) list_words(letters[seq_len(n)]), ""), c("a", "a and b", "a, b and c"))
})
