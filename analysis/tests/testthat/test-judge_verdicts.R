test_that("Holm: golden values", {
  rows <- data.table(p = c(0.01, 0.04, 0.03, 0.005), answer = "holds", verdict = "", unproven = FALSE)
  found <- adjust_holm(rows, 0.05)
  expect_equal(found$p_holm, c(0.03, 0.06, 0.06, 0.02))
  expect_identical(found$verdict, c("holds", "undecided", "undecided", "holds"))
})

test_that("claims without p are left as they are and don't count in Holm", {
  rows <- data.table(
    p = c(0.04, NA), answer = c("does-not-hold", NA), verdict = c("", "not-testable"), unproven = FALSE
  )
  found <- adjust_holm(rows, 0.05)
  expect_identical(found$verdict, c("does-not-hold", "not-testable"))
  expect_equal(found$p_holm, c(0.04, NA))
})

test_that("a claim holds when all contrasts are inside: the largest p, twice", {
  found <- combine_contrasts(c(0.001, 0.010, 0.002), c(0.999, 0.99, 0.998))
  expect_identical(found, list(p = 0.02, answer = "holds", decisive = 2L, alike = FALSE, tests = 2))
})

test_that("a claim does not hold when some contrast is outside: the least p times their number, twice", {
  found <- combine_contrasts(c(0.001, 0.999, 0.001), c(0.999, 0.001, 0.999))
  expect_equal(found$p, 2 * 3 * 0.001)
  expect_identical(found[-1], list(answer = "does-not-hold", decisive = 2L, alike = FALSE, tests = 6))
})

test_that("p never exceeds 1", {
  expect_equal(combine_contrasts(c(0.6, 0.5), c(0.6, 0.7))$p, 1)
})

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

# What is not comparable is shown with its estimate, outside Holm's correction.
set.seed(74)
forks <- made_up_forks(data.table(
  workload = "encrypt", factor.cipher = rep(c("AES", "DES"), 2), factor.size = rep(c("100 KB", "1 MB"), each = 2),
  ns = c(1000, 1300, 1000, 2000)
))
ratio <- list(
  form = "ratio-between", parameters = list(lower = 1.2, upper = 1.4), each = list("size"),
  ratios = list(list(numerator = list(cipher = "DES"), denominator = list(cipher = "AES")))
)
spare <- function(small, large) {
  forks[, .(
    experiment, environment, round, fork, measure = "spare", sd = NA_real_,
    value = fifelse(factor.size == "100 KB", small, large)
  )]
}
verdicts <- function(claim, observed = NULL) {
  judge_made_up(forks, made_up_definitions(list(P7 = claim)), observed)$verdicts
}

test_that("a variant that leaves out what the study's number was made of is not comparable, and says why", {
  found <- verdicts(c(ratio, list(not_comparable = list(list(where = list(size = "1 MB"), reason = "no work")))))
  expect_identical(found$verdict, c("holds", "not-comparable"))
  expect_match(found$reason[2], "^no work\\. Here: DES takes (1.9|2)[0-9.]* times as long as AES .*, interval 1.9")
  expect_equal(found$estimate[2], 2, tolerance = 0.02)
  expect_identical(is.na(found$p_holm), c(FALSE, TRUE))
  expect_equal(found$p_holm[1], found$p[1])
})

test_that("what the cells observed decides it, in either cell or in both", {
  asked <- function(cells, ...) c(ratio, list(comparable_if = list(measure = "spare", cells = cells, ...)))
  found <- verdicts(asked("any", below = 0.95), spare(0.5, 0.97))
  expect_identical(found$verdict, c("holds", "not-comparable"))
  expect_match(found$reason[2], "^spare is 0.97 and 0.97, not below 0.95 in either\\. Here: ")
  expect_identical(verdicts(asked("all", above = 0.95), spare(0.5, 0.97))$verdict, c("not-comparable", "other-size"))
  mixed <- spare(0.97, 0.97)[forks$factor.cipher == "AES", value := 0.5]
  expect_identical(verdicts(asked("any", below = 0.95), mixed)$verdict, c("holds", "other-size"))
  expect_identical(verdicts(asked("all", below = 0.95), mixed)$verdict, rep("not-comparable", 2))
  expect_identical(verdicts(asked("any", below = 0.95), NULL)$verdict, rep("not-comparable", 2))
})

test_that("a question is answered with its interval and judged by nothing", {
  open <- c(ratio[c("ratios", "each")], list(form = "estimate", parameters = list(), reason = "a question"))
  found <- verdicts(open)
  expect_identical(found$verdict, rep("not-comparable", 2))
  expect_match(found$reason[1], "^a question\\. Here: DES takes 1.[0-9]* times as long as AES \\(.*\\), interval 1.2")
  expect_equal(found$estimate, c(1.3, 2), tolerance = 0.02)
  expect_true(all(is.na(found$p)))
})

test_that("several measures are a conjunction: each must hold", {
  two <- c(ratio[c("form", "parameters", "each", "ratios")], list(measures = list("wall", "cpu")))
  expect_identical(verdicts(two)$verdict, c("holds", "other-size"))
  forks <- copy(forks)[factor.cipher == "DES" & factor.size == "100 KB", cpu_ns_per_op := 2 * cpu_ns_per_op]
  found <- judge_made_up(forks, made_up_definitions(list(P7 = two)))
  expect_identical(found$verdicts$verdict, c("other-size", "other-size"))
  expect_identical(unique(found$verdicts$measure), "wall;cpu")
  expect_setequal(found$contrasts$measure, c("wall", "cpu"))
})

test_that("a platform without the claim's clock is judged by another, and the verdict says by which", {
  places <- matrix_forks(c("debian-13-temurin-21", "wine-temurin-21"))
  places[environment == "wine-temurin-21", cpu_ns_per_op := NA]
  claims <- list(K1 = ordered_claim(
    "order", c("AES", "Blowfish"), measure = "cpu", measure_where = list(platform = "windows", measure = "wall")
  ))
  found <- matrix_judged(places, claims)$verdicts
  expect_identical(found[, paste(environment, measure, verdict)], c(
    "debian-13-temurin-21 cpu holds", "wine-temurin-21 wall holds"
  ))
  alone <- matrix_judged(places[environment == "debian-13-temurin-21"], claims)$verdicts
  expect_identical(alone$measure, "cpu")
})

# Sentences.
test_that("a contrast is one plain sentence", {
  contrast <- list(
    numerator = "AES", denominator = "Blowfish", ratio = 0.1204, measure = "cpu",
    scope = "encrypt, 100 KB, random, sunjce"
  )
  expect_identical(
    contrast_sentence(contrast), "AES takes 0.120 times the CPU time of Blowfish (encrypt, 100 KB, random, sunjce)"
  )
})

test_that("targets read well", {
  expect_identical(target_words(0, 0.05), "below 0.05")
  expect_identical(target_words(1, Inf), "above 1")
  expect_identical(target_words(500, 2000), "500 to 2000")
})
