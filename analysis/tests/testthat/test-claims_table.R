# A study's own numbers, put through the encoding of its claims. bench/tests/test_own_numbers.py does it for the
# experiment files.
published <- published_values(published_folder)

claim <- function(form, parameters, published, ...) {
  list(text = "t", place = "p", form = form, parameters = parameters, published = published, ...)
}
no_cells <- made_up_forks(four_ciphers(), 1)[0]
own <- function(claim, rows = published) {
  made <- list(id = "ibm-jsse", measure = "wall", study = list(id = "ibm-jsse"), claims = list(I1 = claim))
  claims_table(resolved(no_cells, list(experiments = list(made)))$definitions, rows)
}
ratio <- list(list(numerator = list(a = "b"), denominator = list(a = "c")))

test_that("an encoding that asks for another quantity is found: half the utilisation is no quarter", {
  half <- list(quantity = "server CPU saved by caching, software", reading = "less")
  about <- function(value) own(claim("ratio-about", list(value = value, within = 1.25), half, ratios = ratio))
  expect_identical(about(0.5)$own_verdict, "holds")
  expect_identical(about(0.25)$own_verdict, "other-size")
})

test_that("a number on the limit is inside, one beyond is not", {
  more <- list(quantity = "client CPU added by client authentication, software", reading = "add")
  at <- own(claim("ratio-above", list(limit = 1.4), more, ratios = ratio))
  expect_identical(c(at$own, at$own_verdict, at$own_said), c("1.4", "holds", "at least"))
  expect_identical(own(claim("ratio-above", list(limit = 1.41), more, ratios = ratio))$own_verdict, "other-size")
})

test_that("directions and orders are held against the target's side", {
  above <- list(words = "far", direction = "above")
  expect_identical(own(claim("ratio-above", list(limit = 10), above, ratios = ratio))$own_verdict, "holds")
  expect_identical(own(claim("ratio-below", list(limit = 10), above, ratios = ratio))$own_verdict, "does-not-hold")
  levels <- list(factor = "f", levels = list("a", "b", "c"))
  first <- list(order = list("a"))
  best <- own(claim("best-of", list(alike = 1.05), first, compare = levels))
  expect_identical(best[, c(own_verdict, target)], c("holds", "below 1; does not hold where all are alike within 1.05"))
  expect_identical(own(claim("slowest-of", list(), first, compare = levels))$own_verdict, "opposite")
  whole <- list(order = list("a", "c", "b"))
  expect_identical(own(claim("order", list(), whole, compare = levels))$own_verdict, "does-not-hold")
  last <- claim("slowest-of", list(), list(order = list("c", "b", "a")), compare = levels)
  expect_identical(own(last)$own_verdict, "holds")
})

test_that("points are points, shares shares; what has no number has no verdict", {
  points <- list(quantity = "server CPU saved by hardware, uncached", reading = "value")
  between <- claim("difference-between", list(lower = 24, upper = 40, points = 100), points, ratios = ratio)
  expect_identical(own(between)[, c(unit, own_verdict, target)], c("percentage points", "holds", "24 to 40"))
  between$parameters$upper <- NULL
  expect_identical(own(between)$target, "above 24")
  none <- own(claim("ratio-above", list(limit = 1), NULL, ratios = ratio))
  expect_identical(none[, c(own_verdict, expected)], c("", ""))
})

test_that("a quantity that data/published lacks is refused", {
  expect_refusal(
    own(claim("ratio-above", list(limit = 1), list(quantity = "no such", reading = "value"), ratios = ratio)),
    "no such", "ibm-jsse I1"
  )
})
