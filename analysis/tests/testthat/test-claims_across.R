# Claims that compare operating systems, JDKs and CPU profiles, on forks whose truth is known.
set.seed(41)
every <- vapply(matrix_environments, function(entry) entry$id, "")
linux_first <- ratio_claim("ratio-below", list(limit = 1), ratios = list(
  list(numerator = list(platform = "linux"), denominator = list(platform = "windows"))
))
alike <- function(levels, within = 1.1, factor = "system") {
  list(form = "same", parameters = list(within = within), compare = list(factor = factor, levels = as.list(levels)))
}
order_kept <- list(
  form = "same-order", compare = list(factor = "cipher", levels = list("AES", "Blowfish", "DES", "Triple-DES")),
  across = list(factor = "cpu-profile", levels = list("native", "core2"))
)
on_wine <- function(factor) function(environment, profile, cipher) if (startsWith(environment, "wine")) factor else 1

test_that("Linux against Windows: every Linux of the same JDK, held or not as the truth is", {
  found <- matrix_judged(matrix_forks(every, slower = on_wine(1.5)), list(K5 = linux_first))
  expect_identical(found$verdicts$verdict, "holds")
  expect_identical(found$verdicts$environment, "*-temurin-21")
  expect_identical(nrow(found$contrasts), 8L)
  expect_setequal(found$contrasts$numerator_environment, c("debian-12-temurin-21", "debian-13-temurin-21"))
  expect_identical(unique(found$contrasts$denominator_environment), "wine-temurin-21")
  expect_identical(unique(found$contrasts$denominator_image_id), "sha256:wine-temurin-21")
  expect_match(found$verdicts$caveat, "Wine, not Windows itself")
  expect_match(
    found$verdicts$reason,
    "times as long as Windows JVM on Wine \\(encryption, [A-Za-z-]+, 100 KB, SunJCE, Temurin 21\\)"
  )
  turned <- matrix_judged(matrix_forks(every, slower = on_wine(0.8)), list(K5 = linux_first))
  expect_identical(turned$verdicts$verdict, "opposite")
})

test_that("rounds of the same number are the blocks of two environments", {
  found <- matrix_judged(matrix_forks(every[4:5], slower = on_wine(1.5)), list(K5 = linux_first))$contrasts
  expect_identical(unique(found$blocks), 10L)
})

test_that("without a Windows JVM the claim says so, once", {
  found <- matrix_judged(matrix_forks(every[1:4]), list(K5 = linux_first))$verdicts
  expect_identical(found$verdict, "not-testable")
  expect_identical(found$reason, "no environment of this run has a Windows JVM")
  expect_true(is.na(found$environment))
})

test_that("environments of another machine are never compared with this one's, and no workload with another", {
  forks <- rbind(
    matrix_forks(every[4]), matrix_forks(every[5], slower = on_wine(2))[, machine_id := "m2"]
  )
  found <- matrix_judged(forks, list(K5 = linux_first))
  expect_identical(found$verdicts$verdict, "not-testable")
  expect_identical(nrow(found$contrasts), 0L)
  more <- matrix_forks(every[4:5])
  more <- rbind(more, copy(more)[, `:=`(workload = "decrypt", cell = paste0("d", cell))])
  expect_identical(nrow(matrix_judged(more, list(K5 = linux_first))$contrasts), 8L)
})

test_that("each CPU profile has a verdict of its own, which may be opposite", {
  forks <- matrix_forks(every[4:5], c("native", "core2"), function(environment, profile, cipher) {
    if (startsWith(environment, "wine") == (profile == "native")) 1.3 else 1
  })
  found <- matrix_judged(forks, list(K5 = linux_first))
  expect_identical(found$verdicts[, .(cpu_profile, verdict)], data.table(
    cpu_profile = c("core2", "native"), verdict = c("opposite", "holds")
  ))
  expect_setequal(found$contrasts$cpu_profile, c("core2", "native"))
})

test_that("same: holds inside the margin, and not outside, undecided at its edge", {
  systems <- c("debian-13", "wine", "debian-12")
  claims <- list(S5 = alike(systems))
  verdicts <- function(factor) {
    found <- matrix_judged(matrix_forks(every, slower = on_wine(factor)), claims)$verdicts
    found[environment == "*-temurin-21", verdict]
  }
  expect_identical(
    vapply(c(1, 1.25, 0.8, 1.1), verdicts, ""), c("holds", "does-not-hold", "does-not-hold", "undecided")
  )
})

