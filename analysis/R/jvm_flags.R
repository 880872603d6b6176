# The JVM's final flags as a round keeps them, read for the intrinsics that ciphers and hashes rest on.

#' Flags of HotSpot that switch the intrinsics of cryptography, and what the CPU may do for them: short name to flag.
crypto_flags <- c(
  "AES" = "UseAESIntrinsics", "AES-CTR" = "UseAESCTRIntrinsics", "GHASH" = "UseGHASHIntrinsics",
  "SHA-1" = "UseSHA1Intrinsics", "SHA-256" = "UseSHA256Intrinsics", "SHA-512" = "UseSHA512Intrinsics",
  "SHA-3" = "UseSHA3Intrinsics", "MD5" = "UseMD5Intrinsics", "ChaCha20" = "UseChaCha20Intrinsics",
  "Poly1305" = "UsePoly1305Intrinsics", "EC" = "UseIntPolyIntrinsics", "ML-KEM" = "UseKyberIntrinsics",
  "ML-DSA" = "UseDilithiumIntrinsics", "big multiply" = "UseMultiplyToLenIntrinsic",
  "Montgomery" = "UseMontgomeryMultiplyIntrinsic", "CLMUL" = "UseCLMUL", "SSE" = "UseSSE", "AVX" = "UseAVX"
)

#' Read a file of `-XX:+PrintFlagsFinal`.
#'
#' @return named character, flag to value; empty where there is no file
read_flags <- function(file) {
  if (!file.exists(file)) return(character())
  lines <- grep("^ *[A-Za-z_0-9]+ +[A-Za-z_0-9]+ +:?= ", readLines(file, warn = FALSE), value = TRUE)
  parts <- regmatches(lines, regexec("^ *[A-Za-z_0-9]+ +([A-Za-z_0-9]+) +:?= *([^ {]*)", lines))
  setNames(vapply(parts, `[`, "", 3), vapply(parts, `[`, "", 2))
}

#' The flags of a round's forks of one CPU profile.
round_flags <- function(folder, profile) read_flags(file.path(folder, "jvm", sprintf("flags-%s.txt", profile)))

#' Values of `crypto_flags` in words: `on`, `off`, a number, or nothing where this JVM has no such flag.
crypto_values <- function(flags) {
  values <- flags[crypto_flags]
  values <- ifelse(values == "true", "on", ifelse(values == "false", "off", values))
  setNames(ifelse(is.na(values), "", values), names(crypto_flags))
}
