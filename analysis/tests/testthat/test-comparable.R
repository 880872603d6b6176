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
