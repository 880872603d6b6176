# Several machines: Student's interval over them, the prediction of one more, and the verdicts that rest on them.
test_that("five machines give the interval and the prediction of Student's t", {
  # Worked by hand: mean 0.124, s^2 0.00313, t of 4 degrees of freedom 2.776445.
  found <- over_machines(c(.10, .12, .05, .20, .15))
  expect_equal(found$mean, .124)
  expect_equal(c(found$lower, found$upper), c(.0545334, .1934666), tolerance = 1e-6)
  expect_equal(c(found$predicted_lower, found$predicted_upper), c(-.0461578, .2941578), tolerance = 1e-6)
  expect_identical(found$df, 4)
  # Another way to the same interval.
  expect_equal(c(found$lower, found$upper), as.vector(stats::t.test(c(.10, .12, .05, .20, .15))$conf.int))
})

test_that("below three machines there is no interval over them", {
  expect_identical(over_machines(c(.1, .2))$lower, NA_real_)
  expect_identical(over_machines(.1)[c("machines", "predicted_upper")], list(machines = 1L, predicted_upper = NA_real_))
  expect_true(is.finite(over_machines(c(.1, .2, .3))$predicted_upper))
})

#' Forks of DES and Blowfish on machines, on each of which DES takes `times` as long as Blowfish.
on_machines <- function(
  times, ids = sprintf("%012x", seq_along(times)), environment = "debian-12", count = 6, cv = 1e-9
) {
  set.seed(5)
  rbindlist(Map(function(ratio, id, environment) {
    cells <- data.table(
      workload = "encrypt", factor.cipher = c("DES", "Blowfish"), factor.size = "100 KB", ns = 1000 * c(ratio, 1),
      cell = c("des", "blowfish"), machine_id = id
    )
    made_up_forks(cells, count, cv, environment)
  }, times, ids, environment))
}

claim <- function(form, parameters) {
  list(K1 = ratio_claim(
    form, parameters, ratios = list(list(numerator = list(cipher = "DES"), denominator = list(cipher = "Blowfish")))
  ))
}
over <- function(forks, claims) {
  definitions <- made_up_definitions(claims)
  found <- resolved(forks, definitions)
  machine_verdicts(judge_claims(forks, found$definitions, found$pairs)$open, found$definitions, found$pairs)
}
five <- exp(c(.10, .12, .05, .20, .15))

test_that("a claim is judged over machines by what each of them gives", {
  found <- over(on_machines(five), claim("ratio-above", list(limit = 1)))
  expect_identical(found$verdict, "holds")
  expect_identical(found$machines, 5L)
  expect_identical(found$machine_ids, paste(sprintf("%012x", 1:5), collapse = " "))
  expect_equal(log(c(found$estimate, found$lower, found$upper)), c(.124, .0545334, .1934666), tolerance = 1e-6)
  expect_equal(log(c(found$predicted_lower, found$predicted_upper)), c(-.0461578, .2941578), tolerance = 1e-6)
  expect_equal(found$p, 2 * stats::pt(-.124 / (sqrt(.00313 / 5)), 4), tolerance = 1e-6)
  expect_match(found$reason, "5 machines give 1.06 to 1.21, one more like these may give 0.95")
})

test_that("every machine sure of itself, machines of different minds: nothing is decided over them", {
  forks <- on_machines(c(0.7, 1.5, 1.1, 0.9), cv = .001)
  claims <- claim("ratio-above", list(limit = 1))
  each <- judged(forks, claims)$verdicts
  expect_setequal(each$verdict, c("holds", "opposite"))
  expect_identical(over(forks, claims)$verdict, "undecided")
})

test_that("a machine's rounds don't make it count for more", {
  few <- on_machines(five[1:4])
  forks <- rbind(few, on_machines(five[5], "00000000000f", count = 60))
  expect_equal(log(over(forks, claim("ratio-above", list(limit = 1)))$estimate), .124, tolerance = 1e-6)
})

test_that("two machines have verdicts of their own alone", {
  found <- over(on_machines(five[1:2]), claim("ratio-above", list(limit = 1)))
  expect_identical(nrow(found), 0L)
  expect_identical(names(found), machine_verdict_columns)
})

test_that("a machine that lacks a contrast is left out", {
  forks <- on_machines(five)
  forks <- forks[!(machine_id == sprintf("%012x", 3L) & cell == "des")]
  found <- over(forks, claim("ratio-above", list(limit = 1)))
  expect_identical(found$machines, 4L)
  expect_equal(log(found$estimate), mean(c(.10, .12, .20, .15)), tolerance = 1e-6)
})

test_that("environments and images are not pooled, the machines of kits with one JVM are", {
  ids <- sprintf("%012x", 1:4)
  kits <- on_machines(five[1:4], ids, paste0("kit-", ids))
  above <- claim("ratio-above", list(limit = 1))
  found <- over(kits, above)
  expect_identical(found[, .(environment, machines)], data.table(environment = "kit", machines = 4L))
  expect_identical(nrow(over(copy(kits)[machine_id > ids[2], image_id := "kit:bb"], above)), 0L)
  expect_identical(nrow(over(on_machines(five[1:4], ids, letters[1:4]), above)), 0L)
})

test_that("a verdict over machines rests on times that are proven warm on each", {
  forks <- on_machines(five)
  forks[machine_id == sprintf("%012x", 2L), `:=`(warm_up_state = "still compiling", warm_up_why = "C2 came late")]
  found <- over(forks, claim("ratio-above", list(limit = 1)))
  expect_identical(found$verdict, "undecided")
  expect_identical(found$warm_up_state, "still compiling")
})

test_that("Holm counts the verdicts over machines, and a note tells each", {
  forks <- on_machines(five)
  claims <- c(claim("ratio-above", list(limit = 1)), claim("ratio-above", list(limit = 1.02)))
  names(claims) <- c("K1", "K2")
  found <- over(forks, claims)
  expect_equal(found$p_holm, stats::p.adjust(found$p, "holm"))
  expect_identical(nrow(machine_verdict_notes(found)), 2L)
  expect_match(machine_verdict_notes(found)$message[1], "^over 5 machines: holds \\(m1\\)")
  expect_identical(nrow(machine_verdict_notes(found[0])), 0L)
})

test_that("a question has its estimate over machines and no verdict", {
  found <- over(on_machines(five), list(K1 = list(
    form = "estimate", ratios = list(list(numerator = list(cipher = "DES"), denominator = list(cipher = "Blowfish")))
  )))
  expect_identical(found$verdict, "not-comparable")
  expect_equal(log(found$estimate), .124, tolerance = 1e-6)
})

test_that("where no fork is left there is no verdict over machines", {
  found <- over(on_machines(five)[0], claim("ratio-above", list(limit = 1)))
  expect_identical(names(found), machine_verdict_columns)
  expect_identical(nrow(found), 0L)
})
