options <- list(
  raw = list(text = "the raw directory", required = TRUE, folder = TRUE), rounds = list(text = "a list", file = TRUE)
)

test_that("options come as --name VALUE", {
  expect_identical(read_arguments(options, "", c("--raw", tempdir())), list(raw = tempdir()))
})

test_that("a wrong command line is refused with what is wrong and what there is", {
  expect_refusal(read_arguments(options, "", c("--row", "x")), "'--row' is unknown", "--raw, --rounds")
  expect_refusal(read_arguments(options, "", "--raw"), "--raw has no value")
  expect_refusal(read_arguments(options, "", character()), "--raw is missing", "the raw directory")
  expect_refusal(read_arguments(options, "", c("--raw", tempdir(), "--raw", tempdir())), "given twice")
  expect_refusal(read_arguments(options, "", c("--raw", "/no/such")), "/no/such: no such directory")
  expect_refusal(read_arguments(options, "", c("--raw", tempdir(), "--rounds", "/no/such")), "/no/such: no such file")
})

test_that("--help names purpose and every option", {
  text <- usage_text(options, "Tidies rounds.")
  for (part in c("Tidies rounds.", "--raw", "the raw directory", "--rounds", "(optional)", "--help")) {
    expect_match(text, part, fixed = TRUE)
  }
})
