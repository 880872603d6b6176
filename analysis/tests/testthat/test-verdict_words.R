test_that("a contrast is one plain sentence", {
  contrast <- list(
    numerator = "AES", denominator = "Blowfish", ratio = 0.1204, measure = "cpu",
    scope = "encrypt, 100 KB, random, sunjce"
  )
  expect_identical(
    contrast_sentence(contrast), "AES takes 0.120 times the CPU time of Blowfish (encrypt, 100 KB, random, sunjce)"
  )
})

test_that("targets read well", {
  expect_identical(target_words(0, 0.05), "below 0.05")
  expect_identical(target_words(1, Inf), "above 1")
  expect_identical(target_words(500, 2000), "500 to 2000")
})
