set.seed(2)
cells_of <- function(cells, ...) made_up_forks(cells, 1, ...)
pairs_of <- function(forks, claim) {
  cells <- claim_cells(
    forks, c(claim, list(experiment = made_up_experiment(list()))), environment_parts(list(), unique(forks$environment))
  )
  claim_pairs(cells, claim, all_forms()[[claim$form]])
}

test_that("levels are compared within every combination of all else", {
  cells <- cells_of(rbind(four_ciphers(), four_ciphers()[, workload := "decrypt"]))
  found <- pairs_of(cells, ordered_claim("best-of", c("Blowfish", "AES", "DES"), each = list("provider")))
  expect_identical(nrow(found), 4L)
  expect_setequal(found$scope, c("encrypt, 100 KB, sunjce", "decrypt, 100 KB, sunjce"))
  expect_identical(unique(found$numerator), "Blowfish")
  expect_identical(unique(found$variant), "provider=sunjce")
  expect_identical(unique(found$needed), 2L)
})

test_that("other workloads and sizes are never mixed", {
  cells <- cells_of(rbind(four_ciphers()[1:2], four_ciphers()[3:4][, factor.size := "1 MB"]))
  found <- pairs_of(cells, ordered_claim("best-of", c("DES", "AES")))
  expect_identical(nrow(found), 0L)
})

test_that("ratios match where both have a factor, and are free where one has it", {
  keys <- four_ciphers()[, `:=`(workload = "generate-key", factor.size = NA_character_)]
  cells <- cells_of(rbind(keys, four_ciphers(), four_ciphers()[, factor.size := "1 MB"]))
  claim <- ratio_claim("ratio-below", list(limit = 0.05), ratios = list(
    list(numerator = list(workload = "generate-key"), denominator = list(workload = list("encrypt", "decrypt")))
  ))
  found <- pairs_of(cells, claim)
  expect_identical(nrow(found), 8L)
  expect_identical(unique(found$numerator), "generate-key")
  expect_identical(unique(found$denominator), c("encrypt with 100 KB", "encrypt with 1 MB"))
  expect_setequal(found$scope, paste0(c("DES", "Triple-DES", "AES", "Blowfish"), ", sunjce"))
})

test_that("a factor that both filters name is compared, not matched", {
  claim <- ratio_claim("ratio-above", list(limit = 1), ratios = list(
    list(numerator = list(cipher = "DES"), denominator = list(cipher = "AES"))
  ))
  found <- pairs_of(cells_of(four_ciphers()), claim)
  expect_identical(
    found[, .(numerator, denominator, scope)],
    data.table(numerator = "DES", denominator = "AES", scope = "encrypt, 100 KB, sunjce")
  )
})

test_that("pairs stay within environment, image, machine, protocol and provider", {
  cells <- rbind(cells_of(four_ciphers()[1]), cells_of(four_ciphers()[3], environment = "other"))
  claim <- ratio_claim(
    "ratio-above", list(limit = 1),
    ratios = list(list(numerator = list(cipher = "DES"), denominator = list(cipher = "AES")))
  )
  expect_identical(nrow(pairs_of(cells, claim)), 0L)
  expect_identical(nrow(pairs_of(cells, ordered_claim("order", c("DES", "AES")))), 0L)
})

test_that("variants of a ratio come from the side that has the factor", {
  cells <- cells_of(data.table(workload = c("rsa", "rsa", "des"), factor.bits = c("1024", "2048", NA), ns = 1))
  claim <- ratio_claim("ratio-about", list(value = 10, within = 2), each = list("bits"), ratios = list(
    list(numerator = list(workload = "rsa"), denominator = list(workload = "des"))
  ))
  found <- pairs_of(cells, claim)
  expect_identical(found$variant, c("bits=1024", "bits=2048"))
  expect_identical(found$numerator, c("rsa with bits 1024", "rsa with bits 2048"))
})
