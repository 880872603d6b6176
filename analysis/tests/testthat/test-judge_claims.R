set.seed(8)
forks <- made_up_forks(four_ciphers(), 10)
fastest <- list(K1 = ordered_claim("best-of", c("AES", "DES", "Blowfish"), each = list("provider")))

test_that("a true claim holds, with its decisive contrast", {
  found <- judged(forks, fastest)
  expect_identical(found$verdicts$verdict, "holds")
  expect_identical(found$verdicts$variant, "provider=sunjce")
  expect_identical(nrow(found$contrasts), 2L)
  decisive <- found$contrasts[contrast == found$verdicts$contrast]
  expect_identical(decisive$denominator, "Blowfish")
  expect_equal(found$verdicts$estimate, decisive$ratio)
  expect_match(
    found$verdicts$reason, "^AES takes 0.13[0-9]* times as long as Blowfish \\(encryption, 100 KB, SunJCE\\)"
  )
  expect_match(found$verdicts$covers, "at 100 KB; 1 MB and 10 MB not in this tier", fixed = TRUE)
})

test_that("a false claim does not hold, by the contrast that broke it", {
  found <- judged(forks, list(K1 = ordered_claim("best-of", c("Blowfish", "AES", "DES"))))$verdicts
  expect_identical(found$verdict, "does-not-hold")
  expect_match(found$reason, "^Blowfish takes 7.* times as long as AES")
  expect_identical(
    judged(forks, list(K2 = ordered_claim("order", c("AES", "DES", "Blowfish"))))$verdicts$verdict, "does-not-hold"
  )
})

test_that("order and slowest-of, both ways", {
  claims <- list(
    a = ordered_claim(
      "order", c("AES", "Blowfish", "DES", "Triple-DES")
    ), b = ordered_claim("slowest-of", c("Triple-DES", "DES", "AES")),
    c = ordered_claim("slowest-of", c("AES", "DES"))
  )
  expect_identical(judged(forks, claims)$verdicts$verdict, c("holds", "holds", "opposite"))
})

test_that("open ends of targets are empty in the contrasts", {
  found <- judged(forks, fastest)$contrasts
  expect_true(all(is.na(found$target_lower)))
  expect_identical(unique(found$target_upper), 1)
})

ratio <- function(form, parameters) {
  ratio_claim(
    form, parameters, ratios = list(list(numerator = list(cipher = "DES"), denominator = list(cipher = "Blowfish")))
  )
}

test_that("about, above and below a ratio of 2", {
  claims <- list(
    a = ratio("ratio-about", list(value = 2, within = 1.1)), b = ratio("ratio-about", list(value = 4, within = 1.5)),
    c = ratio("ratio-above", list(limit = 1.5)), d = ratio("ratio-above", list(limit = 3)),
    e = ratio("ratio-below", list(limit = 3)), f = ratio(
      "ratio-below", list(limit = 1.5)
    ), g = ratio("ratio-below", list(limit = 2))
  )
  found <- judged(forks, claims)$verdicts
  expect_identical(found$verdict[1:6], c("holds", "other-size", "holds", "other-size", "holds", "does-not-hold")
  )
  expect_identical(found$direction[1:6], c("same", "same", "same", "same", "", ""))
  expect_identical(found$size[1:6], c("same", "other", "same", "other", "", ""))
  expect_identical(found$verdict[7], "undecided")
  expect_match(found$reason[7], "interval .* to .*, wanted below 2")
})

#' p values and verdicts at 5 % of one claim in many runs of two cells, each in an environment of its own: alone, as
#' Holm's correction over one verdict changes nothing.
judged_alone <- function(runs, ns, count) {
  claims <- list(K = ordered_claim("best-of", c("AES", "DES")))
  cells <- data.table(workload = "encrypt", factor.cipher = c("AES", "DES"), factor.size = "100 KB", ns = ns)
  made <- resolved(made_up_forks(cells, 1), made_up_definitions(claims))
  names <- sprintf("run-%02d", seq_len(runs))
  pairs <- made$pairs[rep(1L, runs)][, `:=`(
    environment = names, numerator_environment = names, denominator_environment = names, verdict = .I, pair = .I
  )]
  forks <- rbindlist(lapply(names, function(name) made_up_forks(cells, count, environment = name)))
  found <- judge_claims(forks, made$definitions, pairs)$open$verdicts
  fifelse(found$p <= 0.05, found$answer, "undecided")
}

test_that("A/A: the same cell measured as two is not called faster or slower", {
  set.seed(21)
  found <- judged_alone(60, 100, 5)
  expect_length(found, 60)
  expect_lte(mean(found != "undecided"), 0.12)
})

test_that("an injected slowdown of 2 % is found at 10 forks and 1 % spread", {
  set.seed(22)
  found <- judged_alone(40, c(100, 102), 10)
  expect_gte(mean(found == "holds"), 0.9)
  expect_false("does-not-hold" %in% found)
})

