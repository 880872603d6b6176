rounds <- data.table(
  experiment = "e", environment = c("v", "v", "w"), image_id = c("a", "b", "a"), machine_id = "m", jar_sha256 = "0",
  tier = "quick"
)
quiet <- list(
  rounds = rounds[3], cells = data.table(experiment = "e", environment = "v", measure = "wall", forks = 5L),
  forks = data.table(experiment = "e", environment = "v", steady = c("flat", "warm-up"), cpu_ns_per_op = 1),
  definitions = list(experiments = list()), published = data.table(
    study = character(), quantity = character(), value = numeric()
  )
)
notes <- function(...) {
  inputs <- quiet
  inputs[...names()] <- list(...)
  do.call(data_notes, inputs)
}

test_that("data without anything to say gives an empty table with its columns", {
  expect_identical(names(notes()), c("level", "where", "message"))
  expect_identical(nrow(notes()), 0L)
})

test_that("several image ids of one environment are a warning, not an error", {
  found <- notes(rounds = rounds)
  expect_identical(found$where, "e/v")
  expect_match(found$message, "^2 image ids")
})

test_that("another machine's rounds are told, with the environments that they are", {
  kit <- copy(rounds[3])[, `:=`(environment = "kit-ab", machine_id = "ab")]
  found <- notes(rounds = rbind(rounds[3][rep(1, 3)], kit))
  expect_identical(found$where, "e, machine ab")
  expect_match(found$message, "^kit-ab measured on another machine")
})

test_that("few forks, no steady state and missing CPU time are told", {
  expect_match(
    notes(cells = copy(quiet$cells)[, forks := 2L])$message, "1 cell has fewer than 5 forks (the fewest 2)",
    fixed = TRUE
  )
  expect_match(
    notes(forks = copy(quiet$forks)[1, steady := "no steady state"])$message, "1 of 2 forks reached no steady state"
  )
  expect_match(notes(forks = copy(quiet$forks)[1, cpu_ns_per_op := NA])$message, "1 forks have no CPU time")
})

test_that("a study whose own table contradicts its claim is pointed out; one that agrees isn't", {
  claim <- function(value) {
    list(
      form = "ratio-about", parameters = list(value = value, within = 2), ratios = list(list(
        numerator = list(workload = "rsa-encrypt"), denominator = list(workload = "des-encrypt")
      )),
      published = list(table = list(numerator = "rsa-encrypt", denominator = "des-encrypt"))
    )
  }
  claims <- list(P1 = claim(1000), P0 = claim(300))
  definitions <- list(experiments = list(list(id = "phenry2014", measure = "wall", claims = claims)))
  published <- data.table(
    study = "phenry2014", quantity = c("rsa-encrypt", "des-encrypt"), value = c(203438.819, 731.335)
  )
  decided <- resolved(made_up_forks(four_ciphers(), 1)[0], definitions)$definitions
  found <- notes(definitions = decided, published = published)
  expect_identical(found$where, "phenry2014 P1")
  expect_match(found$message, "the study's own table gives 278 for .*, the claim wants 500 to 2000")
})

test_that("cells that did not reach their wanted width are counted, with the widest", {
  cells <- data.table(
    experiment = "e", environment = "v", measure = "wall", forks = 10L, half_width_pct = c(1, 2.5, 3.14, 9),
    wanted_half_width_pct = c(2, 2, 2, NA), reached = c("yes", "no", "no", "")
  )
  expect_match(notes(cells = cells)$message, "^2 of 3 cells did not reach .*; the widest has 3.1 %$")
  expect_identical(nrow(notes(cells = cells[c(1, 4)])), 0L)
})

test_that("of planned forks without a steady state it is told that their plan's window is used", {
  planned <- copy(quiet$forks)[, planned := c(TRUE, FALSE)][, steady := "no steady state"]
  expect_match(notes(forks = planned)$message[1], "1 of 1 forks .*; the window that was planned is used")
  expect_match(notes(forks = planned)$message[2], "1 of 1 forks .*; the iterations after the recorded warm-up .* half$")
})

test_that("what the run's minutes had no room for is told with numbers", {
  part <- list(experiment = "e", environment = "v", cells = 24L, none = 12L, fewer = 0L)
  definitions <- list(
    experiments = list(), settings = list(minutes = 9),
    left_out = list(part, modifyList(part, list(environment = "w", none = 0L, fewer = 3L)))
  )
  found <- notes(definitions = definitions)
  expect_identical(found$where, c("e/v", "e/w"))
  expect_match(found$message[1], "^the 9 minutes of measuring had no room for 12 of 24 cells")
  expect_match(found$message[2], "no room for 0 of 24 cells, and 3 have fewer forks than the tier gives them")
})

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
