parts <- environment_parts(list(environments = matrix_environments))
verdicts_of <- function(...) {
  rows <- data.table(...)
  rows[, `:=`(experiment = "e", claim = "K1", variant = "", protocol = "steady-state", verdict_id = paste0("v", .I))]
  if (!"machine_id" %in% names(rows)) rows[, machine_id := "m1"]
  rows[]
}
five <- vapply(matrix_environments, function(entry) entry$id, "")

test_that("only places that differ in one dimension are pairs", {
  found <- verdict_changes(verdicts_of(environment = five, cpu_profile = "native", verdict = "supported"), parts)
  expect_identical(found[, .N, by = dimension]$N, c(4L, 2L))
  expect_setequal(found[dimension == "system", paste(one, two, jdk)], c(
    "debian-12 debian-13 temurin-17", "debian-12 debian-13 temurin-21", "debian-12 wine temurin-21",
    "debian-13 wine temurin-21"
  ))
  crossed <- verdicts_of(environment = five[c(1, 4)], cpu_profile = "native", verdict = "supported")
  expect_identical(nrow(verdict_changes(crossed, parts)), 0L)
  machines <- verdicts_of(
    environment = five[4:5], cpu_profile = "native", verdict = "refuted", machine_id = c("m1", "m2")
  )
  expect_identical(nrow(verdict_changes(machines, parts)), 0L)
})

test_that("a verdict that changes is named with the pair; one that is only less sure is told apart", {
  rows <- verdicts_of(environment = five[4:5], cpu_profile = "native", verdict = c("supported", "refuted"))
  changed <- describe_changes(verdict_changes(rows, parts), parts)
  expect_identical(changed$answer, "yes")
  expect_match(
    changed$text, "Debian 13 supported, Windows JVM on Wine refuted (Temurin 21, native, steady-state)", fixed = TRUE
  )
  rows[2, verdict := "undecided"]
  expect_identical(describe_changes(verdict_changes(rows, parts), parts)$answer, "less sure")
  rows[2, verdict := "supported"]
  expect_identical(describe_changes(verdict_changes(rows, parts), parts)$text, "alike in 1 pair")
  expect_identical(describe_changes(verdict_changes(rows[1], parts), parts)$answer, "only one measured")
})

test_that("CPU classes are told native first, and claims across systems are compared over what they hold fixed", {
  rows <- verdicts_of(
    environment = "*-temurin-21", cpu_profile = c("core2", "native"), verdict = c("refuted", "supported")
  )
  found <- verdict_changes(rows, parts)
  expect_identical(found[, c(dimension, one, two)], c("cpu_profile", "native", "core2"))
  jdks <- verdicts_of(environment = c("*-temurin-17", "*-temurin-21"), cpu_profile = "", verdict = "refuted")
  expect_identical(verdict_changes(jdks, parts)$dimension, "jdk")
})
