inside("read")

jmh_file <- function(text) {
  path <- tempfile(fileext = ".json")
  writeLines(text, path)
  path
}
result <- function(raw = "[[1.5, 2.0]]", unit = "us/op") {
  sprintf(
    '[{"benchmark": "a.B.c", "primaryMetric": {"scoreError": "NaN", "scoreUnit": "%s", "rawData": %s}}]', unit, raw
  )
}

test_that("values come in ns per operation, whatever the unit and mode", {
  expect_equal(read_jmh_fork(jmh_file(result()))$ns_per_op, c(1500, 2000))
  expect_equal(read_jmh_fork(jmh_file(result(unit = "ops/ms")))$ns_per_op, c(1e6 / 1.5, 5e5))
  expect_identical(read_jmh_fork(jmh_file(result()))$benchmark, "a.B.c")
})

test_that("truncated files, several forks or results, NaN and unknown units are refused by name", {
  path <- jmh_file(substr(result(), 1, 60))
  expect_refusal(read_jmh_fork(path), path, "isn't whole JSON")
  expect_refusal(read_jmh_fork(jmh_file("")), "isn't whole JSON")
  expect_refusal(read_jmh_fork(jmh_file("[]")), "has 0 results")
  expect_refusal(read_jmh_fork(jmh_file(result("[[1.5], [2.0]]"))), "has 2 forks")
  expect_refusal(read_jmh_fork(jmh_file(result('[["NaN", 2.0]]'))), "no number")
  expect_refusal(read_jmh_fork(jmh_file(result(unit = "bananas"))), "'bananas'")
})
