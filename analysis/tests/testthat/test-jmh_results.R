inside("jmh")

results <- function(text) {
  bytes <- charToRaw(text)
  jmh_results("f.json", block_surroundings(bytes, find_blocks(bytes)))
}
edited <- function(...) jmh_text(jmh_result(list(c(1, 2), c(3, 4)), ...))

test_that("what was run comes out, with every parameter", {
  set.seed(72)
  found <- results(jmh_text(
    jmh_result(list(c(1, 2)), params = list(bits = "128", mode = "ECB")),
    jmh_result(list(c(3, 4)), mode = "thrpt", unit = "ops/s", params = NULL)
  ))
  expect_identical(found$mode, c("avgt", "thrpt"))
  expect_identical(found$unit, c("us/op", "ops/s"))
  expect_identical(found$param.bits, c("128", NA))
  expect_identical(found$param.mode, c("ECB", NA))
  expect_identical(found[1, c(threads, batch, forks_planned, iterations_planned, score)], c(1, 1, 1, 2, 1.5))
})

test_that("the first versions' unit of a single shot is the one of today", {
  expect_identical(results(edited(mode = "ss", unit = "us"))$unit, "us/op")
})

test_that("JSON that has nothing of JMH is nobody's fault", {
  expect_null(results('{"name": "x", "version": 1}'))
  expect_null(results("[1, 2]"))
})

test_that("what JMH can't have written is refused by name", {
  whole <- edited()
  expect_refusal(results(substr(whole, 1, nchar(whole) - 40)), "f.json: isn't whole JSON")
  expect_refusal(results(paste(whole, "}")), "isn't whole JSON")
  expect_refusal(results(""), "is empty")
  expect_refusal(results("[]"), "has no result")
  expect_refusal(results('{"primaryMetric": 1}'), "isn't a list of results")
  expect_refusal(results(edited(mode = "fast")), "mode 'fast'", "thrpt, avgt, sample, ss")
  expect_refusal(results(edited(unit = "apples")), "in 'apples'", "s/op")
  expect_refusal(results(edited(mode = "thrpt")), "in 'us/op'", "ops/s")
  expect_refusal(results(sub("rawData", "rowData", whole)), "has no raw data")
  expect_refusal(results(sub("\"benchmark\"", "\"bench\"", whole)), "has no benchmark")
  expect_refusal(results(sub("primaryMetric", "metric", whole)), "has no primaryMetric")
  expect_refusal(results(edited(threads = "many")), "has no number of threads")
})
