# A claim counts once, whatever its variants and wherever they were measured.

row <- function(verdict, variant = "", environment = "e", claim = "K1", protocol = "steady-state", ...) {
  defaults <- list(
    experiment = "x", claim = claim, variant = variant, environment = environment, protocol = protocol,
    verdict = verdict, direction = "", size = "", cause = "", reason = "why",
    estimate = 1, lower = 0.9, upper = 1.1, p = 0.01, verdict_id = "v1"
  )
  as.data.table(utils::modifyList(defaults, list(...)))
}
claims <- data.table(
  experiment = "x", claim = c("K1", "K2"), text = "t", place = "p", form = "order", published = "2", published_value = 2
)
definitions <- list(experiments = list(list(id = "x", study = list(id = "s"))))
summary_of <- function(...) claim_summary(claims, rbind(...), definitions)

test_that("a claim with all variants alike has their verdict, and a row for each protocol", {
  found <- summary_of(
    row("holds", "a=1"), row("holds", "a=2"), row("opposite", "a=1", protocol = "as-published"),
    row("undecided", claim = "K2")
  )
  expect_identical(found[, .(study, claim, protocol, verdict, variants)], data.table(
    study = "s", claim = c("K1", "K1", "K2"), protocol = c("steady-state", "as-published", "steady-state"),
    verdict = c("holds", "opposite", "undecided"), variants = c(2, 1, 1)
  ))
  expect_identical(found$holds, c(2, 0, 0))
})

test_that("environments of a variant are no variants", {
  found <- summary_of(row("holds", environment = "e"), row("holds", environment = "f"))
  expect_identical(found[, c(variants, holds)], c(1, 1))
})

test_that("variants that were decided differently differ; undecided ones do not count while half are decided", {
  expect_identical(summary_of(row("holds", "a=1"), row("opposite", "a=2"))$verdict, "differs")
  mostly <- summary_of(row("holds", "a=1"), row("holds", "a=2"), row("undecided", "a=3", cause = "too wide"))
  expect_identical(mostly$verdict, "holds")
  expect_match(mostly$reason, "^holds for 2 of 3 variants and undecided for 1; why$")
  rarely <- summary_of(row("holds", "a=1"), row("undecided", "a=2"), row("undecided", "a=3"))
  expect_identical(rarely$verdict, "undecided")
})

test_that("the range of a claim's estimates is that of all its variants", {
  found <- summary_of(row("other-size", "a=1", estimate = 18), row("other-size", "a=2", estimate = 61))
  expect_identical(found[, c(estimate_least, estimate_most)], c(18, 61))
})

test_that("departures are the choices that say what the study did, each once in a study", {
  departure <- list(study = "a Pentium", here = "this machine", effect = "faster")
  two <- list(experiments = list(
    list(id = "x", study = list(id = "s"), choices = list("a text", departure)),
    list(id = "y", study = list(id = "s"), choices = list(departure))
  ))
  expect_identical(as.list(departures_table(two)), list(
    study = "s", experiment = "x", then = "a Pentium", here = "this machine", effect = "faster"
  ))
})
