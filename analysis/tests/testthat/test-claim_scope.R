experiment <- made_up_experiment(list())
cells <- data.table(
  workload = "encrypt", provider = "sunjce", cpu_profile = "native", factor.cipher = c("AES", "DES"),
  factor.size = "100 KB"
)

test_that("what the tier left out of the claim's scope is named", {
  claim <- ordered_claim("order", c("AES", "DES"))
  expect_identical(scope_words(experiment, claim, cells, "encrypt"), "at 100 KB; 1 MB and 10 MB not in this tier")
  claim$among <- list(workload = list("encrypt", "decrypt"), size = list("100 KB"))
  expect_identical(scope_words(experiment, claim, cells, "encrypt"), "at encrypt; decrypt not in this tier")
})

test_that("a workload that is judged by itself is missing only where no variant has it", {
  among <- list(workload = list("encrypt", "decrypt"), size = "100 KB")
  claim <- ordered_claim("order", c("AES", "DES"), among = among)
  claim$each <- "workload"
  expect_identical(scope_words(experiment, claim, cells, c("encrypt", "decrypt")), "")
  expect_identical(scope_words(experiment, claim, cells, "encrypt"), "at encrypt; decrypt not in this tier")
})

test_that("a claim that is covered whole says nothing", {
  claim <- ordered_claim("order", c("AES", "DES"), among = list(size = "100 KB"))
  expect_identical(scope_words(experiment, claim, cells, "encrypt"), "")
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
