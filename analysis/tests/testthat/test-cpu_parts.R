fork <- function(number, ...) {
  data.table(
    experiment = "kofahi2013", environment = "v", round = "r", fork = number, iteration = 1:4,
    measured = c(FALSE, TRUE, TRUE, TRUE), all_operations = 10, ...
  )
}
nothing <- observed_values(no_observations()[, `:=`(experiment = "", environment = "", round = "")], fork(1))
parts <- function(iterations, experiments = "kofahi2013", observed = nothing, cells = "encrypt") {
  forks <- unique(iterations[, fork_key, with = FALSE])[, cell := cells]
  with_cpu_parts(observed, iterations, forks, experiments)
}

test_that("user and system time are sums over the measured iterations, per operation", {
  found <- parts(fork(1, process_user_ns = c(9e9, 9e7, 1.2e8, 9e7), process_system_ns = c(9e9, 0, 2e7, 1e7)))
  expect_named(found, observed_columns)
  expect_identical(found$measure, c("system", "user"))
  expect_equal(found$value, c(3e7 / 30, 3e8 / 30))
  expect_true(all(is.na(found$sd)))
})

test_that("ten ticks of both together are needed, however few of them are the kernel's: all forks of a cell, or none", {
  enough <- fork(1, process_user_ns = c(9e9, 3e7, 3e7, 5e7), process_system_ns = 0)
  less <- fork(2, process_user_ns = c(9e9, 3e7, 3e7, 2e7), process_system_ns = c(0, 1e7, 0, 0))
  untold <- fork(3, process_user_ns = NA_real_, process_system_ns = NA_real_)
  found <- parts(rbind(enough, less, untold), cells = c("a", "b", "c"))
  expect_identical(found$fork, c(1, 1))
  expect_equal(found$value, c(0, 1.1e8 / 30))
  expect_identical(parts(rbind(enough, less))$fork, c(1, 1, 2, 2))
})

test_that("only experiments that want them have them, beside what was observed", {
  wanted <- fork(1, process_user_ns = 1e8, process_system_ns = 1e7)
  rows <- rbind(wanted, copy(wanted)[, experiment := "other"])
  expect_identical(parts(rows, character()), nothing)
  seen <- data.table(
    experiment = "other", environment = "v", round = "r", fork = 1, measure = "total", value = 1, sd = 2
  )
  found <- parts(rows, observed = seen)
  expect_identical(found$experiment, c("kofahi2013", "kofahi2013", "other"))
  expect_identical(found[3], seen)
})

test_that("a real round's parts are all of its process's CPU time", {
  raw <- file.path(dirname(analysis_dir), "data", "sample")
  tables <- tidy_rounds(raw, grep("^(phenry2014|stegerer2008)/", find_rounds(raw), value = TRUE))
  found <- with_cpu_parts(tables$observed, tables$iterations, tables$forks, "stegerer2008")
  parts <- found[measure %in% c("user", "system")]
  expect_identical(unique(parts$experiment), "stegerer2008")
  # Wine's forks tell nothing; of the others' some are too short.
  expect_identical(unique(parts$environment), "debian-13-temurin-21")
  whole <- tables$forks[parts[, .(value = sum(value)), by = fork_key], on = fork_key]
  expect_gt(nrow(whole), 0)
  expect_equal(whole$value, whole$process_cpu_ns_per_op)
  expect_gt(min(parts[measure == "user"]$value), 0)
  means <- observed_means(valid_forks(tables$forks), parts)
  expect_setequal(means$measure, c("user", "system"))
})
