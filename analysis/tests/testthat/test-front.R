# The first page's line of a study.
front_of <- function(data) {
  entry <- list(
    id = "phenry2014", experiments = list("phenry2014"), protocols = list("as-published", "steady-state"), rows = list(
      list(quantity = "other", then = "1", now = list(list(), list()), claims = "P5"),
      list(quantity = "mine", then = "1000 times", now = list(list(list(number = "400")), list()), claims = "P1, P3")
    )
  )
  data$layout$studies <- data.table(study = "phenry2014", question = "How much?", headline = "other;mine")
  front_entry(data, entry, claim_verdict_rows(data), quoted_verdicts(data))
}

test_that("a study's headline is the first of its numbers that was measured, its question that of the layout", {
  front <- front_of(report_example())
  expect_identical(c(front$question, front$quantity, front$then), c("How much?", "mine", "1000 times"))
  expect_identical(lengths(front$now), c(1L, 0L))
})

test_that("the lesson is of the claim that the protocol turns, else of one that fails, holds, or of none", {
  data <- report_example()
  lesson <- function(verdicts) {
    data$verdicts[, verdict := verdicts[1 + (protocol == "steady-state")]]
    front_of(data)$lesson
  }
  claim <- "\u201cRSA costs about 1000 times a DES encryption\u201d"
  expect_identical(lesson(c("supported", "refuted")), paste("Depends on the protocol (P1):", claim))
  expect_identical(lesson(c("undecided", "refuted")), paste("Does not hold (P1):", claim))
  expect_identical(lesson(c("supported", "undecided")), paste("Holds (P1):", claim))
  expect_identical(lesson(c("undecided", "undecided")), "Nothing is decided yet.")
  expect_identical(lesson(c("not comparable", "not comparable")), "Nothing of it could be judged in this run.")
})

test_that("how sure: the decided ones of those that could be judged, and why the others are open", {
  data <- report_example()
  data$verdicts[protocol == "steady-state", `:=`(verdict = "undecided", cause = "too wide")]
  strip <- front_of(data)$strip
  expect_identical(vapply(strip, `[[`, "", "protocol"), c("as-published", "steady-state"))
  expect_identical(vapply(strip, `[[`, "", "sure"), c("1 of 1 decided", "0 of 1 decided; open: too wide"))
})

test_that("a run's width is that of its middle cell", {
  data <- report_example()
  data$cells <- data$cells[c(1:3, 1:3)][, `:=`(
    protocol = "steady-state", measure = rep(c("wall", "cpu"), each = 3), half_width_pct = c(1, 2, 9, 50, 60, 70)
  )]
  expect_match(width_words(data), "\u00b12.0 % (steady-state, 3 intervals)", fixed = TRUE)
  expect_match(width_words(replace(data, "cells", list(data$cells[0]))), "No cell has an interval")
})
