inside("read")

test_that("published values are read from every file of the directory", {
  folder <- tempfile()
  dir.create(folder)
  writeLines(c("study,quantity,value,unit,error", "s,q,1.5,ns/op,"), file.path(folder, "s.csv"))
  expect_identical(published_values(folder)$value, 1.5)
  writeLines(c("study,quantity", "s,q"), file.path(folder, "t.csv"))
  expect_refusal(published_values(folder), "t.csv", "lacks column value")
})
