inside("judge")

experiment <- made_up_experiment(list())
cells <- data.table(
  workload = "encrypt", provider = "sunjce", cpu_profile = "native", factor.cipher = c("AES", "DES"),
  factor.size = "100 KB"
)

test_that("what the tier left out of the claim's scope is named", {
  claim <- ordered_claim("order", c("AES", "DES"))
  expect_identical(scope_words(experiment, claim, cells), "at 100 KB; 1 MB and 10 MB not in this tier")
  claim$among <- list(workload = list("encrypt", "decrypt"), size = list("100 KB"))
  expect_identical(scope_words(experiment, claim, cells), "at encrypt; decrypt not in this tier")
})

test_that("a claim that is covered whole says nothing", {
  claim <- ordered_claim("order", c("AES", "DES"), among = list(size = "100 KB"))
  expect_identical(scope_words(experiment, claim, cells), "")
})

test_that("absent levels and workloads are named", {
  expect_identical(
    absent_words(cells, ordered_claim("order", c("AES", "Blowfish", "Triple-DES"))), "Blowfish and Triple-DES"
  )
  claim <- list(
    ratios = list(list(numerator = list(workload = "generate-key"), denominator = list(workload = "encrypt")))
  )
  expect_identical(absent_words(cells, claim), "generate-key")
})
