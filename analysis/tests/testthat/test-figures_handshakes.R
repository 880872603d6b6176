# Figures of handshakes, from made-up forks.
skip_if_not_installed("ggplot2")

handshake_data <- local({
  set.seed(7)
  forks <- made_up_forks(data.table(
    experiment = "ibm-jsse", workload = "handshake", factor.session = c("cached", "uncached"), ns = c(5e6, 6e6)
  ), count = 3)[, fork := .I]
  observed <- forks[, .(
    measure = c("server-cpu", "latency.p50", "latency.p90", "latency.p99", "latency.max", "answered-share"),
    value = c(c(1e6, 4e6, 6e6, 9e6, 2e7) + .I, if (factor.session == "cached") 0.44 else 1), sd = NA
  ), by = c("experiment", "environment", "round", "fork", "factor.session")][, factor.session := NULL]
  labelled <- function(table) table[, `:=`(label = factor(factor.session), place = factor("here"))]
  list(
    forks = forks, few = "",
    pauses = data.table(experiment = "ibm-jsse", side = c("fork", "server", "server"), pause_ms = c(2, 3, 4)),
    cells = labelled(cell_means(forks))[, row := .I], observed_means = labelled(observed_means(forks, observed))
  )
})

test_that("each side's cost is the cell's own mean and the server's observation", {
  means <- handshake_means(handshake_data, "ibm-jsse")
  expect_identical(means[, .N, keyby = side]$N, c(2L, 2L, 2L))
  cpu <- means[side == "client's CPU"]
  expect_identical(cpu$time, handshake_data$cells$mean_ns[cpu$row])
  server <- means[side == "server's CPU"]
  expect_identical(server$time, handshake_data$observed_means[server, on = "observed_id", x.mean])
})

test_that("costs, latencies and the frozen server are drawn, and nothing where nothing was observed", {
  values <- observed_of(handshake_data, "ibm-jsse")
  drawn <- handshake_figures(handshake_data, "ibm-jsse", values)
  expect_identical(vapply(drawn, `[[`, "", "id"), c("handshakes-ibm-jsse", "latency-ibm-jsse"))
  expect_match(drawn[[1]]$caption, "the clients' 1 times, 2.0 ms in all and the servers' 2 times, 7.0 ms in all")
  figure <- frozen_figures("ibm-jsse", values)[[1]]
  expect_match(figure$alt, "cached: 44 per cent and uncached: 100 per cent")
  for (one in c(drawn, list(figure))) expect_s3_class(ggplot2::ggplot_build(one$plot)$plot, "ggplot")
  expect_rows_drawn(c(drawn, list(figure)), handshake_data)
  nothing <- replace(handshake_data, "observed_means", list(handshake_data$observed_means[0]))
  expect_identical(handshake_figures(nothing, "ibm-jsse", values[0]), list())
  expect_identical(frozen_figures("ibm-jsse", values[0]), list())
})

test_that("protocols stand in rows of their own", {
  both <- handshake_data
  for (name in c("cells", "observed_means")) {
    both[[name]] <- rbindlist(lapply(c("as-published", "steady-state"), function(one) {
      data.table::copy(both[[name]])[, `:=`(protocol = one, cell = paste0(one, cell))]
    }))
  }
  drawn <- handshake_figures(both, "ibm-jsse", observed_of(both, "ibm-jsse"))
  alone <- handshake_figures(handshake_data, "ibm-jsse", observed_of(handshake_data, "ibm-jsse"))
  rows <- function(figure) nrow(unique(ggplot2::ggplot_build(figure$plot)$layout$layout[, "ROW", drop = FALSE]))
  expect_identical(vapply(drawn, rows, 0L), c(2L, 2L))
  expect_identical(vapply(alone, rows, 0L), c(1L, 1L))
  expect_gt(drawn[[1]]$height_mm, alone[[1]]$height_mm)
})

test_that("labels that leave no room for an axis take the whole page", {
  means <- function(label, places = "here") data.table::CJ(label = label, place = places)
  expect_identical(handshake_width(means("cached")), half_width_mm)
  expect_identical(handshake_width(means("log-on-four client-auth TLS 1.2 RSA 2048 sunjsse native")), page_width_mm)
  expect_identical(handshake_width(means("cached", c("here", "there"))), page_width_mm)
})
