# "All alike" refutes a claim of best; a best that is best by more supports it.
best <- function() list(K1 = ordered_claim("best-of", c("AES", "DES", "Blowfish"), parameters = list(alike = 1.05)))
# Ten forks a cell whose logs lie evenly about the cell's own: no chance in what is far and what is near. In rounds of
# the cell's own, since paired they would differ by nothing at all.
even_forks <- function(cells, cv = 0.01) {
  forks <- made_up_forks(cells, cv = 0)
  forks[, round := paste(factor.cipher, round)]
  forks[, wall_ns_per_op := wall_ns_per_op * exp(cv * stats::qnorm(stats::ppoints(.N))), by = factor.cipher][]
}
near <- four_ciphers()[factor.cipher != "Triple-DES"][, ns := c(1005, 1000, 998)]

test_that("levels that are all alike refute it, by equivalence, and the reason says so", {
  found <- judged(even_forks(near), best())$verdicts
  expect_identical(found$verdict, "does-not-hold")
  expect_match(found$reason, "^all alike, within a factor of 1.05; the farthest apart: AES takes ")
})

test_that("the p value is twice the least, over both ways to refute, of twice the larger of the two one-sided tests", {
  forks <- even_forks(near)
  rows <- judged(forks, best())
  logs <- split(log(forks$wall_ns_per_op), forks$factor.cipher)
  inside <- vapply(c("DES", "Blowfish"), function(other) {
    max(
      stats::t.test(logs$AES, logs[[other]], mu = -log(1.05), alternative = "greater")$p.value,
      stats::t.test(logs$AES, logs[[other]], mu = log(1.05), alternative = "less")$p.value
    )
  }, 0)
  expect_equal(rows$verdicts$p, min(1, 2 * 2 * max(inside)))
})

test_that("one that is far off, or too few forks, make no equals; and a best that is best holds", {
  far <- copy(near)[factor.cipher == "Blowfish", ns := 2000]
  found <- judged(even_forks(far), best())$verdicts
  expect_identical(found$verdict, "undecided")
  expect_identical(judged(even_forks(near, cv = 0.05), best())$verdicts$verdict, "undecided")
  clear <- copy(near)[factor.cipher == "AES", ns := 900]
  expect_identical(judged(even_forks(clear), best())$verdicts$verdict, "holds")
  worse <- copy(near)[factor.cipher == "AES", ns := 1200]
  found <- judged(even_forks(worse), best())$verdicts
  expect_identical(found$verdict, "opposite")
  expect_no_match(found$reason, "all alike")
})

test_that("alike times of code that is not proven compiled refute nothing", {
  forks <- even_forks(near)[factor.cipher == "DES", `:=`(warm_up_state = "unproven", warm_up_why = "run is c1")]
  found <- judged(forks, best())$verdicts
  expect_identical(found$verdict, "undecided")
  expect_match(found$reason, "warm-up unproven \\(run is c1\\)")
})

test_that("slowest-of has it too, where it is given", {
  slowest <- ordered_claim("slowest-of", c("AES", "DES", "Blowfish"), parameters = list(alike = 1.05))
  expect_match(judged(even_forks(near), list(K3 = slowest))$verdicts$reason, "^all alike")
  slowest$parameters <- list()
  expect_identical(judged(even_forks(near), list(K3 = slowest))$verdicts$verdict, "undecided")
})

test_that("all alike in one setting refutes, at the price of the number of settings", {
  expect_equal(combine_contrasts(c(1, 1, 1, 1), c(1, 1, 1, 1), c(0.001, 0.002, 0.5, 0.6), c("a", "a", "b", "b")), list(
    p = 2 * 2 * 2 * 0.002, answer = "does-not-hold", decisive = 2L, alike = TRUE, tests = 8
  ))
})
