# Providers keep their order under another CPU, but where features of the CPU make a pair's.
cells <- CJ(provider = c("bc", "corretto", "sunjce"), cpu_profile = c("native", "core2"), sorted = FALSE)
ns <- c(5000, 6000, 400, 3000, 1000, 2900)
providers <- list(bc = list(), corretto = list(features = list(AES = list("AES-NI"))), sunjce = list(
  features = list(AES = list("AES-NI", "CLMUL"))
))
claim <- list(S7 = list(
  form = "kept-order", parameters = list(),
  compare = list(factor = "provider", levels = list("bc", "corretto", "sunjce")),
  across = list(factor = "cpu-profile", levels = list("native", "core2")), each = list("cipher")
))
verdict <- function(ns, providers, cipher = "AES") {
  made <- copy(cells)[, `:=`(workload = "encrypt", factor.cipher = cipher, cell = paste(provider, cpu_profile))]
  set(made, j = "ns", value = ns)
  definitions <- made_up_definitions(claim)
  definitions$providers <- providers
  judge_made_up(made_up_forks(made), definitions)$verdicts
}

test_that("without features every pair is judged: one that turns round refutes", {
  none <- lapply(providers, function(one) list())
  expect_identical(verdict(c(5000, 6000, 400, 900, 1000, 2000), none)$verdict, "holds")
  expect_identical(verdict(c(5000, 6000, 1000, 2000, 400, 3000), none)$verdict, "does-not-hold")
})

test_that("pairs with features are told beside the verdict, and don't decide it", {
  slow <- list(bc = list(), corretto = list(), sunjce = providers$sunjce)
  found <- verdict(c(5000, 6000, 1000, 2000, 400, 3000), slow)
  expect_identical(found$verdict, "holds")
  expect_match(found$covers, "which the claim excepts: bc and SunJCE \\(SunJCE: AES-NI and CLMUL\\) keep their order")
  expect_match(found$covers, "corretto and SunJCE \\(SunJCE: AES-NI and CLMUL\\) turn round")
})

test_that("features are of an algorithm; where every pair has some there is nothing to judge", {
  expect_identical(verdict(c(5000, 6000, 1000, 2000, 400, 3000), providers, "DES")$verdict, "does-not-hold")
  all <- c(providers[-1], list(bc = list(features = list(AES = list("AES-NI")))))
  found <- verdict(ns, all)
  expect_identical(found$verdict, "not-comparable")
  expect_match(found$reason, "^every pair uses features")
})
