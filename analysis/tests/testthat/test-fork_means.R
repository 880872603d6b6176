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

test_that("the means without the iterations that a pause hit", {
  iterations <- data.table(
    fork = c(1, 1, 1, 2, 2), iteration = c(1:3, 1:2), measured = c(FALSE, TRUE, TRUE, TRUE, TRUE), steady = "flat",
    duration_ns = c(900, 100, 400, 50, 60), operations = 1, all_operations = 1, worker_cpu_ns = c(900, 90, 390, 50, 60),
    process_user_ns = 0, process_system_ns = 0, pause_ms = c(5, 0, 3, 1, 1)
  )
  found <- fork_means(iterations, "fork")
  expect_identical(found$iterations_paused, c(1L, 2L))
  expect_equal(found$wall_ns_per_op, c(250, 55))
  expect_equal(found$wall_ns_per_op_unpaused, c(100, NA))
  expect_equal(found$cpu_ns_per_op_unpaused, c(90, NA))
  without <- fork_means(iterations[, !"pause_ms"], "fork")
  expect_identical(without$iterations_paused, c(0L, 0L))
  expect_equal(without$wall_ns_per_op_unpaused, without$wall_ns_per_op)
})
