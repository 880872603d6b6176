test_that("a fork's mean is the sum of times over the sum of operations of its measured iterations", {
  iterations <- data.table(
    fork = 1, iteration = 1:3, measured = c(FALSE, TRUE, TRUE), steady = "warm-up", duration_ns = c(900, 100, 400),
    operations = c(1, 1, 3), all_operations = c(2, 2, 4), worker_cpu_ns = c(900, 90, 390), process_user_ns = 600,
    process_system_ns = 60
  )
  found <- fork_means(iterations, "fork")
  expect_identical(
    found[, .(iterations, measured_iterations, steady_from)],
    data.table(iterations = 3L, measured_iterations = 2L, steady_from = 2L)
  )
  expect_equal(found$wall_ns_per_op, 500 / 4)
  expect_equal(found$cpu_ns_per_op, 480 / 6)
  expect_equal(found$process_cpu_ns_per_op, 1320 / 6)
  expect_equal(found$sd_within_wall_ns, sd(c(100, 400 / 3)))
  expect_equal(found$sd_within_cpu_ns, sd(c(45, 97.5)))
})
