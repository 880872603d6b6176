test_that("1 MiB of SHA-256 over counters: golden values", {
  counts <- scan(fixture("sha256-counters.txt"), quiet = TRUE)
  found <- byte_uniformity(counts)
  expect_identical(sum(counts), 2^20)
  expect_golden(
    unlist(found), c(246.9355469, 0.6298027, 7.9998302, 62.9798598, 3937, 4246)
  )
})

test_that("critical values: golden", {
  # Two values that are off the mean of 256 make any chi-square.
  p_of <- function(chi_square) {
    off <- sqrt(chi_square * 1e6 / 2)
    byte_uniformity(1e6 + c(off, -off, rep(0, 254)))$p
  }
  expect_golden(c(p_of(293.2478350), p_of(310.4573882)), c(0.05, 0.01))
})

test_that("bytes of one value are as uneven as can be", {
  found <- byte_uniformity(c(1000, rep(0, 255)))
  expect_equal(found[c("chi_square", "p", "entropy")], list(chi_square = 255000, p = 0, entropy = 0))
})
