part_of <- function(data, which = "P1") data$verdicts[claim == which & variant == variant[1]]
protocols <- c("as-published", "steady-state")

test_that("verdicts alike and ratios apart: both are said, with the ratio that differs most", {
  data <- report_example()
  data$verdicts[, verdict := "refuted"]
  data$contrasts[protocol == "steady-state", `:=`(ratio = 800, lower = 780, upper = 820)]
  data$contrasts[protocol == "steady-state" & environment == "a-17", `:=`(ratio = 600, lower = 590, upper = 610)]
  said <- protocol_sentence(data, part_of(data), protocols)
  expect_match(said, "makes no difference to the verdict in both environments", fixed = TRUE)
  expect_match(said, "The intervals of 2 of 2 ratios lie apart", fixed = TRUE)
  expect_match(said, "(sunjce) in B, JDK 21: as-published 400 [390, 410], steady-state 800 [780, 820].", fixed = TRUE)
})

test_that("ratios whose intervals overlap are no difference", {
  data <- report_example()
  expect_identical(ratio_sentence(data, part_of(data), protocols), "")
  expect_match(protocol_sentence(data, part_of(data), protocols), "as-published supported, steady-state refuted")
})

test_that("a study with one protocol has no sentence", {
  data <- report_example()
  expect_identical(protocol_sentence(data, part_of(data), "steady-state"), "")
})

test_that("a claim on several measures of a cell holds each against its own", {
  data <- report_example()
  data$contrasts[, measure := "wall"]
  other <- function(name, by) copy(data$contrasts)[, `:=`(measure = name, ratio = ratio * by, lower = lower * by)]
  data$contrasts <- rbind(data$contrasts, other("part.one", 2), other("part.two", 3))
  pairs <- protocol_ratios(data, part_of(data), protocols)
  expect_identical(nrow(pairs), 6L)
  expect_true(all(pairs$ratio.one == pairs$ratio.two))
})
