made_up_arm <- function(cell, means) data.table(cell = cell, mean_ns = means)

test_that("means within the margin are alike, beyond it they are not, and a wide interval leaves it open", {
  near <- 100 * c(0.999, 1, 1.001, 1, 0.9995, 1.0005)
  ours <- rbind(made_up_arm("a", near), made_up_arm("b", near), made_up_arm("c", 100 * c(0.9, 1, 1.1, 1, 0.95, 1.05)))
  plain <- rbind(made_up_arm("a", near), made_up_arm("b", 1.05 * near), made_up_arm("c", near))
  found <- compare_arms(ours, plain)
  expect_equal(found$cell, c("a", "b", "c"))
  expect_equal(found$alike, c("yes", "no", "open"))
  expect_equal(found$ratio, c(1, 1 / 1.05, found$ratio[3]))
  expect_equal(found$our_forks, c(6, 6, 6))
})

test_that("a drift that both arms share is left out where they tell their blocks", {
  drift <- rep(seq(1, 1.3, length.out = 8), each = 1)
  noise <- 1 + 0.001 * c(1, -1, 2, -2, 1, -1, 0, 0)
  ours <- made_up_arm("a", 100 * drift * noise)[, block := 1:8]
  plain <- made_up_arm("a", 100 * drift)[, block := 8:1][, mean_ns := rev(mean_ns)]
  found <- compare_arms(ours, plain)
  expect_equal(found$alike, "yes")
  expect_lt(found$upper / found$lower, 1.003)
  expect_equal(compare_arms(ours[, .(cell, mean_ns)], plain)$alike, "open")
  # A block without one of the arms doesn't count.
  expect_equal(compare_arms(ours[block > 2], plain)$alike, "yes")
})

test_that("forks for a half-width: the fewest whose Student interval is as narrow", {
  needed <- forks_for(c(0.02, 0.001), c(0.01, 0.01), least = 5)
  width <- function(sd, n) qt(0.975, n - 1) * sd / sqrt(n)
  expect_lte(width(0.02, needed[1]), 0.01)
  expect_gt(width(0.02, needed[1] - 1), 0.01)
  expect_equal(needed[2], 5)
})

test_that("a round's time beside its forks is shared out to them equally", {
  forks <- data.table(round = c("r1", "r1", "r2"), fork = 1:3, elapsed_ms = c(2000, 3000, 4000))
  rounds <- data.table(round = c("r2", "r1"), elapsed_s = c(5, 6))
  expect_equal(fork_costs(forks, rounds), c(2.5, 3.5, 5))
})

test_that("the cost of a width counts every fork of ours, and the forks that plain JMH needs at its own length", {
  ours <- data.table(cell = "a", mean_ns = 100, cost_s = c(2, 2, 3))
  plain <- data.table(cell = "a", mean_ns = 100 * exp(c(-0.02, 0, 0.02)), wall_s = 100)
  found <- cost_of_width(ours, data.table(cell = "a", half_width_pct = 0.8), plain)
  expect_equal(found$half_width_pct, 1)
  expect_equal(found$our_s, 7)
  expect_equal(found$plain_sd_pct, 2)
  expect_equal(found$plain_forks_needed, forks_for(0.02, 0.01, 5))
  expect_equal(found$times_less, 100 * found$plain_forks_needed / 7)
  wider <- cost_of_width(ours, data.table(cell = "a", half_width_pct = 2), plain)
  expect_lt(wider$plain_forks_needed, found$plain_forks_needed)
})

test_that("plain JMH's forks are read by plain.csv, and a result it doesn't name is refused", {
  folder <- new_folder()
  json <- '[{"jmhVersion":"1.37","benchmark":"a.B.c","mode":"avgt","threads":1,"forks":1,"measurementIterations":2,
    "primaryMetric":{"score":2,"scoreError":"NaN","scoreUnit":"ns/op","rawData":[[1,3]]},"secondaryMetrics":{}}]'
  writeLines(json, file.path(folder, "one.json"))
  fwrite(data.table(cell = "a", block = 1, file = "one.json", wall_s = 3.5), file.path(folder, "plain.csv"))
  expect_equal(plain_forks(folder), data.table(cell = "a", block = 1L, mean_ns = 2, wall_s = 3.5))
  writeLines(sub("ns/op", "us/op", json), file.path(folder, "one.json"))
  expect_error(plain_forks(folder), "ns/op")
})

