inside("read")

parts <- inside_plugin(report_figures(), "latency-curves")

test_that("a curve falls from 1 to the last latency, which is not drawn at 0", {
  counts <- data.table::data.table(panel = "p", curve = "c", position = 0:3, count = c(50, 40, 0, 10))
  found <- parts$latency_curves(counts)
  expect_equal(found$above, c(0.5, 0.1, 0.1), tolerance = 1e-12)
  expect_equal(found$ns, latency_bin_ns(0:2))
})
