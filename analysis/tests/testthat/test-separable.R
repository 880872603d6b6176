design <- function(...) data.table(do.call(rbind, strsplit(c(...), " ", fixed = TRUE)))
blocks <- function(...) separable_blocks(setnames(design(...), c("system", "jdk")))

test_that("a crossed design, and one that is connected, are whole", {
  expect_identical(blocks("a 1", "a 2", "b 1", "b 2"), list(block = rep(1L, 4), confounded = character()))
  expect_identical(blocks("a 1", "a 2", "b 2", "c 2", "c 3")$block, rep(1L, 5))
})

test_that("sid with JDK 8 only can't be told from JDK 8", {
  found <- blocks("12 17", "12 21", "13 17", "13 21", "wine 21", "sid 8")
  expect_identical(found$block, c(1L, 1L, 1L, 1L, 1L, 2L))
  expect_identical(found$confounded, c("system", "jdk"))
})

test_that("two environments that differ in both are two blocks, and the first is kept", {
  expect_identical(blocks("13 21", "sid 8"), list(block = 1:2, confounded = c("system", "jdk")))
})

test_that("a CPU profile that was measured in one environment only is still told apart; one that replaces it isn't", {
  three <- function(...) separable_blocks(setnames(design(...), c("system", "jdk", "cpu")))
  expect_identical(three("a 1 n", "b 1 n", "b 1 c")$confounded, character())
  expect_identical(three("a 1 n", "b 1 c")$confounded, c("system", "cpu"))
})
