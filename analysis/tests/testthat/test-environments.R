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

test_that("caveats are told once", {
  parts <- environment_parts(list(environments = matrix_environments))
  expect_identical(caveats_of(parts, c("debian-12-temurin-17", "wine-temurin-21")), matrix_environments[[5]]$caveat)
  expect_identical(caveats_of(parts, "debian-12-temurin-17"), "")
})
