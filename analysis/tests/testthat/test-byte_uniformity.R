inside("read")

test_that("1 MiB of SHA-256 over counters: golden values", {
  counts <- scan(fixture("sha256-counters.txt"), quiet = TRUE)
  found <- byte_uniformity(counts)
  expect_identical(sum(counts), 2^20)
  expect_golden(
    unlist(found), c(246.9355469, 0.6298027, 7.9998302, 62.9798598, 3937, 4246)
  )
})

test_that("critical values: golden", {
  expect_golden(byte_uniformity_limit(c(0.05, 0.01)), c(293.2478350, 310.4573882))
})

test_that("counts of bytes", {
  counts <- byte_counts(as.raw(c(0, 255, 255, 7)))
  expect_identical(counts[c(1, 8, 256)], c(1L, 1L, 2L))
  expect_identical(sum(counts), 4L)
})

test_that("bytes of one value are as uneven as can be", {
  found <- byte_uniformity(byte_counts(raw(1000)))
  expect_equal(found[c("chi_square", "p", "entropy")], list(chi_square = 255000, p = 0, entropy = 0))
})
