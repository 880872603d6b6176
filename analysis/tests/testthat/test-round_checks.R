inside("read")

forks <- data.table(fork = 1:2, iterations = 2)
rows <- data.table(
  fork = c(
    1, 1, 2, 2
  ), iteration = c(1, 2, 1, 2), start_epoch_ms = 1, start_uptime_ms = 1, end_uptime_ms = 2, duration_ns = 10,
  operations = 1, all_operations = 1, worker_cpu_ns = 9, process_user_ns = 0, process_system_ns = NA_real_,
  involuntary_switches = NA_real_, gc_ms = 0
)
refuses <- function(table, ...) expect_refusal(check_iterations("round", forks, table), "round/iterations.csv", ...)
changed <- function(column, value, row = 2L) set(copy(rows), row, column, value)

test_that("whole iterations pass; CPU times may be missing or zero", {
  expect_silent(check_iterations("round", forks, rows))
})

test_that("impossible values are refused with their row", {
  refuses(changed("duration_ns", 0), "row 2 has duration_ns 0")
  refuses(changed("operations", -1), "row 2 has operations -1")
  refuses(changed("all_operations", 0), "row 2 has all_operations 0")
  refuses(changed("worker_cpu_ns", -5), "row 2 has worker_cpu_ns -5")
  refuses(changed("gc_ms", -1), "row 2 has gc_ms -1")
  refuses(changed("duration_ns", NA), "row 2 has no duration_ns")
  refuses(changed("end_uptime_ms", 0), "row 2 ends before it starts")
})

test_that("duplicates, strays and gaps are refused", {
  refuses(changed("iteration", 1), "fork 1 has iteration 1 twice")
  refuses(rbind(rows, changed("fork", 3)[2]), "iterations of fork 3")
  refuses(rows[-4], "fork 2 has 1 iterations", "2, numbered from 1")
  refuses(rows[fork == 1], "fork 2 has 0 iterations")
  refuses(changed("iteration", 7), "fork 1 has 2 iterations")
})

test_that("SHA-256 is the one of the standard", {
  path <- tempfile()
  writeBin(charToRaw("abc"), path)
  expect_identical(sha256_of(path), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
})
