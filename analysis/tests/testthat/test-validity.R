test_that("chunks of simulations are the same for any number of cores", {
  counts <- function(cores) simulate_chunks(5, 1, cores, function(count) stats::rnorm(count), size = 2L)
  expect_identical(lengths(counts(1L)), c(2L, 2L, 1L))
  expect_identical(counts(1L), counts(2L))
})

test_that("a property draws nothing outside of its chunks", {
  # Whole runs and combined stages take most of the time, and draw as the others do.
  quick <- c("coverage", "differences", "verdicts", "rounds", "drift", "machines", "steps")
  for (property in validity_properties()[quick]) {
    set.seed(1)
    first <- property(2, 1, 1L)
    set.seed(2)
    expect_identical(property(2, 1, 1L), first)
  }
})

test_that("the table has every property", {
  said <- character()
  one <- validity_table(validity_properties(), 2, 1, 1L, function(line) said <<- c(said, line))
  expect_named(one, c("property", "setting", "bar", "measured_pct", "simulations", "met"))
  expect_identical(one[, .N, keyby = bar]["94 to 96 %", N], 16L)
  wanted <- c(
    "mean's", "ratio's", "negative control", "A/A pairs", "effect of 2 %", "Stein", "wrong verdict",
    "repeated interval", "Holm over repeated p", "drifts by 2 %", "rounds make",
    "interval over machines", "prediction of one more machine", "order of steps in cold JVMs"
  )
  for (part in wanted) expect_true(any(grepl(part, one$property)), info = part)
  expect_length(said, nrow(one))
})

test_that("a bar is met up to its ends, and a row without one is only shown", {
  met <- function(hits, ...) validity_row("p", "s", hits, 100, ...)$met
  expect_true(met(94, least = 94, most = 96) && met(96, least = 94, most = 96))
  expect_false(met(93, least = 94, most = 96) || met(97, least = 94, most = 96))
  expect_true(met(69, most = 70, below = TRUE))
  expect_false(met(70, most = 70, below = TRUE))
  expect_identical(met(50), NA)
})

test_that("simulated reports are judged as judge_claims judges them", {
  set.seed(5)
  claims <- mixed_claims()
  names(claims) <- sprintf("C%02d", seq_along(claims))
  truth <- level_truths(claims)
  forks <- report_forks(1, truth)
  definitions <- report_definitions(claims)
  pairs <- report_pairs(claims, unique(forks$environment))
  short <- judged_reports(forks, definitions, pairs)
  whole <- judge_claims(forks, definitions, pairs)$verdicts
  expect_identical(length(claims), 24L)
  expect_identical(short$claim, whole$claim)
  expect_equal(short$p, whole$p)
  expect_identical(short$verdict, whole$verdict)
})

# The number of forks that a claim needs.
test_that("the table by which the full tier is planned is what a simulation gives", {
  planned <- fread(file.path(analysis_dir, "forks_needed.csv"))
  again <- forks_table(20000, 1)
  expect_identical(planned$forks, again$forks)
  expect_equal(planned$distance, again$distance, tolerance = 0.02)
})

test_that("fewer forks decide what is further from its limit", {
  expect_true(all(diff(forks_table(5000, 2)$distance) < 0))
})
