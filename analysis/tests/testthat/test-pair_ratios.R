a <- log(c(10.1, 10.3, 9.9, 10.0, 10.2))
b <- log(c(12.0, 12.4, 12.1, 11.8, 12.2))
welch <- welch_ratio(mean(b), var(b), 5, mean(a), var(a), 5)

test_that("log-ratio Welch: golden values", {
  expect_golden(welch$ratio, 1.1979736)
  expect_golden(welch$df, 7.7892471)
  expect_golden(c(welch$lower, welch$upper), c(1.1682791, 1.2284228))
})

test_that("two one-sided tests: golden values", {
  expect_golden((welch$log_ratio - log(c(0.8, 1.25))) / welch$se_log, c(37.2718500, -3.9242284))
  found <- target_p_values(welch$log_ratio, welch$se_log, welch$df, 0.8, 1.25)
  expect_golden(found$p_support, 0.0023146, 1e-4)
  narrower <- welch_ratio(mean(b), var(b), 5, mean(a), var(a), 5, confidence = 0.90)
  expect_golden(c(narrower$lower, narrower$upper), c(1.1739987, 1.2224380))
})

test_that("with one end open, supporting and refuting are the two tails of one test", {
  found <- target_p_values(welch$log_ratio, welch$se_log, welch$df, 0, 1.2)
  expect_equal(found$p_support + found$p_refute, 1)
  expect_equal(found$p_support, pt((welch$log_ratio - log(1.2)) / welch$se_log, welch$df))
})

test_that("outside a target: the nearer end decides, the farther adds its tail", {
  found <- target_p_values(log(3), 0.1, 10, 1, 2)
  expect_equal(found$p_refute, pt(-log(1.5) / 0.1, 10) + pt(-log(3) / 0.1, 10))
  expect_gt(found$p_support, 0.99)
  inside <- target_p_values(log(1.4), 0.01, 10, 1, 2)
  expect_gt(inside$p_refute, 0.99)
})

test_that("identical fork means give p values, not NaN", {
  found <- target_p_values(0, 0, 8, 0, c(1, 2))
  expect_equal(found$p_support, c(0.5, 0))
  expect_equal(found$p_refute, c(0.5, 1))
})

test_that("after a second stage the freedom is that of the smaller first stage, and the variances are of the first", {
  found <- welch_ratio(1, 0.04, c(10, 10, 30), 0, 0.09, c(8, 20, 8), 0.95, 10, 8)
  welch <- (0.004 + 0.09 / 8)^2 / (0.004^2 / 9 + (0.09 / 8)^2 / 7)
  expect_equal(found$df, c(welch, 7, 7))
  expect_equal(found$se_log, sqrt(c(0.004 + 0.09 / 8, 0.004 + 0.0045, 0.04 / 30 + 0.09 / 8)))
})

