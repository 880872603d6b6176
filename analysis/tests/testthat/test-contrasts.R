set.seed(4)
forks <- made_up_forks(four_ciphers(), 6, cv = 0.02)
pair <- function(one, two) {
  data.table(
    experiment = "kofahi2013", machine_id = "m1", protocol = "modern", measure = "wall",
    numerator_environment = "debian-12", numerator_image_id = "sha256:aa", numerator_cell = one,
    denominator_environment = "debian-12", denominator_image_id = "sha256:aa", denominator_cell = two,
    target_lower = 0, target_upper = 1
  )
}
logs <- function(cell_id) log(forks[cell == cell_id, wall_ns_per_op])

test_that("below 8 common rounds a contrast is Welch on log fork means", {
  found <- estimate_pairs(pair("encrypt.1", "encrypt.2"), forks_by_measure(forks))
  welch <- t.test(logs("encrypt.1"), logs("encrypt.2"))
  expect_equal(found$log_ratio, unname(diff(rev(welch$estimate))))
  expect_equal(log(c(found$lower, found$upper)), as.numeric(welch$conf.int))
  expect_equal(found$df, unname(welch$parameter))
  expect_identical(c(found$welch_lower, found$welch_upper), c(found$lower, found$upper))
  expect_equal(found$spread, sqrt(var(logs("encrypt.1")) + var(logs("encrypt.2"))))
  expect_identical(found$method, "Welch")
  expect_identical(found$blocks, 6L)
  expect_identical(found$forks_min, 6L)
})

more <- made_up_forks(four_ciphers(), 8, cv = 0.02)
more[, wall_ns_per_op := wall_ns_per_op * exp(rnorm(8, 0, 0.05))[number]]
logs_of <- function(table, cell_id) log(table[cell == cell_id, wall_ns_per_op])

test_that("from 8 common rounds on it is paired by rounds, with Welch's interval beside it", {
  found <- estimate_pairs(pair("encrypt.1", "encrypt.2"), forks_by_measure(more))
  one <- logs_of(more, "encrypt.1")
  two <- logs_of(more, "encrypt.2")
  reference <- t.test(one, two, paired = TRUE)
  expect_identical(found$method, "paired")
  expect_equal(log(c(found$lower, found$upper)), as.numeric(reference$conf.int))
  expect_equal(found$p_support, t.test(one, two, paired = TRUE, alternative = "less")$p.value)
  expect_equal(log(c(found$welch_lower, found$welch_upper)), as.numeric(t.test(one, two)$conf.int))
  expect_lt(found$upper / found$lower, found$welch_upper / found$welch_lower)
  unpaired <- estimate_pairs(pair("encrypt.1", "encrypt.2"), forks_by_measure(more), paired = FALSE)
  expect_identical(c(unpaired$method, unpaired$lower), c("Welch", found$welch_lower))
})

test_that("two cells of other rounds each, or of one fork fewer in common, are not paired", {
  apart <- copy(more)[cell == "encrypt.1", round := paste0("s", number)]
  found <- estimate_pairs(pair("encrypt.1", "encrypt.2"), forks_by_measure(apart))
  expect_identical(c(found$method, found$blocks), c("Welch", "0"))
  fewer <- estimate_pairs(pair("encrypt.1", "encrypt.2"), forks_by_measure(more[!(cell == "encrypt.1" & number == 3)]))
  expect_identical(c(fewer$method, fewer$blocks), c("Welch", "7"))
})

test_that("rounds of two environments are paired by their numbers", {
  other <- copy(more)[cell == "encrypt.2", `:=`(
    environment = "wine", image_id = "sha256:bb", round = paste0("w", number)
  )]
  asked <- pair("encrypt.1", "encrypt.2")[, `:=`(denominator_environment = "wine", denominator_image_id = "sha256:bb")]
  found <- estimate_pairs(asked, forks_by_measure(other))
  reference <- t.test(logs_of(more, "encrypt.1"), logs_of(more, "encrypt.2"), paired = TRUE)
  expect_identical(found$method, "paired")
  expect_equal(log(c(found$lower, found$upper)), as.numeric(reference$conf.int))
})

