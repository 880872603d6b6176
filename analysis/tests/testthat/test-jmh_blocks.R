found <- function(text) find_blocks(charToRaw(text))

test_that("arrays of raw data are found, whatever the white space", {
  text <- '{"rawData":[[1,2]], "rawData" :\n [ [3] ],\t"rawDataHistogram": [[[[1,2]]]]}'
  blocks <- found(text)
  expect_identical(substring(text, blocks$from, blocks$to), c("[[1,2]]", "[ [3] ]", "[[[[1,2]]]]"))
  expect_identical(blocks$depth, c(2L, 2L, 4L))
  expect_identical(attr(blocks, "brackets")[block == 1, level], c(1L, 2L, 2L, 1L))
})

test_that("what stands around the arrays is JSON with each one's place in the file", {
  text <- '{"rawData":[[1,2]], "x": [7], "rawData":[[3]]}'
  blocks <- found(text)
  expect_identical(
    block_surroundings(charToRaw(text), blocks, offset = 100), '{"rawData":112, "x": [7], "rawData":141}'
  )
})

test_that("brackets and the key inside texts lead nowhere", {
  text <- '{"a": "[[", "b": "\\"rawData\\": [1", "rawData": [["NaN", 1]], "rawData": null}'
  blocks <- found(text)
  expect_identical(substring(text, blocks$from, blocks$to), '[["NaN", 1]]')
  expect_true(blocks$worded)
  expect_identical(jsonlite::parse_json(block_surroundings(charToRaw(text), blocks))$a, "[[")
})

test_that("an array that is cut off is left to the JSON reader", {
  text <- '{"rawData": [[1, 2], [3'
  expect_identical(nrow(found(text)), 0L)
  expect_identical(block_surroundings(charToRaw(text), found(text)), text)
})
