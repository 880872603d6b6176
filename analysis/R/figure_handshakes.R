# What a TLS handshake costs: CPU time of client and server, latency, and the server that freezes.

handshake_sides <- c(cpu = "client's CPU", "server-cpu" = "server's CPU", wall = "elapsed")

#' Times per connection, one row per cell and side: `time`, `low`, `high`, `row` of cells.csv or `observed_id`.
handshake_means <- function(data, id) {
  seen <- observed_of(data, id)[measure == "server-cpu"]
  cells <- data$cells[seen[, shown_cell_key, with = FALSE], on = shown_cell_key, nomatch = NULL]
  parts <- rbind(
    cells[measure %in% names(handshake_sides), .(
      row, observed_id = "", label, place, protocol, side = measure, time = mean_ns, low = lower_ns, high = upper_ns
    )],
    seen[, .(row = NA, observed_id, label, place, protocol, side = measure, time = mean, low = lower, high = upper)]
  )
  parts[, `:=`(low = fifelse(low > 0, low, NA), side = factor(handshake_sides[side], levels = handshake_sides))]
  parts[order(label)]
}

#' One panel with all sides where there is one place, a panel for each side where places are compared; a row of panels
#' for each protocol where there are several.
handshake_plot <- function(means) {
  means <- data.table::copy(means)
  means[, label := factor(label, levels = rev(unique(label)))]
  several <- data.table::uniqueN(means$place) > 1
  means[, shown := if (several) place else side]
  values <- function(all) rep_len(all, data.table::uniqueN(means$shown))
  plot <- ggplot(means, aes(x = time, y = label, colour = shown, shape = shown)) +
    geom_linerange(aes(xmin = low, xmax = high), linewidth = 0.45, na.rm = TRUE) +
    geom_point(size = 1.2, na.rm = TRUE) +
    scale_x_log10(breaks = log_breaks, labels = label_time) +
    scale_colour_manual(NULL, values = values(place_colours)) +
    scale_shape_manual(NULL, values = values(place_shapes)) +
    labs(x = "time per connection", y = NULL) +
    theme_report()
  apart <- data.table::uniqueN(means$protocol) > 1
  if (!several && !apart) return(plot)
  plot + facet_grid(rows = if (apart) vars(base_protocol(protocol)), cols = if (several) vars(side)) +
    theme(panel.spacing.x = unit(5, "mm"))
}

#' What axis and legend need beside the labels of rows, and a letter of these, in mm.
beside_mm <- c(panel = 45, letter = 1.15)

#' Half of the page where the labels leave enough of it, and nothing stands beside each other.
handshake_width <- function(means) {
  labels <- beside_mm[["letter"]] * max(nchar(as.character(means$label)))
  alone <- data.table::uniqueN(means$place) == 1
  if (alone && labels + beside_mm[["panel"]] <= half_width_mm) half_width_mm else page_width_mm
}

frozen_plot <- function(means) {
  means <- data.table::copy(means)
  means[, label := factor(label, levels = rev(unique(label)))]
  ggplot(means, aes(x = 100 * mean, y = label)) +
    geom_col(width = 0.6, fill = place_colours[1]) +
    facet_grid(rows = vars(place)) +
    scale_x_continuous(limits = c(0, 100)) +
    labs(x = "connections answered in time, %", y = NULL) +
    theme_report()
}

figure_handshakes <- function(every) {
  unlist(lapply(names(every$experiments), function(id) {
    data <- few_places(every, id)
    values <- observed_of(data, id)[order(label)]
    c(handshake_figures(data, id, values), frozen_figures(id, values))
  }), recursive = FALSE)
}

handshake_figures <- function(data, id, values) {
  means <- handshake_means(data, id)
  if (nrow(means) == 0) return(list())
  waits <- values[startsWith(measure, "latency.")]
  waits[, `:=`(
    side = factor(sub("latency.", "", measure, fixed = TRUE), levels = c("p50", "p90", "p99", "max")),
    time = geometric_mean, low = geometric_lower, high = geometric_upper
  )]
  height <- 5 * data.table::uniqueN(means$label) * data.table::uniqueN(means$protocol) + 26
  width <- handshake_width(means)
  at <- if (data.table::uniqueN(means$place) > 1) "" else paste0(" In ", means$place[1], ".")
  stops <- data$pauses[experiment == id & side %in% c("fork", "server"), .(n = .N, ms = sum(pause_ms)), by = side]
  told <- stops[order(side), sprintf(
    "the %s %s times, %s ms in all", fifelse(side == "fork", "clients'", "servers'"), format_count(n),
    format_significant(ms, 2)
  )]
  dearest <- means[side == handshake_sides[["server-cpu"]]][which.max(time)]
  list(
    new_figure(
      paste0("handshakes-", id), "details", title_of("What a connection costs each side", id),
      paste0(
        "CPU time per connection of the client's thread and of the server's threads, and the time it took, with 95 % ",
        "intervals (Student t on fork means), on one log axis.", at, " The JVMs stood still: ", format_list(told), ". ",
        data$few
      ),
      sprintf(
        "Dot plot of %s. The server's CPU time is greatest with %s.",
        format_plural(data.table::uniqueN(means$label), "cell"), dearest$label
      ),
      handshake_plot(means), height, width
    ),
    new_figure(
      paste0("latency-", id), "details", title_of("How long a connection takes", id),
      paste0(
        "Percentiles of the time from connect to close, geometric mean over forks, 95 % intervals (on logs), on one ",
        "log axis.", at, " ", data$few
      ),
      sprintf("Dot plot of the 50th, 90th and 99th percentile and the maximum of %s.", format_plural(
        data.table::uniqueN(waits$label), "cell"
      )),
      handshake_plot(waits), height, width
    )
  )
}

frozen_figures <- function(id, values) {
  values <- values[measure == "answered-share"]
  if (nrow(values) == 0) return(list())
  said <- values[, sprintf("%s: %.0f per cent", label, 100 * mean)]
  list(new_figure(
    paste0("frozen-", id), "details", title_of("The server that freezes", id),
    "Connections of a pool that had an answer within the time limit, mean over forks. Less than all: the server froze.",
    sprintf("Bars: %s.", format_list(said)), frozen_plot(values), 7 * nrow(values) + 22, half_width_mm
  ))
}
