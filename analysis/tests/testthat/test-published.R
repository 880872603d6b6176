test_that("published values are read from every file of the directory", {
  folder <- tempfile()
  dir.create(folder)
  writeLines(c("study,quantity,value,unit,error", "s,q,1.5,ns/op,"), file.path(folder, "s.csv"))
  expect_identical(published_values(folder)$value, 1.5)
  writeLines(c("study,quantity", "s,q"), file.path(folder, "t.csv"))
  expect_refusal(published_values(folder), "t.csv", "lacks column value")
})

test_that("numbers that an experiment's own file brings stand behind those of the directory", {
  folder <- tempfile()
  dir.create(folder)
  writeLines(c("study,quantity,value,unit,n", "s,q,1.5,ns/op,"), file.path(folder, "s.csv"))
  row <- list(study = "mine", quantity = "a", value = 3L, unit = "ns/op", error = 0.5, n = 10L, claims = "A1")
  found <- published_values(folder, list(a = list(published = list(row)), b = list(id = "none")))
  expect_identical(found$study, c("s", "mine"))
  expect_identical(found$value, c(1.5, 3))
  expect_identical(found$n, c(NA, 10))
  expect_identical(found$claims, c("", "A1"))
})

test_that("text in the place of a number is refused, not left out", {
  folder <- tempfile()
  dir.create(folder)
  for (value in c("4O", "NaN", "Inf", "1,5", "1e999", "2\x800")) {
    writeLines(c("study,quantity,value,n", "s,q,2,", sprintf('s,r,"%s",', value)), file.path(folder, "s.csv"))
    expect_refusal(published_values(folder), "s.csv: value of 'r' is", "a number, or nothing")
  }
  writeLines(c("study,quantity,value,n", "s,q,,ten", "s,r,,"), file.path(folder, "s.csv"))
  expect_refusal(published_values(folder), "s.csv: n of 'q' is 'ten'")
})
