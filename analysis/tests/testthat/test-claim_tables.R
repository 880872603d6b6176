# The studies' own numbers, as they are read.
test_that("published values are read from every file of the directory", {
  folder <- tempfile()
  dir.create(folder)
  writeLines(c("study,quantity,value,unit,error", "s,q,1.5,ns/op,"), file.path(folder, "s.csv"))
  expect_identical(published_values(folder)$value, 1.5)
  writeLines(c("study,quantity", "s,q"), file.path(folder, "t.csv"))
  expect_refusal(published_values(folder), "t.csv", "lacks column value")
})

test_that("numbers that an experiment's own file brings stand behind those of the directory", {
  folder <- tempfile()
  dir.create(folder)
  writeLines(c("study,quantity,value,unit,n", "s,q,1.5,ns/op,"), file.path(folder, "s.csv"))
  row <- list(study = "mine", quantity = "a", value = 3L, unit = "ns/op", error = 0.5, n = 10L, claims = "A1")
  found <- published_values(folder, list(a = list(published = list(row)), b = list(id = "none")))
  expect_identical(found$study, c("s", "mine"))
  expect_identical(found$value, c(1.5, 3))
  expect_identical(found$n, c(NA, 10))
  expect_identical(found$claims, c("", "A1"))
})

test_that("text in the place of a number is refused, not left out", {
  folder <- tempfile()
  dir.create(folder)
  for (value in c("4O", "NaN", "Inf", "1,5", "1e999", "2\x800")) {
    writeLines(c("study,quantity,value,n", "s,q,2,", sprintf('s,r,"%s",', value)), file.path(folder, "s.csv"))
    expect_refusal(published_values(folder), "s.csv: value of 'r' is", "a number, or nothing")
  }
  writeLines(c("study,quantity,value,n", "s,q,,ten", "s,r,,"), file.path(folder, "s.csv"))
  expect_refusal(published_values(folder), "s.csv: n of 'q' is 'ten'")
})

# Every claim in words.
published <- published_values(published_folder)
claim <- function(...) list(text = "A claim", place = "page 1", form = "ratio-about", published = list(...))
table <- list(numerator = "rsa-encrypt", denominator = "des-encrypt")
definitions <- list(experiments = list(list(
  id = "phenry2014", study = list(id = "phenry2014"), claims = list(
    P1 = claim(quantity = "ratio of RSA to DES, encryption", reading = "value"), P4 = claim(table = table),
    P9 = list(text = "Another", place = "page 2", form = "not-testable")
  )
)))
found <- claim_list(definitions, published, published_ratios(definitions, published))

test_that("a claim has its words and the number that its study gives: stated, or of its table, or none", {
  expect_identical(found$claim, c("P1", "P4", "P9"))
  expect_identical(found$text, c("A claim", "A claim", "Another"))
  expect_equal(found$published_value, c(1000, 203438.819 / 731.335, NA))
  expect_match(found$published[1], "^1000")
  expect_match(found$published[2], "^the table: 278")
  expect_identical(found$published[3], "no figure")
})

test_that("a run without claims has a table without rows", {
  none <- claim_list(list(experiments = list(list(id = "a"))), published, published_ratios(list(), published))
  expect_identical(dim(none), c(0L, 7L))
})

# A claim counts once, whatever its variants and wherever they were measured.

row <- function(verdict, variant = "", environment = "e", claim = "K1", protocol = "steady-state", ...) {
  defaults <- list(
    experiment = "x", claim = claim, variant = variant, environment = environment, protocol = protocol,
    verdict = verdict, direction = "", size = "", cause = "", reason = "why",
    estimate = 1, lower = 0.9, upper = 1.1, p = 0.01, verdict_id = "v1"
  )
  as.data.table(utils::modifyList(defaults, list(...)))
}
claims <- data.table(
  experiment = "x", claim = c("K1", "K2"), text = "t", place = "p", form = "order", published = "2", published_value = 2
)
definitions <- list(experiments = list(list(id = "x", study = list(id = "s"))))
summary_of <- function(...) claim_summary(claims, rbind(...), definitions)

test_that("a claim with all variants alike has their verdict, and a row for each protocol", {
  found <- summary_of(
    row("holds", "a=1"), row("holds", "a=2"), row("opposite", "a=1", protocol = "as-published"),
    row("undecided", claim = "K2")
  )
  expect_identical(found[, .(study, claim, protocol, verdict, variants)], data.table(
    study = "s", claim = c("K1", "K1", "K2"), protocol = c("steady-state", "as-published", "steady-state"),
    verdict = c("holds", "opposite", "undecided"), variants = c(2, 1, 1)
  ))
  expect_identical(found$holds, c(2, 0, 0))
})

test_that("environments of a variant are no variants", {
  found <- summary_of(row("holds", environment = "e"), row("holds", environment = "f"))
  expect_identical(found[, c(variants, holds)], c(1, 1))
})

