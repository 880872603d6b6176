# Figures of handshakes, from made-up forks.
inside("read", "display")

skip_if_not_installed("ggplot2")

handshake_data <- local({
  set.seed(7)
  forks <- CJ(experiment = "ibm-jsse", fork = c(1, 2, 3), label = c("cached", "uncached"))
  forks[, `:=`(
    environment = "e", round = paste0("r", fork), place = "here", protocol = "modern", workload = "handshake",
    provider = "sunjsse", cpu_profile = "native", cpu_ns_per_op = 2e6 + fork, wall_ns_per_op = 5e6 + fork
  )]
  forks[, fork := .I]
  observed <- forks[, .(
    measure = c("server-cpu", "latency.p50", "latency.p90", "latency.p99", "latency.max"),
    value = c(1e6, 4e6, 6e6, 9e6, 2e7) + .I
  ), by = fork_key]
  frozen <- forks[, .(measure = "answered-share", value = fifelse(label == "cached", 0.44, 1)), by = fork_key]
  list(forks = forks, observed = observed, frozen = frozen)
})

test_that("each side's cost is the fork's own CPU time and the server's observation", {
  data <- list(forks = handshake_data$forks, observed = handshake_data$observed)
  values <- observed_of(data, "ibm-jsse")
  own <- inside_plugin(report_figures(), "handshakes")
  times <- own$handshake_times(data, "ibm-jsse", values)
  expect_identical(times[, .N, by = side]$N, c(6L, 6L, 6L))
  expect_equal(mean(times[side == "client's CPU"]$value), mean(handshake_data$forks$cpu_ns_per_op))
})

test_that("costs, latencies and the frozen server are drawn, and nothing where nothing was observed", {
  own <- inside_plugin(report_figures(), "handshakes")
  pauses <- data.table(experiment = "ibm-jsse", side = c("fork", "server", "server"), pause_ms = c(2, 3, 4))
  data <- list(forks = handshake_data$forks, observed = handshake_data$observed, few = "", pauses = pauses)
  drawn <- own$handshake_figures(data, "ibm-jsse", observed_of(data, "ibm-jsse"))
  expect_identical(vapply(drawn, `[[`, "", "id"), c("handshakes-ibm-jsse", "latency-ibm-jsse"))
  expect_match(drawn[[1]]$caption, "the clients' 1 times, 2.0 ms in all and the servers' 2 times, 7.0 ms in all")
  frozen <- observed_of(list(forks = handshake_data$forks, observed = handshake_data$frozen), "ibm-jsse")
  figure <- own$frozen_figures("ibm-jsse", frozen)[[1]]
  expect_match(figure$alt, "cached: 44 per cent and uncached: 100 per cent")
  for (one in c(drawn, list(figure))) expect_s3_class(ggplot2::ggplot_build(one$plot)$plot, "ggplot")
  expect_identical(own$handshake_figures(data, "ibm-jsse", frozen), list())
  expect_identical(own$frozen_figures("ibm-jsse", observed_of(data, "ibm-jsse")), list())
})
