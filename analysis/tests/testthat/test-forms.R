pairs <- CJ(numerator = 1:4, denominator = 1:4)[numerator != denominator]
entries <- data.table(item = 1:2)
#' The parameters that a form's header names, of alternatives the first, all of them with the same number.
made_up_parameters <- function(form, number) {
  header <- grep("^#: ", readLines(file.path(form_folder, paste0(form, ".R"))), value = TRUE)
  told <- yaml::read_yaml(text = sub("^#: ", "", header))
  wanted <- c(told$parameters, told$oneOf[1], if ("equals" %in% told$needs) list(equals = "number"))
  stats::setNames(rep(list(number), length(wanted)), names(wanted))
}
targets <- function(form, contrasts, parameters = list()) all_forms()[[form]]$targets(copy(contrasts), parameters)

test_that("slowest-of: the first against every other, above 1", {
  found <- targets("slowest-of", pairs)
  expect_identical(found$denominator, 2:4)
  expect_identical(unique(found[, .(target_lower, target_upper)]), data.table(target_lower = 1, target_upper = Inf))
})

test_that("order: neighbours, below 1", {
  found <- targets("order", pairs)
  expect_identical(found[, paste(numerator, denominator)], c("1 2", "2 3", "3 4"))
  expect_identical(unique(found$target_upper), 1)
})

test_that("ratio-about, -above and -below give every ratio its interval", {
  expect_identical(
    targets("ratio-about", entries, list(value = 1000, within = 2))[, c(target_lower, target_upper)],
    c(500, 500, 2000, 2000)
  )
  expect_identical(
    targets("ratio-above", entries, list(limit = 1.4))[, c(target_lower, target_upper)], c(1.4, 1.4, Inf, Inf)
  )
  expect_identical(
    targets("ratio-below", entries, list(limit = 0.05))[, c(target_lower, target_upper)], c(0, 0, 0.05, 0.05)
  )
})

test_that("same: every other level against the first, inside the margin", {
  found <- targets("same", pairs, list(within = 1.1))
  expect_identical(found[, paste(numerator, denominator)], c("2 1", "3 1", "4 1"))
  expect_equal(unique(found[, c(target_lower, target_upper)]), c(1 / 1.1, 1.1))
})

test_that("same-order: every pair once, without a target of its own", {
  found <- targets("same-order", pairs)
  expect_identical(nrow(found), 6L)
  expect_identical(unique(found[, .(target_lower, target_upper)]), data.table(target_lower = 0, target_upper = Inf))
})

test_that("linear: the exponent of every series, within the margin of 1", {
  found <- targets("linear", entries, list(margin = 0.05, deviation = 0.02))
  expect_equal(found[, c(target_lower, target_upper)], c(0.95, 0.95, 1.05, 1.05))
  fixed <- targets("linear", entries, list(intercept = 0.05, deviation = 0.02))
  expect_equal(fixed[, c(target_lower, target_upper)], c(-0.05, -0.05, 0.05, 0.05))
})

test_that("best-of: the first against every other, below 1", {
  found <- targets("best-of", pairs, list(alike = 1.05))
  expect_identical(found[, paste(numerator, denominator)], c("1 2", "1 3", "1 4"))
  expect_identical(unique(found[, c(target_lower, target_upper)]), c(0, 1))
})

test_that("ratio-between and difference-between have the ends they are given; open where none is", {
  expect_identical(targets("ratio-between", entries, list(lower = 1.2, upper = 1.4))$target_upper, c(1.4, 1.4))
  found <- targets("difference-between", entries[1], list(lower = 28))
  expect_identical(found[, c(target_lower, target_upper)], c(28, Inf))
})

test_that("calls have a limit on one side or none; every is one number; estimates have no target", {
  expect_identical(targets("calls", entries[1], list(below = 0.05))[, c(target_lower, target_upper)], c(0, 0.05))
  expect_identical(targets("calls", entries[1], list(above = 1))[, c(target_lower, target_upper)], c(1, Inf))
  expect_identical(targets("every", entries[1], list(equals = 30))[, c(target_lower, target_upper)], c(30, 30))
  expect_identical(targets("estimate", entries[1])[, c(target_lower, target_upper)], c(0, Inf))
})

test_that("every margin comes from the claim: a form's own targets are 0, 1 and Inf alone", {
  for (form in names(all_forms())) {
    contrasts <- if (all_forms()[[form]]$compares == "levels") pairs else entries
    ends <- lapply(c(7, 7.5), function(number) {
      found <- targets(form, contrasts, made_up_parameters(form, number))
      c(found$target_lower, found$target_upper)
    })
    own <- ends[[1]][ends[[1]] == ends[[2]]]
    expect_identical(setdiff(own, c(0, 1, Inf)), numeric(), info = form)
  }
})

test_that("not-testable needs no contrast", {
  expect_identical(nrow(targets("not-testable", entries)), 0L)
})