test_that("a cell off plain JMH's minute is missed, unless the pipeline marked it or the minute was too short", {
  cells <- c("near", "marked", "off", "later", "apart", "unasked")
  forks <- data.table(
    cell = rep(cells, each = 6), number = rep(1:6, 6),
    warm_up_state = rep(c("proven", "unproven", "proven", "proven", "proven", "proven"), each = 6),
    wall_ns_per_op = 100 * rep(c(1.01, 2, 1.5, 0.4, 1.01, 1), each = 6) * rep(c(1, 1, 1.001, 1.001, 0.999, 0.999), 6)
  )
  forks[cell == "apart", wall_ns_per_op := 100 * c(0.97, 0.97, 1.01, 1.01, 1.06, 1.06)]
  plain <- data.table(cell = rep(cells, each = 3), block = rep(1:3, 6), mean_ns = 100, wall_s = 60)
  compiled <- data.table(
    cell = setdiff(cells, "unasked"), compiled_s = c(5, 5, 5, NA, 5), in_time = c(TRUE, TRUE, TRUE, FALSE, TRUE)
  )
  found <- fidelity(forks, plain, compiled)
  expect_equal(found$bar, c("met", "marked", "missed", "unknown", "open", "unknown"))
  expect_equal(found$plain_forks, rep(3, 6))
  expect_equal(found$plain_compiled_s, c(5, 5, 5, NA, 5, NA))
  expect_equal(found$ratio[1:4], c(1.01, 2, 1.5, 0.4), tolerance = 1e-3)
})

test_that("one block of a trial tells no interval, so that nothing is met", {
  forks <- data.table(cell = "a", number = 1:2, warm_up_state = "proven", wall_ns_per_op = c(100, 100))
  plain <- data.table(cell = "a", block = 1L, mean_ns = 100, wall_s = 60)
  expect_equal(fidelity(forks, plain, data.table(cell = "a", compiled_s = 1, in_time = TRUE))$bar, "open")
})

test_that("ours are held against somebody else's benchmarks round by round", {
  drift <- rep(c(1, 1.2, 0.9, 1.1), 2)
  forks <- data.table(
    experiment = rep(c("ours", "theirs"), each = 8), workload = rep(rep(c("near", "off"), each = 4), 2),
    number = rep(1:4, 4),
    warm_up_state = c(rep("proven", 8), rep(c("proven", "unproven"), each = 4)), valid = TRUE,
    wall_ns_per_op = c(100 * drift * c(1.001, 0.999, 1, 1), 100 * drift * rep(c(1, 1.5), each = 4))
  )
  found <- same_operations(forks)
  expect_equal(found$workload, c("near", "off"))
  expect_equal(found$alike, c("yes", "no"))
  expect_equal(found$ratio, c(1, 2 / 3), tolerance = 1e-3)
  expect_equal(found$our_warm_up, c("proven", "proven"))
  expect_equal(found$their_warm_up, c("proven", "unproven"))
})

test_that("either side's benchmark says how much an operation differs between two JDKs", {
  spread <- c(0.99, 1, 1.01)
  forks <- CJ(
    experiment = c("ours", "theirs"), environment = c("jdk-21", "jdk-25"), workload = c("a", "b"), number = 1:3
  )
  forks[, `:=`(valid = TRUE, warm_up_state = "proven")]
  forks[, wall_ns_per_op := 100 * spread[number] * fifelse(environment == "jdk-21" & workload == "a", 2, 1)]
  forks[experiment == "theirs" & workload == "b" & environment == "jdk-21", wall_ns_per_op := wall_ns_per_op * 3]
  found <- environment_ratios(forks)
  expect_equal(found$workload, c("a", "a", "b", "b"))
  expect_equal(found$side, c("ours", "theirs", "ours", "theirs"))
  expect_equal(found$ratio, c(2, 2, 1, 3))
  expect_true(all(found$lower < found$ratio & found$ratio < found$upper & found$forks == 3))
  expect_identical(nrow(environment_ratios(forks[environment == "jdk-21"])), 0L)
})
