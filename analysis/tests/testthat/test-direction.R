# Direction and size apart: which verdict a claim has where its ratio lies on the study's side of 1, or on the other.

ratio_claims <- function(...) {
  sides <- list(list(numerator = list(cipher = "DES"), denominator = list(cipher = "AES")))
  list(K = c(list(...), list(ratios = sides)))
}
verdict_at <- function(true_ratio, form, parameters, cv = 0.01) {
  set.seed(31)
  times <- 1000 * c(DES = true_ratio, "Triple-DES" = 9, AES = 1, Blowfish = 9)
  forks <- made_up_forks(four_ciphers()[, ns := times[factor.cipher]], cv = cv)
  judged(forks, ratio_claims(form = form, parameters = parameters))$verdicts
}
told <- function(...) unlist(verdict_at(...)[, .(verdict, direction, size)], use.names = FALSE)

test_that("about 10 times: the size, the direction alone, the opposite, and what lies at no side clearly", {
  about <- list(value = 10, within = 2)
  expect_identical(told(9, "ratio-about", about), c("holds", "same", "same"))
  expect_identical(told(2.5, "ratio-about", about), c("other-size", "same", "other"))
  expect_identical(told(50, "ratio-about", about), c("other-size", "same", "other"))
  expect_identical(told(0.5, "ratio-about", about), c("opposite", "opposite", "other"))
  expect_identical(told(1, "ratio-about", about), c("does-not-hold", "undecided", "other"))
})

test_that("a direction may be decided where the size is not", {
  expect_identical(told(5, "ratio-about", list(value = 10, within = 2), cv = 0.05), c("undecided", "same", "undecided"))
})

test_that("faster has a direction and no size; no difference has neither", {
  expect_identical(told(0.5, "ratio-below", list(limit = 1)), c("holds", "same", ""))
  expect_identical(told(2, "ratio-below", list(limit = 1)), c("opposite", "opposite", ""))
  expect_identical(told(1.5, "ratio-about", list(value = 1, within = 1.1)), c("does-not-hold", "", ""))
})

test_that("an order is opposite where all of its pairs are turned round, and does not hold where some are", {
  forks <- made_up_forks(four_ciphers())
  order_of <- function(...) judged(forks, list(K = ordered_claim("order", c(...))))$verdicts$verdict
  expect_identical(order_of("AES", "Blowfish", "DES"), "holds")
  expect_identical(order_of("DES", "Blowfish", "AES"), "opposite")
  expect_identical(order_of("AES", "DES", "Blowfish"), "does-not-hold")
})

test_that("direction and size are decided at Holm's level of their own family", {
  rows <- data.table(
    p = c(0.001, 0.03, 0.6), answer = "does-not-hold", p_same = c(0.0005, 0.02, 0.3), p_opposite = 1, sized = TRUE,
    unproven = FALSE, unproven_side = FALSE, verdict = "", family = "a"
  )
  found <- with_direction(adjust_holm(rows, 0.05), 0.05)
  expect_identical(found$verdict, c("other-size", "undecided", "undecided"))
  expect_identical(found$direction, c("same", "undecided", "undecided"))
  alone <- with_direction(adjust_holm(copy(rows)[, family := c("a", "b", "c")], 0.05), 0.05)
  expect_identical(alone$verdict, c("other-size", "other-size", "undecided"))
})

test_that("at most one limit of an interval's tests is wrong: false statements are rare, wherever the truth lies", {
  set.seed(33)
  for (truth in log(c(0.5, 1, 2, 5, 20, 40))) {
    n <- 4000L
    estimate <- truth + stats::rt(n, 9) * 0.2
    pairs <- with_sides(data.table(target_lower = rep(5, n), target_upper = 20), 1)
    target <- target_p_values(estimate, 0.2, 9, 5, 20)
    side <- target_p_values(estimate, 0.2, 9, pairs$side_lower, pairs$side_upper)
    rows <- data.table(
      p = pmin(1, 2 * pmin(target$p_support, target$p_refute)), p_same = side$p_support, p_opposite = side$p_refute,
      answer = fifelse(target$p_support <= target$p_refute, "holds", "does-not-hold"), sized = TRUE, verdict = "",
      unproven = FALSE, unproven_side = FALSE, family = as.character(seq_len(n))
    )
    found <- with_direction(adjust_holm(rows, 0.05), 0.05)
    ratio <- exp(truth)
    wrong <- (found$direction == "same" & ratio <= 1) | (found$direction == "opposite" & ratio >= 1) |
      (found$size == "same" & (ratio <= 5 | ratio >= 20)) | (found$size == "other" & ratio > 5 & ratio < 20)
    expect_lte(mean(wrong), 0.06)
  }
})

test_that("levels of an open factor with different verdicts make the claim not comparable; the reason names them", {
  both <- rbind(four_ciphers(), four_ciphers()[, `:=`(factor.size = "1 MB", ns = rev(ns))])
  forks <- made_up_forks(both)
  claim <- ordered_claim("best-of", c("AES", "DES"), agree_across = "size", parameters = list(alike = 1.05))
  found <- judged(forks, list(K = claim))$verdicts
  expect_identical(found$verdict, rep("not-comparable", 2))
  expect_match(found$reason, paste(
    "^the answer depends on the size, which the study does not state:",
    "holds for 100 KB; (does not hold|opposite direction) for 1 MB\\. Here: "
  ))
  one <- judged(forks[factor.size == "100 KB"], list(K = claim))$verdicts
  expect_identical(one$verdict[one$forks_min > 0], "holds")
})
