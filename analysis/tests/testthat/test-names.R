test_that("each name is defined once in R/ and forms/: a second definition would silently replace the first", {
  files <- list.files(file.path(analysis_dir, c("R", "forms")), "\\.R$", full.names = TRUE)
  defined <- unlist(lapply(files, function(file) {
    calls <- Filter(
      function(call) is.call(call) && identical(call[[1]], as.name("<-")) && is.name(call[[2]]), parse(file)
    )
    vapply(calls, function(call) as.character(call[[2]]), "")
  }))
  expect_identical(unique(defined[duplicated(defined)]), character())
})
