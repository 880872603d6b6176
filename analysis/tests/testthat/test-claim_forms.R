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
  form <- c("#: {compares: ratios, parameters: {}}", "form_made_up <- function(contrasts, parameters) contrasts")
  folder <- made_up_plugins("made-up.R" = form)
  expect_named(forms_in(folder), "made-up")
})

test_that("a form without header or function is refused", {
  headless <- made_up_plugins("headless.R" = "form_headless <- function(contrasts, parameters) contrasts")
  expect_refusal(forms_in(headless), "headless.R", "has no header")
  empty <- made_up_plugins("empty.R" = "#: {compares: ratios, parameters: {}}")
  expect_refusal(forms_in(empty), "empty.R", "form_empty()")
})