test_that("same is judged on the levels there are, two at least, and names the others", {
  claims <- list(S5 = alike(c("debian-11", "debian-13", "wine", "debian-12")))
  found <- matrix_judged(matrix_forks(every[c(1, 2, 4)]), claims)
  expect_identical(found$verdicts$environment, "*-temurin-21")
  expect_identical(found$verdicts$verdict, "holds")
  expect_identical(unique(found$contrasts[, paste(numerator, denominator)]), "Debian 12 Debian 13")
  expect_match(found$verdicts$covers, "^at Debian 13, Debian 12 and 100 KB; debian-11, Windows JVM on Wine, ")
  alone <- matrix_judged(matrix_forks(every[1]), claims)$verdicts
  expect_identical(alone$verdict, "not-testable")
  expect_identical(alone$reason, "only Debian 12 of those that the claim compares was measured")
})

test_that("JDKs are compared within a system", {
  found <- matrix_judged(matrix_forks(every), list(J = alike(c("temurin-17", "temurin-21"), factor = "jdk")))
  expect_identical(found$verdicts$environment, c("debian-12-*", "debian-13-*"))
  expect_identical(unique(found$contrasts$numerator), "Temurin 21")
})

test_that("CPU profiles are compared within an environment", {
  slower <- function(environment, profile, cipher) if (profile == "core2") 2 else 1
  forks <- matrix_forks(every[1], c("native", "core2"), slower)
  found <- matrix_judged(forks, list(C = alike(c("native", "core2"), factor = "cpu-profile")))
  expect_identical(found$verdicts$verdict, "does-not-hold")
  expect_identical(found$verdicts$cpu_profile, "")
  expect_identical(unique(found$contrasts[, paste(numerator, denominator)]), "Core 2 class the machine's CPU")
})

test_that("same order: the profiles agree, or turn a pair", {
  kept <- matrix_forks(every[1], c("native", "core2"), function(environment, profile, cipher) {
    if (profile == "core2" && cipher == "AES") 4 else 1
  })
  found <- matrix_judged(kept, list(S7 = order_kept))
  expect_identical(found$verdicts$verdict, "holds")
  expect_identical(nrow(found$contrasts), 12L)
  expect_identical(found$verdicts$cpu_profile, "")
  expect_setequal(found$contrasts$cpu_profile, c("native", "core2"))
  expect_match(found$verdicts$reason, " with the machine's CPU and .* times with Core 2 class")
  turned <- matrix_forks(every[1], c("native", "core2"), function(environment, profile, cipher) {
    if (profile == "core2" && cipher == "AES") 10 else 1
  })
  found <- matrix_judged(turned, list(S7 = order_kept))$verdicts
  expect_identical(found$verdict, "does-not-hold")
  expect_match(found$reason, "^AES takes .* Blowfish|^AES takes .* DES")
})

test_that("same order: a pair that one profile can't tell apart is undecided, never held", {
  forks <- matrix_forks(every[1], c("native", "core2"), function(environment, profile, cipher) {
    if (profile == "core2" && cipher == "DES") 0.5 else 1
  })
  found <- matrix_judged(forks, list(S7 = order_kept))$verdicts
  expect_identical(found$verdict, "undecided")
  expect_match(found$reason, "wanted the same clear order")
})

test_that("same order with one profile measured says so", {
  found <- matrix_judged(matrix_forks(every[1]), list(S7 = order_kept))$verdicts
  expect_identical(found$reason, "only the machine's CPU of those that the claim compares was measured")
})

test_that("a filter on the platform keeps to it without comparing across it", {
  claim <- ordered_claim("best-of", c("AES", "DES"), among = list(platform = "windows"))
  found <- matrix_judged(matrix_forks(every), list(K = claim))$verdicts
  expect_identical(found[verdict == "holds", environment], "wine-temurin-21")
  expect_match(found[environment == "wine-temurin-21", caveat], "Wine")
})

# One order in several settings.
test_that("two settings that agree, differ, or leave it open", {
  p <- function(...) order_p_values(c(...), c(0.01, 0.01), c(9, 9))
  expect_lt(p(-1, -0.5)$p_support, 1e-6)
  expect_lt(p(1, 0.5)$p_support, 1e-6)
  expect_lt(p(1, -0.5)$p_refute, 1e-6)
  expect_gt(p(1, -0.5)$p_support, 0.99)
  expect_gt(p(1, 0)$p_support, 0.49)
  expect_gt(p(1, 0)$p_refute, 0.49)
  expect_identical(order_p_values(1, 0.1, 9)$p_support, NA_real_)
  expect_identical(order_p_values(c(1, NA), c(0.1, NA), c(9, NA))$p_refute, NA_real_)
})

