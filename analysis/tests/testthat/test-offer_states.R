
study <- list(
  workloads = list(encrypt = list(factors = list("cipher")), decrypt = list(factors = list("cipher"))),
  factors = list(cipher = list("Triple-DES 112" = list(bits = 112), AES = list(bits = 128)))
)

offer <- function(workload, level, provider, offered) {
  data.table::data.table(
    cell = paste(workload, level, provider, "steady-state:native", sep = ":"), workload = workload, provider = provider,
    offered = offered
  )
}

test_that("each provider has one state for an algorithm, and what is wrong outweighs the rest", {
  offers <- rbind(
    offer("encrypt", "aes", "one", "yes"), offer("decrypt", "aes", "one", "wrong"),
    offer("encrypt", "aes", "two", "no"), offer("decrypt", "aes", "two", "yes"),
    offer("encrypt", "triple-des-112", "one", "no")
  )
  states <- offer_states(offers, study)
  expect_equal(states[level == "AES" & provider == "one"]$offered, "wrong")
  expect_equal(states[level == "AES" & provider == "two"]$offered, "yes")
  expect_equal(states[level == "Triple-DES 112"]$offered, "no")
  expect_equal(unique(states$factor), "cipher")
})
