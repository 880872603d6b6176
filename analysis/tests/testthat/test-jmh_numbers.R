numbers <- function(text) {
  bytes <- charToRaw(text)
  fast_numbers(bytes, find_blocks(bytes))
}

test_that("every file of JMH is read as jsonlite reads it", {
  for (file in list.files(jmh_fixtures(), full.names = TRUE)) {
    bytes <- readBin(file, "raw", file.size(file))
    blocks <- find_blocks(bytes)
    text <- vapply(seq_len(nrow(blocks)), function(i) rawToChar(bytes[blocks$from[i]:blocks$to[i]]), "")
    slow <- lapply(text, function(one) as.numeric(unlist(jsonlite::parse_json(one))))
    fast <- lapply(fast_numbers(bytes, blocks), function(rows) c(t(rows)))
    expect_equal(fast, slow, tolerance = 1e-15)
  }
})

test_that("one array a line, many, or all on one line: the same numbers", {
  expect_identical(numbers('{"rawData":[[1,2.5],[3,4e1]]}')[[1]], matrix(c(1, 3, 2.5, 40), 2))
  expect_identical(
    numbers('{"rawData" : [\r\n\t[\r\n\t1,\r\n2.5\r\n],\r\n[3,4e1 ] ]\r\n}')[[1]], matrix(c(1, 3, 2.5, 40), 2)
  )
  expect_identical(numbers('{"rawData":[[-7]],"a":1,"rawData":[[8]]}'), list(matrix(-7), matrix(8)))
})

test_that("arrays of different lengths are read, each as long as it is", {
  found <- numbers('{"rawData":[[1,2],[3,4]],"rawData":[[5,6,7]],"rawData":[[8],[9]]}')
  expect_identical(found, list(matrix(c(1, 3, 2, 4), 2), matrix(c(5, 6, 7), 1), matrix(c(8, 9), 2)))
})

test_that("what isn't plain JSON with plain numbers is left to jsonlite", {
  odd <- c(
    "[[1,2],[3]]", "[[1 2],[3,4]]", "[[1,2,],[3,4,]]", "[[,1,2],[,3,4]]", "[[1,,2],[3,,4]]", "[[1,2][3,4]]",
    "[[1,2],,[3,4]]", "[[1,2],[3,4],]", "[1,[2,3]]", "[[[1,2]]]", "[[\"NaN\",2]]", "[[1,x]]", "[[]]", "[]",
    "[[1,2],[]]", "[[1,NaN]]", "[[1,null]]", "[[1\n2],[3,4]]", "[[1,true]]"
  )
  for (array in odd) expect_null(numbers(sprintf('{"rawData":%s}', array))[[1]], info = array)
})
