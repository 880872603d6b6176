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