test_that("three settings: one that differs is one too many, and the pairs are counted", {
  found <- order_p_values(c(1, 1, -1), rep(0.3, 3), rep(9, 3))
  expect_equal(found$p_support, pt(1 / 0.3, 9))
  expect_equal(found$p_refute, 3 * pt(-1 / 0.3, 9))
})

# The probability that a test at level z calls the same order, or opposite orders, for true t of `a` and `b`.
called <- function(a, b, z, df) {
  critical <- qt(1 - z, df)
  up <- function(ncp) suppressWarnings(pt(critical, df, ncp, lower.tail = FALSE))
  list(same = up(a) * up(b) + up(-a) * up(-b), opposite = up(a) * up(-b) + up(-a) * up(b))
}

test_that("that the data choose the direction costs nothing: the size over all of the null is the level", {
  for (df in c(4, 8, 18)) {
    for (z in c(0.005, 0.025, 0.05)) {
      grid <- expand.grid(a = seq(0, 9, by = 0.25), b = seq(0, 9, by = 0.25))
      # Opposite or no orders are the null of "the same", agreeing or no orders that of "opposite".
      expect_lte(max(called(grid$a, -grid$b, z, df)$same), z * (1 + 1e-6))
      expect_lte(max(called(grid$a, grid$b, z, df)$opposite), z * (1 + 1e-6))
    }
  }
})

# Steps in the same order in several settings, or alike in all.
set.seed(73)
forks <- made_up_forks(data.table(workload = "chain", factor.cipher = c("AES", "DES"), ns = 1000))
steps <- function(aes, des, measure = "step-ratio.encrypt.decrypt", cv = 0.02) {
  forks[, .(
    experiment, environment, round, fork, measure = measure, sd = NA_real_,
    value = fifelse(factor.cipher == "AES", aes, des) * exp(stats::rnorm(.N, 0, cv))
  )]
}
claim <- list(C13 = list(
  form = "same-steps", measures = c("step-ratio.encrypt.decrypt", "step-ratio.encrypt.initialise"),
  parameters = list(alike = 1.25), among = list(workload = "chain"),
  across = list(factor = "cipher", levels = list("AES", "DES"))
))
verdict <- function(...) {
  judge_made_up(forks, made_up_definitions(claim), rbind(...))$verdicts
}

test_that("the same order in all, or alike in all, keeps the pattern; opposite orders break it", {
  kept <- verdict(steps(2, 3), steps(1.02, 0.97, "step-ratio.encrypt.initialise"))
  expect_identical(kept$verdict, "holds")
  broken <- verdict(steps(2, 0.5), steps(2, 3, "step-ratio.encrypt.initialise"))
  expect_identical(broken$verdict, "does-not-hold")
  said <- "the time of encryption over that of decryption is [0-9.]+ with AES and 0.[0-9]+ with DES"
  expect_match(broken$reason, said)
})

test_that("a pair of steps that is neither is undecided", {
  expect_identical(verdict(steps(2, 3), steps(1.24, 0.9, "step-ratio.encrypt.initialise"))$verdict, "undecided")
})

test_that("one side is Student's t within forks, the smaller way counts twice, and a pair needs all of its settings", {
  one <- log(c(2, 2.1, 2.2, 1.9, 2))
  two <- log(c(3, 3.2, 2.9, 3.1, 3))
  p <- function(values, mu, side) stats::t.test(values, mu = mu, alternative = side)$p.value
  moments <- function(values) c(mean(values), stats::sd(values) / sqrt(5))
  both <- rbind(moments(one), moments(two))
  found <- kept_p_values(both[, 1], both[, 2], c(4, 4), alike = 1.25)
  expect_equal(found$p_support, 2 * max(p(one, 0, "greater"), p(two, 0, "greater")))
  near <- log(c(1.01, 0.99, 1.02, 1, 0.98))
  both <- rbind(moments(near), moments(near + 0.001))
  inside <- function(values) max(p(values, -log(1.25), "greater"), p(values, log(1.25), "less"))
  expect_equal(
    kept_p_values(both[, 1], both[, 2], c(4, 4), alike = 1.25)$p_support, 2 * max(inside(near), inside(near + 0.001))
  )
  lone <- forks[factor.cipher == "AES"]
  found <- judge_made_up(lone, made_up_definitions(claim), rbind(steps(2, 3)))$verdicts
  expect_identical(found$verdict, "not-testable")
})

test_that("steps of code that is not proven compiled are at most undecided", {
  forks[factor.cipher == "DES", `:=`(warm_up_state = "unproven", warm_up_why = "x")]
  on.exit(forks[, `:=`(warm_up_state = "proven", warm_up_why = "")])
  expect_identical(verdict(steps(2, 3), steps(2, 3, "step-ratio.encrypt.initialise"))$verdict, "undecided")
})

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
