offers <- data.table(
  experiment = "e", environment = "v", round = rep(c("r1", "r2"), each = 4), fork = rep(1:4, 2),
  cell = rep(c("a", "b", "c", "d"), 2), provider = rep(c("new", "new", "old", "old"), 2),
  offered = rep(c("yes", "no", "wrong", "differs"), 2), why = rep(c("", "none", "differs at byte 0", "other"), 2)
)

test_that("a disagreement is told once, with its cells and the words of the first", {
  found <- offer_notes(offers)
  expect_identical(found$where, c("e/v", "e/v"))
  expect_match(found$message[1], "^old: 2 cells not timed.*c.*d.*differs at byte 0$")
  expect_match(found$message[2], "^new does not offer 1 of the 2 cells")
})

test_that("where every provider offers all there is nothing to say", {
  expect_identical(nrow(offer_notes(offers[offered == "yes"])), 0L)
  expect_identical(nrow(offer_notes(offers[0])), 0L)
})
