levels <- c("AES", "Blowfish", "DES", "Triple-DES")
recorded <- function(times, cv = 0.03) {
  set.seed(31)
  cells <- four_ciphers()[, ns := times[factor.cipher]]
  made_up_forks(cells, count = 8, cv = cv)[, `:=`(stage = 1L, looks = 1L, valid = TRUE, elapsed_ms = 2000)]
}
times <- c(AES = 200, Blowfish = 1500, DES = 3000, "Triple-DES" = 3060)
above_one <- function(one, two) {
  ratio_claim("ratio-above", list(limit = 1), ratios = list(list(
    numerator = list(cipher = one), denominator = list(cipher = two)
  )))
}
claims <- list(K1 = above_one("Blowfish", "AES"), K2 = above_one("Triple-DES", "DES"))
definitions <- function() made_up_definitions(claims)

test_that("a pool gives as many forks of each cell as are wanted, each in a round of its own", {
  draw <- fork_pool(recorded(times))
  first <- draw(5L)
  expect_identical(unique(first[, .N, by = cell]$N), 5L)
  wanted <- unique(first[factor.cipher == "DES", .(experiment, environment, protocol, cell)])[, forks := 30L]
  second <- draw(wanted)
  expect_identical(nrow(second), 30L * nrow(wanted))
  expect_length(intersect(first$round, second$round), 0)
})

test_that("forks that are unproven are in no pool", {
  forks <- recorded(times)[factor.cipher == "AES", warm_up_state := "unproven"]
  expect_false("AES" %in% fork_pool(forks)(5L)$factor.cipher)
})

test_that("stages give more forks to the claim that is open, and to it alone", {
  set.seed(32)
  found <- resolved(recorded(times), definitions())
  run <- staged_run(fork_pool(recorded(times)), found$definitions, found$pairs, most = 200L)
  expect_gt(run$stages, 1)
  expect_setequal(run$forks[stage > 1, factor.cipher], c("DES", "Triple-DES"))
  expect_identical(run$verdicts[claim == "K1", verdict], "holds")
})

test_that("a first stage that is too small for any comparison demands more forks of both cells", {
  set.seed(33)
  found <- resolved(recorded(times), definitions())
  run <- staged_run(fork_pool(recorded(times)), found$definitions, found$pairs, first = 2L, looks = 2L)
  expect_identical(run$forks[, .N, by = .(cell, stage)][stage == 2L, unique(N)], verdict_forks)
})

test_that("what equal forks take for as many verdicts lies between the plans that decide fewer and more", {
  table <- data.table(
    plan = c("stages", "5", "10", "20"), fork_s = c(100, 100, 200, 400), decided = c(6, 4, 5, 7)
  )
  expect_equal(seconds_for_as_many(table), sqrt(200 * 400))
  expect_identical(seconds_for_as_many(table[plan %in% c("stages", "5")]), Inf)
  expect_equal(seconds_for_as_many(copy(table)[plan == "stages", decided := 3]), 100)
})
