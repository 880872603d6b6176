levels <- c("AES", "Blowfish", "DES", "Triple-DES")
looked <- function(times, count = 5, cv = 0.01) {
  set.seed(21)
  cells <- four_ciphers()[, ns := times[factor.cipher]]
  made_up_forks(cells, count = count, cv = cv)[, `:=`(stage = 1L, looks = 4L, valid = TRUE)]
}
below_one <- function(one, two) {
  ratio_claim("ratio-below", list(limit = 1), ratios = list(list(
    numerator = list(cipher = one), denominator = list(cipher = two)
  )))
}
planned <- function(claims, forks, most = 40) {
  made <- resolved(forks, made_up_definitions(claims))
  claim_demands(judge_claims(forks, made$definitions, made$pairs), 4, 0.05, most, made$pairs)
}
times <- c(AES = 200, Blowfish = 1500, DES = 3000, "Triple-DES" = 3200)

test_that("a decided claim demands nothing, an undecided one its two cells in the same number of forks", {
  found <- planned(list(K1 = below_one("AES", "DES"), K2 = below_one("DES", "Triple-DES")), looked(times, cv = 0.03))
  expect_identical(
    found$states[, .(state, claims)], data.table(state = c("decided", "undecided"), claims = 1L)
  )
  expect_identical(nrow(found$demands), 2L)
  expect_match(found$demands$demand, "K2", all = TRUE)
  expect_identical(uniqueN(found$demands$forks), 1L)
  expect_gt(found$demands$forks[1], 3)
})

test_that("a claim that lies on its limit is given up, and so is one that the most forks would leave open", {
  even <- c(AES = 200, Blowfish = 1500, DES = 3000, "Triple-DES" = 3000)
  close <- planned(list(K1 = below_one("DES", "Triple-DES")), looked(even, count = 30, cv = 0.002))
  expect_identical(close$states[, .(state, why)], data.table(
    state = "given up", why = "too close to call"
  ))
  wide <- planned(list(K1 = below_one("DES", "Triple-DES")), looked(times, cv = 0.2), most = 5)
  expect_identical(wide$states$why, "too near to the limit")
  expect_identical(nrow(wide$demands), 0L)
})

test_that("a claim that was looked at as often as was planned is given up for that", {
  forks <- rbindlist(lapply(1:4, function(look) {
    looked(times, cv = 0.1)[, `:=`(stage = look, number = number + 5L * (look - 1L), round = paste0(look, round))]
  }))
  found <- planned(list(K1 = below_one("DES", "Triple-DES")), forks)
  expect_identical(found$states[, .(state, why)], data.table(
    state = "given up", why = "no look left"
  ))
})

test_that("where there are too few forks for a verdict the rest of them is wanted, but no fewer than make a test", {
  found <- planned(list(K1 = below_one("AES", "DES")), looked(times, count = 3))
  expect_identical(unique(found$demands$forks), 3L)
  # If time ran out after one fork of each cell or two, nothing is compared yet, and nothing is given up.
  for (count in 1:2) {
    found <- planned(list(K1 = below_one("AES", "DES")), looked(times, count = count))
    expect_identical(found$states[, .(state, why)], data.table(state = "undecided", why = "too few forks"))
    expect_identical(found$demands$forks, rep(verdict_forks, 2))
  }
})

test_that("of an order only those pairs are measured again that are still open", {
  claim <- ordered_claim("order", levels)
  found <- planned(list(K1 = claim), looked(times, cv = 0.03))
  expect_length(grep("^encrypt", found$demands$cell), 2)
  expect_identical(nrow(found$demands), 2L)
})

test_that("the size of a stage is that which its power was meant for", {
  n <- stage_size(0.05, 0.04, 0.5, 1, 2.3613, 40)
  need <- 2.3613 * sqrt(2) - 0.5
  set.seed(22)
  z <- replicate(4000, {
    one <- rnorm(n, 0.05, 0.04 / sqrt(2))
    two <- rnorm(n, 0, 0.04 / sqrt(2))
    t <- t.test(one, two, var.equal = TRUE)
    qnorm(pt(t$statistic, t$parameter))
  })
  expect_gt(mean(z >= need), 0.87)
  expect_lt(mean(z >= need), 0.95)
  expect_identical(stage_size(0.001, 0.04, 0.5, 1, 2.3613, 40), NA_integer_)
})

test_that("a verdict whose every run was disturbed demands the forks of a verdict again, in both of its cells", {
  claims <- list(K1 = below_one("AES", "DES"))
  forks <- looked(times)[, rerun_of := NA_real_]
  made <- resolved(forks, made_up_definitions(claims))
  broken <- copy(forks)[factor.cipher %in% c("AES", "DES"), `:=`(valid = FALSE, invalid_cause = "others_share")]
  found <- judge_claims(broken[valid == TRUE], made$definitions, made$pairs)
  expect_identical(found$verdicts[, c(verdict, cause)], c("undecided", "disturbed"))
  wanted <- claim_demands(found, 4, 0.05, 40, made$pairs)
  expect_identical(wanted$demands$forks, rep(verdict_forks, 2))
  rounds <- data.table(
    experiment = "kofahi2013", environment = "debian-12", round = unique(broken$round),
    busy_programs = "stress-ng (7) 98% of a CPU"
  )
  words <- list(gate = list(others_share = "by other programs"))
  told <- with_disturbers(copy(found$verdicts), made$pairs, broken, rounds, words)$reason
  expect_match(
    told, "every run was disturbed; 10 by other programs; busy beside them: stress-ng (7) 98% of a CPU", fixed = TRUE
  )
})
