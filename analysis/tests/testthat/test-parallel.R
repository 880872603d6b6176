test_that("several cores give what one gives, in order", {
  expect_identical(in_parallel(1:7, function(i) i^2, 2L), lapply(1:7, function(i) i^2))
})

test_that("the first error ends all", {
  expect_refusal(in_parallel(1:4, function(i) if (i > 1) refuse(paste("file", i), "a", "b", "c") else i, 2L), "file 2")
})
