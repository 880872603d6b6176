#' A folder of files, by their names.
made_up_folder <- function(...) {
  folder <- tempfile("forms")
  dir.create(folder)
  files <- list(...)
  for (name in names(files)) writeLines(files[[name]], file.path(folder, name))
  folder
}

test_that("forms are found by listing the folder, each with what its header says", {
  forms <- all_forms()
  expect_named(forms, sub("\\.R$", "", basename(sort(list.files(form_folder, "\\.R$"), method = "radix"))))
  compared <- c(
    calls = "calls", "difference-between" = "differences", every = "counts", "same-steps" = "steps", linear = "series",
    "not-testable" = "nothing", order = "levels",
    "ratio-about" = "ratios", "value-below" = "values"
  )
  expect_identical(vapply(forms[names(compared)], `[[`, "", "compares"), compared)
  words <- function(form) names(Filter(isTRUE, forms[[form]][c("partial", "across", "reversed", "featured")]))
  expect_identical(words("kept-order"), c("partial", "across", "featured"))
  expect_identical(names(Filter(function(form) !form$judged, forms)), "estimate")
  expect_identical(words("another-order"), c("partial", "across", "reversed"))
  expect_identical(words("same-order"), c("partial", "across"))
  expect_identical(words("same"), "partial")
  expect_identical(words("order"), character())
})

test_that("a new form is one file and nothing else", {
  form <- c("#: {compares: ratios, parameters: {}}", "form_made_up <- function(contrasts, parameters) contrasts")
  folder <- made_up_folder("made-up.R" = form)
  expect_named(claim_forms(folder), "made-up")
})

test_that("a form without header or function is refused", {
  headless <- made_up_folder("headless.R" = "form_headless <- function(contrasts, parameters) contrasts")
  expect_refusal(claim_forms(headless), "headless.R", "has no header")
  empty <- made_up_folder("empty.R" = "#: {compares: ratios, parameters: {}}")
  expect_refusal(claim_forms(empty), "empty.R", "form_empty()")
})
