parts <- inside_plugin(report_figures(), "native")

test_that("every Java provider is held against every native library in each class of CPU", {
  forks <- data.table::CJ(provider = c("java", "openssl", "botan"), cpu_profile = c("native", "core2"), round = 1:5)
  forks[, `:=`(workload = "encrypt", factor.cipher = "AES")]
  base <- c(java = 400, openssl = 100, botan = 200)
  forks[, wall_ns_per_op := base[provider] * fifelse(cpu_profile == "core2", 3, 1) * (1 + 0.01 * round)]
  found <- parts$native_ratios(forks, c("openssl", "botan"))
  expect_equal(nrow(found), 4)
  expect_equal(found[library == "openssl"]$ratio, c(4, 4), tolerance = 1e-9)
  expect_equal(found[library == "botan"]$ratio, c(2, 2), tolerance = 1e-9)
  expect_true(all(found$lower < found$ratio & found$ratio < found$upper))
  expect_equal(unique(found$java), "java")
})

test_that("what only one side has is left out", {
  forks <- data.table::data.table(
    provider = c("java", "java", "openssl", "openssl"), cpu_profile = "native",
    workload = c("hash", "hash", "sign", "sign"),
    factor.digest = "X", wall_ns_per_op = c(1, 2, 3, 4)
  )
  expect_equal(nrow(parts$native_ratios(forks, "openssl")), 0)
})
