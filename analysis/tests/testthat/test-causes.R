# Every undecided verdict has its cause, and says how many forks a cell would change it.

set.seed(12)
faster <- function(levels = c("AES", "DES"), limit = 1, ...) {
  ratio_claim("ratio-below", list(limit = limit), ratios = list(list(
    numerator = list(cipher = levels[1]), denominator = list(cipher = levels[2])
  )), ...)
}
times <- function(aes, des, ...) {
  made_up_forks(data.table(
    workload = "encrypt", factor.cipher = c("AES", "DES"), factor.size = "100 KB", ns = c(aes, des)
  ), ...)
}
one <- function(forks, claim = faster()) judged(forks, list(K1 = claim))$verdicts

#' Forks whose logs have exactly this mean and standard deviation.
exact_forks <- function(ratio, sd, count) {
  forks <- times(1, 1, count)
  around <- function(n) c(scale(stats::rnorm(n))) * sd
  forks[, wall_ns_per_op := 1000 * exp(around(.N)) * ratio^(factor.cipher == "AES"), by = factor.cipher][]
}

test_that("a verdict that is there has no cause", {
  found <- one(times(1000, 2000))
  expect_identical(c(found$verdict, found$cause), c("holds", ""))
  expect_identical(found$forks_needed, NA_real_)
})

test_that("warm-up unproven comes first, and no number of forks settles", {
  found <- one(times(1000, 2000)[factor.cipher == "AES", warm_up_state := "unproven"])
  expect_identical(c(found$verdict, found$cause), c("undecided", "warm-up unproven"))
  expect_identical(found$forks_needed, NA_real_)
  expect_match(found$reason, "; warm-up unproven: times wrong by a factor of [0-9.]+ would turn it$")
  few <- one(times(1000, 2000, count = 3)[factor.cipher == "AES", warm_up_state := "unproven"])
  expect_identical(few$cause, "warm-up unproven")
  expect_match(few$reason, "^3 forks; a verdict needs 5.*; warm-up unproven")
})

test_that("fewer than 5 forks are too few, and 5 are needed", {
  found <- one(times(1000, 2000, count = 4))
  expect_identical(c(found$verdict, found$cause), c("undecided", "too few forks"))
  expect_identical(found$forks_needed, 5)
})

test_that("what is clear alone is lost to Holm among many, and told what Holm would need", {
  forks <- exact_forks(0.97, 0.03, 6)
  alone <- one(exact_forks(0.96, 0.03, 6))
  expect_identical(alone$verdict, "holds")
  claims <- stats::setNames(lapply(1:40, function(i) faster()), sprintf("K%d", 1:40))
  many <- judged(exact_forks(0.96, 0.03, 6), claims)$verdicts
  expect_true(all(many$p <= 0.05))
  expect_identical(unique(many$cause), "lost to Holm")
  expect_true(all(many$forks_needed > 6))
  expect_match(many$reason, paste(
    "; significant alone, but not after Holm's correction over the study's verdicts under the protocol:",
    "it would take about [0-9]+ "
  ))
})

test_that("an interval within 2 % of the limit on both sides is too close to call", {
  found <- one(exact_forks(1.002, 0.01, 12))
  expect_true(found$lower > 1 / 1.02 && found$upper < 1.02)
  expect_identical(c(found$verdict, found$cause), c("undecided", "too close to call"))
  expect_identical(found$forks_needed, NA_real_)
  elsewhere <- one(exact_forks(2.004, 0.01, 12), faster(limit = 2))
  expect_identical(elsewhere$cause, "too close to call")
})

test_that("a wide interval says how many forks decide it, and that many do", {
  found <- one(exact_forks(0.9, 0.2, 6))
  expect_identical(c(found$verdict, found$cause), c("undecided", "too wide"))
  # One contrast, one claim: level 2.5 % on either side, Welch's df of equal spreads is 2 (n - 1).
  expect_equal(found$forks_needed, ceiling(((qt(0.975, 10) + qt(0.9, 10)) * 0.2 * sqrt(2) / -log(0.9))^2))
  expect_match(found$reason, sprintf("; too wide an interval: it would take about %d forks", found$forks_needed))
  expect_identical(one(exact_forks(0.9, 0.2, found$forks_needed))$verdict, "holds")
  expect_identical(one(exact_forks(0.9, 0.2, ceiling(found$forks_needed / 5)))$cause, "too wide")
})

test_that("near the limit fewer forks show that it is too close than would decide it", {
  expect_equal(deciding_forks(0.001, 0.1, 10, log(1.02), 0.025), (qt(0.975, 10) * 0.1 / (log(1.02) - 0.001))^2)
  expect_equal(deciding_forks(0.1, 0.1, 10, log(1.02), 0.025), (qt(0.975, 10) + qt(0.9, 10))^2)
  expect_identical(deciding_forks(0, 0.1, 10, NA_real_, 0.025), Inf)
  near <- one(exact_forks(1.001, 0.1, 6))
  expect_identical(near$cause, "too wide")
  expect_identical(one(exact_forks(1.001, 0.1, near$forks_needed))$cause, "too close to call")
})

test_that("an order, a difference and an end of two limits have their own nearest limit", {
  row <- list(ratio = 1.1, log_ratio = log(1.1), lower = 1.0, upper = 1.2, spread = 0.2, df = 9, ratio_scale = TRUE)
  expect_equal(limit_position(row, 0, Inf)$gap, log(1.1))
  expect_equal(limit_position(row, 0.8, 1.25)$gap, log(1.25 / 1.1))
  difference <- list(ratio = 3, log_ratio = 3, lower = -1, upper = 7, spread = 4, df = 9, ratio_scale = FALSE)
  found <- limit_position(difference, 0, Inf)
  expect_identical(found[c("gap", "reach", "close")], list(gap = 3, reach = NA_real_, close = FALSE))
})

test_that("a curve that does not fit is told as that", {
  row <- data.table(
    verdict = "undecided", unproven = FALSE, p = 0.6, p_holm = 0.6, misfit = TRUE, close = FALSE, gap = 0.1,
    spread = 0.1, df = 9, reach = 0.02, tests = 2, forks_min = 6
  )
  found <- with_causes(row, 0.05)
  expect_identical(found$cause, "curve does not fit")
  expect_match(undecided_words(found), "does not fit")
})

test_that("what is not proven compiled has a factor that would turn it only where there is something to turn", {
  row <- function(tipping_factor) {
    data.table(cause = "warm-up unproven", tipping_factor = tipping_factor, forks_needed = NA_real_)
  }
  expect_identical(undecided_words(row(1.5)), "warm-up unproven: times wrong by a factor of 1.5 would turn it")
  expect_identical(undecided_words(row(1.002)), "warm-up unproven: times wrong by less than 1 % would turn it")
  expect_identical(undecided_words(row(1)), "warm-up unproven")
})