test_that("a cell's own value is Student's, however many rounds", {
  found <- estimate_pairs(pair("encrypt.1", ""), forks_by_measure(more))
  reference <- t.test(logs_of(more, "encrypt.1"))
  expect_identical(found$method, "Student")
  expect_equal(log(c(found$lower, found$upper)), as.numeric(reference$conf.int))
})

test_that("paired after two stages: all forks' means, the covariance of stage one, whose rounds must be enough", {
  staged <- made_up_forks(four_ciphers(), 14, cv = 0.02)[, stage := fifelse(number > 8, 2L, 1L)]
  found <- estimate_pairs(pair("encrypt.1", "encrypt.2"), forks_by_measure(staged))
  difference <- logs_of(staged, "encrypt.1") - logs_of(staged, "encrypt.2")
  expect_identical(c(found$method, found$blocks), c("paired", "14"))
  expect_equal(found$log_ratio, mean(difference))
  expect_equal(found$se_log, sd(difference[1:8]) / sqrt(14))
  expect_equal(found$df, 7)
  early <- copy(staged)[, stage := fifelse(number > 7, 2L, 1L)]
  expect_identical(estimate_pairs(pair("encrypt.1", "encrypt.2"), forks_by_measure(early))$method, "Welch")
  ragged <- staged[!(cell == "encrypt.1" & stage == 2L)]
  found <- estimate_pairs(pair("encrypt.1", "encrypt.2"), forks_by_measure(ragged))
  one <- logs_of(ragged, "encrypt.1")
  two <- logs_of(ragged, "encrypt.2")
  expect_identical(c(found$method, found$blocks), c("paired", "8"))
  expect_equal(found$log_ratio, mean(one) - mean(two))
  expect_equal(found$se_log, sqrt(var(one) / 8 + var(two[1:8]) / 14 - 2 * cov(one, two[1:8]) / 14))
})

test_that("only common rounds are paired", {
  fewer <- forks[!(cell == "encrypt.1" & round %in% c("r001", "r002"))]
  expect_identical(estimate_pairs(pair("encrypt.1", "encrypt.2"), forks_by_measure(fewer))$blocks, 4L)
})

test_that("a cell with one fork, none, or no CPU time gives no estimate, never a false one", {
  fewer <- forks[!(cell == "encrypt.1" & round != "r001")]
  found <- estimate_pairs(
    rbind(pair("encrypt.1", "encrypt.2"), pair("encrypt.9", "encrypt.2")), forks_by_measure(fewer)
  )
  expect_true(all(is.na(found$ratio)) && all(is.na(found$p_support)))
  expect_identical(found$forks_min, c(1L, 0L))
  still <- copy(forks)[cell == "encrypt.1", wall_ns_per_op := 0]
  expect_true(is.na(estimate_pairs(pair("encrypt.1", "encrypt.2"), forks_by_measure(still))$ratio))
})

test_that("after two stages a contrast has all forks' means, the variances of stage one and the smaller freedom", {
  staged <- copy(forks)[, stage := fifelse(cell == "encrypt.1" & number > 4, 2L, 1L)]
  found <- estimate_pairs(pair("encrypt.1", "encrypt.2"), forks_by_measure(staged))
  one <- logs("encrypt.1")
  two <- logs("encrypt.2")
  a <- var(one[1:4]) / 6
  b <- var(two) / 6
  expect_equal(found$log_ratio, mean(one) - mean(two))
  expect_equal(found$se_log, sqrt(a + b))
  expect_equal(found$df, 3)
  expect_equal(log(found$upper) - found$log_ratio, qt(0.975, 3) * sqrt(a + b))
  expect_identical(c(found$method, found$blocks), c("Welch", "6"))
})

test_that("a cell of which stage one left one fork has no estimate", {
  staged <- copy(forks)[, stage := fifelse(cell == "encrypt.1" & number > 1, 2L, 1L)]
  found <- estimate_pairs(pair("encrypt.1", "encrypt.2"), forks_by_measure(staged))
  expect_true(is.na(found$ratio) && is.na(found$p_support) && is.na(found$welch_lower))
})
