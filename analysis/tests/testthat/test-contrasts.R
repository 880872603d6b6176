inside("estimate")

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

test_that("a contrast is Welch on log fork means, with the paired version beside it", {
  found <- estimate_pairs(pair("encrypt.1", "encrypt.2"), forks_by_measure(forks))
  welch <- t.test(logs("encrypt.1"), logs("encrypt.2"))
  expect_equal(found$log_ratio, unname(diff(rev(welch$estimate))))
  expect_equal(log(c(found$lower, found$upper)), as.numeric(welch$conf.int))
  expect_equal(found$df, unname(welch$parameter))
  paired <- t.test(logs("encrypt.1"), logs("encrypt.2"), paired = TRUE)
  expect_equal(log(c(found$paired_lower, found$paired_upper)), as.numeric(paired$conf.int))
  expect_identical(found$blocks, 6L)
  expect_identical(found$forks_min, 6L)
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
  expect_identical(found$blocks, 6L)
  half <- qt(0.975, 3) * sd((one - two)[1:4]) / sqrt(6)
  expect_equal(log(c(found$paired_lower, found$paired_upper)), mean(one - two) + c(-half, half))
})

test_that("a cell of which stage one left one fork has no estimate", {
  staged <- copy(forks)[, stage := fifelse(cell == "encrypt.1" & number > 1, 2L, 1L)]
  found <- estimate_pairs(pair("encrypt.1", "encrypt.2"), forks_by_measure(staged))
  expect_true(is.na(found$ratio) && is.na(found$p_support) && is.na(found$paired_ratio))
})
