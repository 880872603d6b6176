# What to choose: providers by what they do in a second.

# The forks of c lie far apart: its mean is more than its ratio times the fastest's.
ratios <- data.table::data.table(
  operation = c("encrypt AES", "encrypt AES", "encrypt AES", "sign RSA", "sign RSA", "hash MD5"),
  provider = c("a", "b", "c", "a", "b", "a"), rank = c(1, 2, 3, 1, 2, 1), bytes = c(1e6, 1e6, 1e6, NA, NA, 1e6),
  mean_ns = c(1e6, 1.02e6, 4.4e6, 2e5, 4e5, 1e6), ratio = c(1, 1.02, 4, 1, 2, 1), lower = c(NA, 0.98, 3.9, NA, 1.9, NA),
  upper = c(NA, 1.06, 4.1, NA, 2.1, NA),
  settled = "proved", ratio_id = paste0("r", 1:6)
)

test_that("a provider's speed is in MB or operations a second; one that can't be told from the fastest is marked", {
  group <- choice_group(data.table::copy(ratios), "here")
  expect_identical(vapply(group$rows, `[[`, "", "operation"), c("encrypt AES", "sign RSA"))
  aes <- group$rows[[1]]
  expect_identical(c(aes$fastest, aes$speed), c("a", "1000\u00a0MB/s"))
  expect_identical(aes$others, "~\u00a0b 980\u00a0MB/s; c 250\u00a0MB/s")
  expect_identical(aes$seen, "4.0 %")
  expect_identical(group$rows[[2]]$speed, "5000\u00a0/s")
  expect_match(group$left_out, "hash MD5 (a)", fixed = TRUE)
})

test_that("what is not proved settled is left out by name, with all of an operation where the fastest is not", {
  open <- data.table::copy(ratios)[3, settled := "not proved"][4, settled := "still compiling"]
  group <- choice_group(open, "here")
  expect_identical(vapply(group$rows, `[[`, "", "operation"), "encrypt AES")
  expect_no_match(group$rows[[1]]$others, "c 250")
  expect_match(group$left_out, "encrypt AES (c), sign RSA (a, b) and hash MD5 (a)", fixed = TRUE)
})

test_that("a run without providers to compare has no such page", {
  expect_identical(report_tables()$choose(report_example())$groups, list())
})
