test_that("a percentile is the upper end of its bin", {
  # 1000 connections: 500 up to 1 us, 490 up to 2 us, 9 up to 4 us, 1 up to 8 us.
  counts <- numeric(60)
  counts[c(0, 16, 32, 48) + 1] <- c(500, 490, 9, 1)
  expect_equal(bin_percentiles(counts, c(0.5, 0.501, 0.9, 0.99, 0.999, 1)), c(1000, 2000, 2000, 2000, 4000, 8000))
  expect_identical(bin_percentiles(numeric(5), c(0.5, 1)), c(NA_real_, NA_real_))
})

test_that("latencies of a fork are those of all its iterations", {
  counted <- data.table(
    experiment = "e", environment = "v", round = "r", fork = c(1, 1, 2), iteration = c(1, 2, 1), measure = "latency",
    counts = c("1;0;0", "0;0;1", "0;3;0")
  )
  found <- latency_values(counted)
  expect_identical(found[fork == 1]$measure, paste0("latency.", c("p50", "p90", "p99", "max")))
  expect_equal(found[fork == 1]$value, latency_bin_ns(c(0, 2, 2, 2)))
  expect_equal(found[fork == 2]$value, rep(latency_bin_ns(1), 4))
  expect_identical(nrow(latency_values(counted[0])), 0L)
})
