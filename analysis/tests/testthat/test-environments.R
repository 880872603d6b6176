test_that("what the definitions do not know is equal to nothing else", {
  parts <- environment_parts(
    list(environments = list(
      list(id = "kit-ab", label = "Kit"), list(id = "i", system = "image", os = "A registry image")
    )),
    c("kit-ab", "other")
  )
  expect_identical(parts$environment, c("kit-ab", "i", "other"))
  expect_identical(parts$system, parts$environment)
  expect_identical(parts$jdk, parts$environment)
  expect_identical(unique(parts$caveat), "")
})

test_that("a claim frees the part of a place that its comparison names; a filter on one side or on all does not", {
  expect_identical(freed_parts(list(compare = list(factor = "system"))), "system")
  joint <- list(compare = list(factor = "cipher"), across = list(factor = "cpu-profile"))
  expect_identical(freed_parts(joint), "cpu_profile")
  expect_identical(freed_parts(list(among = list(platform = "linux"), compare = list(factor = "cipher"))), character())
  ratio <- function(...) list(ratios = list(list(...)))
  both <- ratio(numerator = list(platform = "linux"), denominator = list(system = "wine"))
  expect_identical(freed_parts(both), "system")
  expect_identical(freed_parts(ratio(numerator = list(jdk = "a"), denominator = list(workload = "b"))), character())
})

test_that("freed environments are named after what they share", {
  expect_identical(shared_environment("e", "debian-13", "temurin-21.0.8", "system"), "*-temurin-21.0.8")
  expect_identical(shared_environment("e", "debian-13", "temurin-21.0.8", "jdk"), "debian-13-*")
  expect_identical(shared_environment("e", "debian-13", "temurin-21.0.8", c("system", "jdk")), "*")
  expect_identical(shared_environment("e", "debian-13", "temurin-21.0.8", "cpu_profile"), "e")
})

test_that("caveats are told once", {
  parts <- environment_parts(list(environments = matrix_environments))
  expect_identical(caveats_of(parts, c("debian-12-temurin-17", "wine-temurin-21")), matrix_environments[[5]]$caveat)
  expect_identical(caveats_of(parts, "debian-12-temurin-17"), "")
})
