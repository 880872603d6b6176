test_that("flags are read in the formats of JDK 8 and of later ones, set and defaulted", {
  file <- tempfile()
  writeLines(c(
    "[Global flags]",
    "     bool UseAES                                    = true                                {product}",
    "     bool UseSHA1Intrinsics                        := false                               {product}",
    "    ccstr SharedArchiveFile                         =                                     {product}",
    "     bool UseAESIntrinsics                         = true                          {diagnostic} {default}",
    "     intx UseAVX                                   = 3                                    {ARCH product} {default}"
  ), file)
  flags <- read_flags(file)
  expect_identical(flags[["UseSHA1Intrinsics"]], "false")
  expect_identical(flags[["UseAVX"]], "3")
  expect_identical(flags[["SharedArchiveFile"]], "")
  values <- crypto_values(flags)
  expect_identical(unname(values[c("AES", "SHA-1", "AVX", "SHA-3")]), c("on", "off", "3", ""))
})

test_that("a round has a file per CPU profile, and none is no error", {
  folder <- tempfile()
  dir.create(file.path(folder, "jvm"), recursive = TRUE)
  expect_identical(unname(crypto_values(round_flags(folder, "core2"))["AES"]), "")
  writeLines(made_up_flags("core2"), file.path(folder, "jvm/flags-core2.txt"))
  expect_identical(unname(crypto_values(round_flags(folder, "core2"))["AES"]), "off")
})