test_that("variants that were decided differently differ; undecided ones do not count while half are decided", {
  expect_identical(summary_of(row("holds", "a=1"), row("opposite", "a=2"))$verdict, "differs")
  mostly <- summary_of(row("holds", "a=1"), row("holds", "a=2"), row("undecided", "a=3", cause = "too wide"))
  expect_identical(mostly$verdict, "holds")
  expect_match(mostly$reason, "^holds for 2 of 3 variants and undecided for 1; why$")
  rarely <- summary_of(row("holds", "a=1"), row("undecided", "a=2"), row("undecided", "a=3"))
  expect_identical(rarely$verdict, "undecided")
})

test_that("the range of a claim's estimates is that of all its variants", {
  found <- summary_of(row("other-size", "a=1", estimate = 18), row("other-size", "a=2", estimate = 61))
  expect_identical(found[, c(estimate_least, estimate_most)], c(18, 61))
})

test_that("departures are the choices that say what the study did, each once in a study", {
  departure <- list(study = "a Pentium", here = "this machine", effect = "faster")
  two <- list(experiments = list(
    list(id = "x", study = list(id = "s"), choices = list("a text", departure)),
    list(id = "y", study = list(id = "s"), choices = list(departure))
  ))
  expect_identical(as.list(departures_table(two)), list(
    study = "s", experiment = "x", then = "a Pentium", here = "this machine", effect = "faster"
  ))
})

# A study's own numbers, put through the encoding of its claims. bench/tests/test_own_numbers.py does it for the
# experiment files.
published <- published_values(published_folder)

claim <- function(form, parameters, published, ...) {
  list(text = "t", place = "p", form = form, parameters = parameters, published = published, ...)
}
no_cells <- made_up_forks(four_ciphers(), 1)[0]
own <- function(claim, rows = published) {
  made <- list(id = "ibm-jsse", measure = "wall", study = list(id = "ibm-jsse"), claims = list(I1 = claim))
  claims_table(resolved(no_cells, list(experiments = list(made)))$definitions, rows)
}
ratio <- list(list(numerator = list(a = "b"), denominator = list(a = "c")))

test_that("an encoding that asks for another quantity is found: half the utilisation is no quarter", {
  half <- list(quantity = "server CPU saved by caching, software", reading = "less")
  about <- function(value) own(claim("ratio-about", list(value = value, within = 1.25), half, ratios = ratio))
  expect_identical(about(0.5)$own_verdict, "holds")
  expect_identical(about(0.25)$own_verdict, "other-size")
})

test_that("a number on the limit is inside, one beyond is not", {
  more <- list(quantity = "client CPU added by client authentication, software", reading = "add")
  at <- own(claim("ratio-above", list(limit = 1.4), more, ratios = ratio))
  expect_identical(c(at$own, at$own_verdict, at$own_said), c("1.4", "holds", "at least"))
  expect_identical(own(claim("ratio-above", list(limit = 1.41), more, ratios = ratio))$own_verdict, "other-size")
})

test_that("directions and orders are held against the target's side", {
  above <- list(words = "far", direction = "above")
  expect_identical(own(claim("ratio-above", list(limit = 10), above, ratios = ratio))$own_verdict, "holds")
  expect_identical(own(claim("ratio-below", list(limit = 10), above, ratios = ratio))$own_verdict, "does-not-hold")
  levels <- list(factor = "f", levels = list("a", "b", "c"))
  first <- list(order = list("a"))
  best <- own(claim("best-of", list(alike = 1.05), first, compare = levels))
  expect_identical(best[, c(own_verdict, target)], c("holds", "below 1; does not hold where all are alike within 1.05"))
  expect_identical(own(claim("slowest-of", list(), first, compare = levels))$own_verdict, "opposite")
  whole <- list(order = list("a", "c", "b"))
  expect_identical(own(claim("order", list(), whole, compare = levels))$own_verdict, "does-not-hold")
  last <- claim("slowest-of", list(), list(order = list("c", "b", "a")), compare = levels)
  expect_identical(own(last)$own_verdict, "holds")
})

test_that("points are points, shares shares; what has no number has no verdict", {
  points <- list(quantity = "server CPU saved by hardware, uncached", reading = "value")
  between <- claim("difference-between", list(lower = 24, upper = 40, points = 100), points, ratios = ratio)
  expect_identical(own(between)[, c(unit, own_verdict, target)], c("percentage points", "holds", "24 to 40"))
  between$parameters$upper <- NULL
  expect_identical(own(between)$target, "above 24")
  none <- own(claim("ratio-above", list(limit = 1), NULL, ratios = ratio))
  expect_identical(none[, c(own_verdict, expected)], c("", ""))
})

test_that("a quantity that data/published lacks is refused", {
  expect_refusal(
    own(claim("ratio-above", list(limit = 1), list(quantity = "no such", reading = "value"), ratios = ratio)),
    "no such", "ibm-jsse I1"
  )
})