set.seed(4)
forks <- made_up_forks(four_ciphers(), 6, cv = 0.02)
pair <- function(one, two) {
  data.table(
    experiment = "kofahi2013", machine_id = "m1", protocol = "steady-state", measure = "wall",
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

set.seed(95)
covariances <- function(one, two) {
  list(var1 = var(one), var2 = var(two), var_difference = var(one - two))
}
paired <- function(one, two, n = length(one), first = n) {
  own <- covariances(one[seq_len(first)], two[seq_len(first)])
  paired_ratios(mean(one), n, mean(two), n, own$var1, own$var2, own$var_difference, n, first)
}

test_that("where all blocks are common the ratio is Student's t on log differences", {
  for (n in c(2, 5, 9)) {
    one <- rnorm(n)
    two <- one + rnorm(n)
    found <- paired(one, two)
    reference <- t.test(one, two, paired = TRUE)
    expect_equal(found$ratio, exp(unname(reference$estimate)))
    expect_equal(c(found$lower, found$upper), exp(as.numeric(reference$conf.int)))
    expect_equal(found$df, unname(reference$parameter))
    expect_equal(found$spread, sd(one - two))
    expect_identical(found$blocks, as.integer(n))
  }
})

test_that("one block has no interval", {
  expect_equal(paired_ratios(0.1, 1, 0, 1, NA_real_, NA_real_, NA_real_, 1)$lower, NA_real_)
})

test_that("what one cell was measured in more counts too: without covariance it is both cells' variance", {
  found <- paired_ratios(0.1, 10, 0, 40, 4, 9, 13, 10)
  expect_equal(found$se_log, sqrt(4 / 10 + 9 / 40))
  shared <- paired_ratios(0.1, 10, 0, 40, 4, 9, 5, 10)
  expect_equal(shared$se_log, sqrt(4 / 10 + 9 / 40 - 2 * 4 * 10 / 400))
  expect_equal(shared$df, 9)
})

test_that("after two stages mean and number are of both, variances and freedom of the first", {
  one <- rnorm(20)
  two <- one + rnorm(20)
  found <- paired(one, two, first = 10)
  difference <- one - two
  expect_equal(found$log_ratio, mean(difference))
  expect_equal(found$se_log, sd(difference[1:10]) / sqrt(20))
  expect_equal(found$df, 9)
})

set.seed(5)
pair_of <- function(one, two, lower = 0.5, upper = 2) {
  forks <- made_up_forks(data.table(workload = c("a", "b"), ns = c(1, 1)), length(one))
  forks[, wall_ns_per_op := c(one, two)]
  pairs <- data.table(experiment = "kofahi2013", machine_id = "m1", protocol = "steady-state", measure = "wall")
  for (which in c("numerator", "denominator")) {
    pairs[, paste0(which, c("_environment", "_image_id")) := list("debian-12", "sha256:aa")]
  }
  pairs[, `:=`(numerator_cell = "a.1", denominator_cell = "b.2", target_lower = lower, target_upper = upper)]
  long <- forks_by_measure(forks)
  list(welch = estimate_pairs(pairs, long, paired = FALSE), boot = bootstrap_estimates(pairs, long))
}

test_that("quantiles of t* are those of all resamples, on samples small enough to list them", {
  one <- c(0, 0.1, 0.3)
  two <- c(0, 0.05, 0.2)
  every <- as.matrix(expand.grid(1:3, 1:3, 1:3))
  moments <- lapply(list(one, two), function(values) {
    resamples <- apply(every, 1, function(row) values[row])
    list(mean = colMeans(resamples) - mean(values), squared = apply(resamples, 2, var) / 3)
  })
  se <- sqrt(outer(moments[[1]]$squared, moments[[2]]$squared, `+`))
  t_star <- (outer(moments[[1]]$mean, moments[[2]]$mean, `-`) / se)[se > 0]
  set.seed(11)
  found <- t_star_quantiles(one, two, confidence = 0.8, resamples = 200000)
  # The quantiles of so few values jump, so a draw may end on either side of a jump.
  expect_true(all(found >= quantile(t_star, c(0.095, 0.895)) - 1e-9))
  expect_true(all(found <= quantile(t_star, c(0.105, 0.905)) + 1e-9))
})

test_that("with normal forks the interval is near Welch's, and the estimate is the same", {
  found <- pair_of(exp(rnorm(20, 0, 0.02)), exp(rnorm(20, 0, 0.02)))
  expect_identical(found$boot$ratio, found$welch$ratio)
  expect_equal(found$boot$lower, found$welch$lower, tolerance = 0.005)
  expect_equal(found$boot$upper, found$welch$upper, tolerance = 0.005)
})

test_that("the p values agree with the interval at its own level", {
  found <- pair_of(exp(rnorm(10, 0, 0.02)^2), exp(rnorm(10, 0.01, 0.02)))$boot
  at <- function(lower, upper) {
    below <- (found$log_ratio - log(found$lower)) / qt(0.975, found$df)
    above <- (log(found$upper) - found$log_ratio) / qt(0.975, found$df)
    target_p_values(found$log_ratio, below, found$df, lower, upper, above)
  }
  expect_equal(at(found$lower, Inf)$p_support, 0.025)
  expect_equal(at(0, found$upper)$p_support, 0.025)
  expect_equal(at(found$upper, Inf)$p_refute, 0.025)
  expect_equal(at(0, found$lower)$p_refute, 0.025)
})

test_that("skewed forks have a skewed interval, and the same one every time", {
  skewed <- exp(0.3 * rexp(10))
  plain <- exp(rnorm(10, 0, 0.001))
  set.seed(1)
  first <- pair_of(skewed, plain)$boot
  set.seed(2)
  second <- pair_of(skewed, plain)$boot
  expect_identical(first, second)
  expect_gt(log(first$upper) - first$log_ratio, first$log_ratio - log(first$lower))
})

test_that("two forks keep what they have, and R's generator is left alone", {
  forks <- pair_of(c(1, 1.01), c(1, 1.01))
  expect_identical(forks$boot, forks$welch)
  set.seed(3)
  before <- .Random.seed
  expect_length(with_seed(1, rnorm(3)), 3)
  expect_true(identical(.Random.seed, before))
})
