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
  ))$results
  expect_identical(found$mode, c("avgt", "thrpt"))
  expect_identical(found$unit, c("us/op", "ops/s"))
  expect_identical(found$param.bits, c("128", NA))
  expect_identical(found$param.mode, c("ECB", NA))
  expect_identical(found[1, c(threads, batch, forks_planned, iterations_planned, score)], c(1, 1, 1, 2, 1.5))
})

test_that("the first versions' unit of a single shot is the one of today", {
  expect_identical(results(edited(mode = "ss", unit = "us"))$results$unit, "us/op")
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
  bad <- function(text) results(text)$left_out[, paste(what, expected)]
  expect_match(bad(edited(mode = "fast")), "mode 'fast' .*thrpt, avgt, sample, ss")
  expect_match(bad(edited(unit = "apples")), "in 'apples' s/op")
  expect_match(bad(edited(mode = "thrpt")), "in 'us/op' ops/s")
  expect_match(bad(sub("rawData", "rowData", whole)), "has no raw data")
  expect_match(bad(sub("\"benchmark\"", "\"bench\"", whole)), "has no benchmark")
  expect_match(bad(sub("primaryMetric", "metric", whole)), "has no primaryMetric")
  expect_match(bad(edited(threads = "many")), "has no number of threads")
})

test_that("one result that can't be read leaves the others", {
  two <- results(jmh_text(jmh_result(list(c(1, 2))), jmh_result(list(c(3, 4)), mode = "fast")))
  expect_identical(two$results$entry, 1L)
  expect_identical(two$left_out[, .(entry, left_out)], data.table(entry = 2L, left_out = "result"))
})

test_that("profilers' metrics, counters and a group's methods are rows of their own, in their own units", {
  metric <- function(unit, raw) list(score = 1, scoreUnit = unit, rawData = list(as.list(raw)))
  found <- results(edited(secondaryMetrics = list(
    "\u00b7gc.alloc.rate.norm" = metric("B/op", c(0, 16)), get = metric("us/op", c(1, 2)), odd = list(score = 1)
  )))
  expect_identical(found$results$metric, c("", "gc.alloc.rate.norm", "get"))
  expect_identical(found$results$unit, c("us/op", "B/op", "us/op"))
  expect_identical(unique(found$results$param.size), "1024")
  expect_match(found$left_out$what, "has no raw data of odd")
})
