# A web server under a load of a fixed rate: what it answers, and how long that takes from when it was due.

load_measures <- c(
  throughput = "answered a second", latency.p50 = "latency, median (ms)", latency.p99 = "latency, 99th percentile (ms)",
  "server-cpu-a-request" = "server's CPU a request (\u00b5s)"
)
load_units <- c(throughput = 1, latency.p50 = 1e6, latency.p99 = 1e6, "server-cpu-a-request" = 1e3)

load_plot <- function(means, rates) {
  means <- data.table::copy(means)
  means[, `:=`(
    rate = factor(factor.rate, levels = rates), panel = factor(load_measures[measure], levels = load_measures)
  )]
  means[, unit := load_units[measure]]
  dodge <- position_dodge(width = 0.4)
  ggplot(means, aes(x = rate, y = geometric_mean / unit, colour = factor.scheme, shape = factor.scheme)) +
    geom_linerange(
      aes(ymin = geometric_lower / unit, ymax = geometric_upper / unit), position = dodge, linewidth = 0.45,
      na.rm = TRUE
    ) +
    geom_point(position = dodge, size = 1.4, na.rm = TRUE) +
    facet_wrap(vars(panel), scales = "free_y", ncol = 2) +
    scale_y_log10(breaks = log_breaks, labels = label_number) +
    scale_colour_manual(NULL, values = place_colours) +
    scale_shape_manual(NULL, values = place_shapes) +
    labs(x = "requests due", y = NULL) +
    theme_report()
}

load_figure <- function(data, id) {
  values <- observed_of(data, id)
  if (!any(values$measure == "throughput") || !all(c("factor.rate", "factor.scheme") %in% names(values))) return(NULL)
  # Other loads have a throughput too, and no rate.
  values <- values[!is.na(factor.rate)]
  # A single rate is a number, and no curve.
  if (data.table::uniqueN(values$factor.rate) < 2) return(NULL)
  last <- utils::tail(protocols_of(data$experiments[[id]]), 1)
  means <- values[measure %in% names(load_measures) & protocol == last & as.integer(place) == min(as.integer(place))]
  rates <- intersect(names(data$experiments[[id]]$factors$rate), means$factor.rate)
  said <- means[measure == "throughput", paste0(
    factor.scheme, ", ", factor.rate, ": ", format_significant(geometric_mean, 3)
  )]
  new_figure(
    paste0("load-", id), "details", title_of("Throughput and latency under a fixed rate", id),
    paste0(
      "Geometric mean over forks with 95 % intervals, in ", means$place[1], ". Latency is counted from the moment a ",
      "request was due, so waiting for a busy server is in it."
    ),
    paste0("Dot plots by rate; requests answered a second: ", format_some(said, 8), "."),
    load_plot(means, rates), 95
  )
}

figure_load <- function(data) {
  Filter(Negate(is.null), lapply(names(data$experiments), function(id) load_figure(data, id)))
}
