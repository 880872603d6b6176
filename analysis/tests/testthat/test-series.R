set.seed(44)
sizes <- c("100 KB" = 102400, "1 MB" = 1048576, "10 MB" = 10485760)
linear_claim <- list(S1 = list(
  form = "linear", parameters = list(margin = 0.05, deviation = 0.05),
  compare = list(factor = "size", levels = as.list(names(sizes))), each = list("provider")
))
sized_definitions <- function() {
  definitions <- made_up_definitions(linear_claim)
  definitions$experiments[[1]]$factors$size <- lapply(sizes, function(bytes) list(bytes = bytes))
  definitions
}
sized_forks <- function(growth, levels = names(sizes), count = 10) {
  cells <- CJ(factor.cipher = c("AES", "DES"), factor.size = levels, sorted = FALSE)
  cells[, `:=`(workload = "encrypt", cell = paste(factor.cipher, factor.size), ns = growth(sizes[factor.size]))]
  made_up_forks(cells, count, cv = 0.005)
}
growth_verdict <- function(...) judge_made_up(sized_forks(...), sized_definitions())

test_that("linear growth with a cost per call holds, with the exponent and the series' ends", {
  found <- growth_verdict(function(n) 20000 + 3 * n)
  expect_identical(found$verdicts$verdict, "holds")
  expect_identical(nrow(found$contrasts), 2L)
  expect_equal(found$contrasts$ratio, c(1, 1), tolerance = 0.02)
  curve <- found$contrasts[1, intercept + slope * sizes^ratio]
  expect_equal(unname(curve), 20000 + 3 * unname(sizes), tolerance = 0.02)
  expect_identical(unique(found$contrasts[, .(numerator, denominator)]), data.table(
    numerator = "10 MB", denominator = "100 KB"
  ))
  expect_identical(found$contrasts$numerator_cell, c("AES 10 MB", "DES 10 MB"))
  expect_equal(unique(found$contrasts$target_upper), 1.05)
  expect_match(found$verdicts$reason, "^the time grows with the power (0.99|1.0)[0-9]* of the size")
  expect_match(found$verdicts$reason, "from 100 KB to 10 MB", fixed = TRUE)
  expect_match(found$verdicts$reason, "\\(encryption, [AD]ES, SunJCE\\)$")
  expect_identical(found$verdicts$forks_min, 10L)
  expect_match(found$verdicts$covers, "Triple-DES and Blowfish not in this tier")
})

test_that("growth faster than linear does not hold", {
  found <- growth_verdict(function(n) n^1.2)$verdicts
  expect_identical(found$verdict, "does-not-hold")
  expect_gt(found$lower, 1.05)
})

test_that("a tier without all sizes can't test it, and says which are missing", {
  found <- growth_verdict(function(n) n, levels = "100 KB")$verdicts
  expect_identical(found$verdict, "not-testable")
  expect_match(found$reason, "not measured here in this tier: 1 MB and 10 MB")
})

test_that("few forks give no verdict, and one fork no estimate", {
  expect_identical(growth_verdict(function(n) n, count = 4)$verdicts$verdict, "undecided")
  expect_identical(growth_verdict(function(n) n, count = 1)$verdicts$verdict, "undecided")
})

test_that("it is judged again like every other claim, but for the bootstrap, which is for ratios", {
  forks <- sized_forks(function(n) 3 * n)
  forks[, `:=`(wall_ns_per_op_unpaused = wall_ns_per_op, cpu_ns_per_op_unpaused = cpu_ns_per_op)]
  forks[, `:=`(valid = TRUE, rerun_of = NA_integer_)]
  found <- resolved(forks, sized_definitions())
  main <- judge_claims(forks, found$definitions, found$pairs)$verdicts
  expect_identical(sensitivity_table(forks, found$definitions, found$pairs, main)$changes, rep(FALSE, 4))
})

test_that("with more sizes than the curve has parameters, a curve that does not fit is not linear", {
  sized <- c("a" = 1000, "b" = 2000, "c" = 3000, "d" = 4000, "e" = 5000)
  row <- data.table(measure = "wall", scope = "", numerator = "e", denominator = "a")
  size <- rep(unname(sized), each = 6)
  noise <- exp(rnorm(30, 0, 0.002))
  parameters <- list(margin = 0.05, deviation = 0.02)
  straight <- series_estimate(row, size, 3 * size * noise, NULL, 6, parameters, 0.95)
  expect_lt(straight$p_support, 0.001)
  expect_match(straight$sentence, "the curve misses no size by more than 0")
  bent <- 3 * size * noise * ifelse(size == 3000, 1.2, 1)
  expect_identical(series_estimate(row, size, bent, NULL, 6, parameters, 0.95)$p_support, 1)
})
