set.seed(21)
with_columns_of_tidy <- function(forks) {
  forks[, `:=`(wall_ns_per_op_unpaused = wall_ns_per_op, cpu_ns_per_op_unpaused = cpu_ns_per_op)]
  forks[, `:=`(valid = TRUE, rerun_of = NA_integer_)][]
}
claims <- list(K1 = ordered_claim("best-of", c("AES", "DES")), K2 = ordered_claim("best-of", c("DES", "AES")))
sensitivity_of <- function(forks) {
  definitions <- made_up_definitions(claims)
  found <- resolved(forks, definitions)
  main <- judge_claims(valid_forks(forks), found$definitions, found$pairs)$verdicts
  list(main = main, table = sensitivity_table(forks, found$definitions, found$pairs, main))
}

test_that("clear verdicts change with none of the analyses", {
  found <- sensitivity_of(with_columns_of_tidy(made_up_forks(four_ciphers(), 10)))$table
  expect_identical(names(found), sensitivity_columns)
  expect_identical(found$verdict_id, rep(c("v1", "v2"), 4))
  expect_identical(
    unique(found$analysis), c("all forks", "without iterations hit by a pause", "bootstrap-t", "warm-up ignored")
  )
  expect_identical(found$verdict, rep(c("holds", "opposite"), 4))
  expect_false(any(found$changes))
})

test_that("a verdict that rests on the gates is said to", {
  forks <- with_columns_of_tidy(made_up_forks(four_ciphers(), 10))
  broken <- copy(forks)[workload == "encrypt" & factor.cipher == "AES" & number <= 5]
  forks[factor.cipher == "AES" & number <= 5, valid := FALSE]
  forks[factor.cipher == "AES" & number <= 5, `:=`(wall_ns_per_op = 30 * wall_ns_per_op)]
  forks <- rbind(forks, broken[, `:=`(rerun_of = fork, fork = fork + 100L)])
  found <- sensitivity_of(forks)
  expect_identical(found$main$verdict, c("holds", "opposite"))
  expect_identical(unique(found$main$forks_min), 10L)
  expect_identical(found$table[analysis == "all forks"]$verdict, c("undecided", "undecided"))
  expect_identical(found$table[changes == TRUE]$analysis, rep("all forks", 2))
})

test_that("a verdict that rests on iterations hit by pauses is said to", {
  forks <- with_columns_of_tidy(made_up_forks(four_ciphers(), 10))
  forks[factor.cipher == "AES", wall_ns_per_op_unpaused := 20 * wall_ns_per_op]
  found <- sensitivity_of(forks)$table[analysis == "without iterations hit by a pause"]
  expect_identical(found$verdict, c("opposite", "holds"))
  expect_true(all(found$changes))
})

test_that("forks of which every iteration was hit leave too few for a verdict", {
  forks <- with_columns_of_tidy(made_up_forks(four_ciphers(), 10))
  forks[factor.cipher == "AES" & number > 3, `:=`(wall_ns_per_op_unpaused = NA, cpu_ns_per_op_unpaused = NA)]
  found <- sensitivity_of(forks)$table[analysis == "without iterations hit by a pause"]
  expect_identical(found$verdict, rep("undecided", 2))
  expect_identical(found$forks_min, rep(3L, 2))
})

test_that("a claim that has too few forks because of the gates is judged with them all the same", {
  forks <- with_columns_of_tidy(made_up_forks(four_ciphers(), 10))
  forks[factor.cipher == "AES" & number > 2, valid := FALSE]
  found <- sensitivity_of(forks)
  expect_identical(found$main$p, c(NA_real_, NA_real_))
  expect_identical(found$table$analysis, rep("all forks", 2))
  expect_identical(found$table$verdict, c("holds", "opposite"))
  expect_true(all(found$table$changes))
})

test_that("where gates broke every fork, the analysis that leaves out none has its verdicts all the same", {
  forks <- with_columns_of_tidy(made_up_forks(four_ciphers(), 10))[, valid := FALSE]
  found <- sensitivity_of(forks)
  expect_identical(unique(found$main$verdict), "undecided")
  expect_identical(found$table$verdict_id, found$main$verdict_id)
  expect_identical(found$table$analysis, rep("all forks", 2))
  expect_identical(found$table$verdict, c("holds", "opposite"))
  expect_true(all(found$table$changes) && all(nzchar(found$table$environment)))
})

test_that("claims that could not be judged are left out", {
  forks <- with_columns_of_tidy(made_up_forks(four_ciphers(), 3))
  expect_identical(nrow(sensitivity_of(forks)$table), 0L)
})

test_that("a verdict that waits for the proof of proven times is told as it would be without", {
  forks <- with_columns_of_tidy(made_up_forks(four_ciphers(), 10))
  forks[factor.cipher == "AES", `:=`(warm_up_state = "unproven", warm_up_why = "a.B::run is c1")]
  found <- sensitivity_of(forks)
  expect_identical(found$main$verdict, rep("undecided", 2))
  expect_identical(found$main$cause, rep("warm-up unproven", 2))
  expect_identical(found$table[changes == TRUE]$analysis, rep("warm-up ignored", 2))
  expect_identical(found$table[changes == TRUE]$verdict, c("holds", "opposite"))
})
