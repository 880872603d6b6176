test_that("forms are found by listing the folder, each with what it compares", {
  forms <- all_forms()
  expect_identical(vapply(forms, `[[`, "", "compares"), c(
    "alike-iterations" = "iterations", "another-order" = "levels", "fastest-of" = "levels", linear = "series",
    "maximum-is-chance" = "iterations", "not-testable" = "nothing", order = "levels", "ratio-about" = "ratios",
    "ratio-above" = "ratios", "ratio-below" = "ratios", "same-order" = "levels", same = "levels",
    "slowest-of" = "levels", "value-about" = "values", "value-above" = "values", "value-below" = "values"
  ))
  expect_identical(names(Filter(function(form) form$partial, forms)), c("another-order", "same-order", "same"))
  expect_identical(names(Filter(function(form) form$across, forms)), c("another-order", "same-order"))
  expect_identical(names(Filter(function(form) form$reversed, forms)), "another-order")
})

test_that("a new form is one file and nothing else", {
  folder <- tempfile("forms")
  dir.create(folder)
  writeLines(c("#: {compares: ratios, parameters: {}}", "# A claim of the test."), file.path(folder, "made-up.R"))
  assign("form_made_up", function(contrasts, parameters) contrasts, envir = globalenv())
  on.exit(rm("form_made_up", envir = globalenv()))
  expect_named(claim_forms(folder), "made-up")
})

test_that("a form without header or function is refused", {
  folder <- tempfile("forms")
  dir.create(folder)
  writeLines("# nothing", file.path(folder, "headless.R"))
  expect_refusal(claim_forms(folder), "headless.R", "has no header")
  writeLines("#: {compares: ratios, parameters: {}}", file.path(folder, "headless.R"))
  expect_refusal(claim_forms(folder), "doesn't define form_headless")
})
