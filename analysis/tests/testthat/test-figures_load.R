# The figure of a server under a load of a fixed rate.
skip_if_not_installed("ggplot2")


load_data <- function(rates) {
  means <- data.table(
    observed_id = paste0("o", seq_along(rates)), experiment = "web", environment = "e", protocol = "steady-state",
    place = factor("here"), measure = "throughput", factor.scheme = "TLS", factor.rate = rates, mean = 100,
    geometric_mean = 100, geometric_lower = 90, geometric_upper = 110
  )
  rate <- list("1000 a second" = list(rate = 1000), "2000 a second" = list(rate = 2000))
  study <- list(protocols = list("steady-state" = list()), factors = list(rate = rate))
  list(experiments = list(web = study), observed_means = means)
}

test_that("throughput is drawn over the rate", {
  data <- load_data(c("1000 a second", "2000 a second"))
  figure <- figure_load(data)[[1]]
  expect_match(figure$alt, "TLS, 1000 a second: 100")
  expect_rows_drawn(list(figure), data)
})

test_that("what has a throughput and no rate is not drawn, nor is a single rate", {
  expect_identical(figure_load(load_data(NA_character_)), list())
  expect_identical(figure_load(load_data(c("1000 a second", NA))), list())
  figure <- figure_load(load_data(c("1000 a second", "2000 a second", NA)))[[1]]
  expect_identical(nrow(figure$plot$data), 2L)
})