test_that("below 5 forks there is an estimate and an interval, but no verdict", {
  found <- judged(forks[number <= 2], fastest)$verdicts
  expect_identical(found$verdict, "undecided")
  expect_match(found$reason, "^2 forks; a verdict needs 5")
  expect_false(anyNA(found[, .(estimate, lower, upper)]))
  expect_true(is.na(found$p) && is.na(found$p_holm))
})

test_that("one fork has no interval: undecided", {
  found <- judged(forks[number == 1], fastest)$verdicts
  expect_identical(found$verdict, "undecided")
  expect_match(found$reason, "fewer than 2 forks")
})

test_that("levels that this tier lacks make a claim not testable, and are named", {
  found <- judged(forks[factor.cipher %in% c("AES", "Blowfish")], fastest)$verdicts
  expect_identical(found$verdict, "not-testable")
  expect_match(found$reason, "not measured here in this tier: DES", fixed = TRUE)
})

test_that("a setting that lacks a level isn't judged by the rest", {
  more <- made_up_forks(
    four_ciphers()[factor.cipher != "DES"][, `:=`(factor.size = "1 MB", cell = paste0("big.", .I))], 10
  )
  found <- judged(rbind(forks, more), fastest)$verdicts
  expect_identical(found$contrasts, 2L)
  expect_match(found$covers, "1 MB and 10 MB not in this tier", fixed = TRUE)
})

test_that("a claim that can't be tested at all gives one row, without place, with the file's reason", {
  found <- judged(forks, c(fastest, list(K5 = list(form = "not-testable", reason = "no Windows"))))$verdicts[2]
  expect_identical(found[, .(verdict, reason)], data.table(verdict = "not-testable", reason = "no Windows"))
  expect_true(is.na(found$environment) && is.na(found$protocol))
})

test_that("every environment, image, machine, protocol and variant gets its own verdict", {
  both <- rbind(
    forks, made_up_forks(four_ciphers(), 5, environment = "debian-13"),
    made_up_forks(four_ciphers(), 5, protocol = "as-published"),
    made_up_forks(four_ciphers(image_id = "sha256:bb"), 5),
    made_up_forks(four_ciphers(provider = "bc", cell = paste0("bc.", 1:4)), 5)
  )
  found <- judged(both, fastest)$verdicts
  expect_identical(nrow(found), 8L)
  expect_identical(found[variant == "provider=bc" & verdict == "not-testable", .N], 3L)
  expect_identical(found$verdict_id, paste0("v", 1:8))
})

test_that("Holm runs over the judged claims of the whole report", {
  claims <- list(a = ratio("ratio-below", list(limit = 2.005)), b = fastest$K1)
  found <- judged(forks, claims)$verdicts
  expect_equal(found$p_holm, p.adjust(found$p, "holm"))
})

test_that("an experiment without rounds says so, and rows without their claim are refused", {
  found <- judge_made_up(forks, made_up_definitions(fastest, id = "other"))$verdicts
  expect_identical(found$reason, "no round of this experiment was measured")
  rows <- resolved(forks, made_up_definitions(fastest))
  expect_refusal(judge_claims(forks, made_up_definitions(list()), rows$pairs), "claim_pairs.csv", "K1")
})

test_that("where every run was disturbed the reason says so, and others are judged without that cell", {
  rows <- resolved(forks, made_up_definitions(fastest))
  judged_with <- function(forks) judge_claims(forks, rows$definitions, rows$pairs)$verdicts
  expect_identical(judged_with(forks[0])$reason, "every run was disturbed")
  lost <- judged_with(forks[factor.cipher != "DES"])
  expect_identical(lost$reason, "every run of a cell that the claim compares was disturbed")
  alike <- list(K1 = ordered_claim("same", c("AES", "DES", "Blowfish"), parameters = list(within = 100)))
  rows <- resolved(forks, made_up_definitions(alike))
  expect_identical(judged_with(forks[factor.cipher != "DES"])[, .(verdict, contrasts)], data.table(
    verdict = "holds", contrasts = 1L
  ))
})

test_that("an experiment without claims makes tables without rows", {
  found <- judged(forks, list())
  expect_identical(names(found$verdicts), verdict_columns)
  expect_identical(names(found$contrasts), contrast_columns)
  expect_identical(c(nrow(found$verdicts), nrow(found$contrasts)), c(0L, 0L))
})

test_that("a claim on disturbed runs has its number and stays undecided", {
  own <- copy(forks)[, `:=`(valid = factor.cipher != "AES", rerun_of = NA_real_)]
  found <- judged(shown_forks(own), fastest)$verdicts
  expect_identical(found$verdict, "undecided")
  expect_true(is.finite(found$estimate))
  expect_identical(found$cause, "disturbed")
  expect_true(is.na(found$p) && is.na(found$p_holm))
  expect_false("undecided" %in% judged(shown_forks(own[, valid := TRUE]), fastest)$verdicts$verdict)
})

test_that("two forks of a stage are too few, and were not disturbed", {
  own <- copy(forks)[number <= 2 | factor.cipher != "AES"][, looks := 4L]
  found <- judged(own, fastest)$verdicts
  expect_identical(c(found$verdict, found$cause), c("undecided", "too few forks"))
})
