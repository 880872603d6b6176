# Every fork's iterations over time: one panel per cell, one line per fork, so that warm-up, drift and odd forks show.

panel_height_mm <- 30
panel_columns <- 4

#' Iterations of an experiment with their cell and the time per operation in the experiment's measure.
iteration_times <- function(data, id) {
  keys <- c("experiment", "environment", "round", "fork")
  cells <- data$forks[experiment == id, c(keys, "label", "protocol", "steady"), with = FALSE]
  times <- merge(data$iterations[experiment == id], cells, by = keys)
  cpu <- identical(data$experiments[[id]]$measure, "cpu")
  times[, ns := if (cpu) worker_cpu_ns / all_operations else duration_ns / operations]
  times <- times[is.finite(ns) & ns > 0]
  times[, line := paste(environment, image_id, machine_id, round, fork)]
  data.table::setorder(times, label, line, iteration)
  times[]
}

iteration_plot <- function(times, data) {
  times <- data.table::copy(times)[, label := factor(label, levels = intersect(levels(label), label))]
  measured <- times[measured == TRUE & steady != "no steady state"]
  starts <- measured[, .SD[1], by = .(line, label)]
  lost <- times[steady == "no steady state", .SD[.N], by = .(line, label)]
  ggplot(times, aes(x = iteration, y = ns, group = line, colour = place)) +
    geom_line(linewidth = 0.15, alpha = 0.4) +
    geom_line(data = measured, linewidth = 0.25, alpha = 0.75) +
    geom_point(data = starts, aes(shape = place), size = 0.9) +
    geom_point(data = lost, shape = 4, size = 1.4, stroke = 0.5, colour = "black") +
    facet_wrap(vars(label), ncol = panel_columns, scales = "free", labeller = label_wrap_gen(28)) +
    scale_x_continuous(breaks = function(x) unique(round(pretty(x, 3)))) +
    scale_y_log10(breaks = log_breaks, labels = label_time) +
    scale_place(data$places, unique(as.character(times$place))) +
    labs(x = "iteration", y = NULL) +
    theme_report() +
    theme(panel.spacing = unit(1.2, "mm"), axis.text = element_text(size = 6), strip.text = element_text(size = 6.2))
}

figure_iterations <- function(every) {
  out <- list()
  for (id in names(every$experiments)) {
    data <- few_places(every, id)
    times <- iteration_times(data, id)
    title <- "Every fork's iterations over time"
    if (nrow(times) == 0) {
      words <- "No iteration of this study has been kept"
      out <- c(out, list(empty_figure(paste0("iterations-", id), id, title, words)))
      next
    }
    for (name in intersect(protocols_of(data$experiments[[id]]), times$protocol)) {
      here <- times[protocol == name]
      labels <- intersect(levels(here$label), here$label)
      per_page <- panel_columns * floor((page_height_mm - 6 - legend_mm(data$places$label)) / panel_height_mm)
      pages <- ceiling(seq_along(labels) / per_page)
      # More than a page per protocol would bury the study's own section.
      section <- if (max(pages) > 1) "appendix" else id
      for (page in unique(pages)) {
        shown <- here[label %in% labels[pages == page]]
        rows <- ceiling(sum(pages == page) / panel_columns)
        out <- c(out, list(new_figure(
          paste("iterations", id, name, page, sep = "-"), section,
          paste0(title, ": ", if (section == "appendix") paste0(id, ", "), name, page_mark(page, max(pages))),
          paste0(
            "One panel per cell, one line per fork, ", measure_words(data$experiments[[id]]),
            " on a log axis of its own. ",
            "Thin: iterations left out. Thick, from the mark on: the iterations that enter the fork's mean. ",
            "A black cross ends a fork without a steady state. ", data$few
          ),
          describe_iterations(shown, name), iteration_plot(shown, data),
          6 + legend_mm(data$places$label) + panel_height_mm * rows
        )))
      }
    }
  }
  out
}

describe_iterations <- function(times, protocol) {
  forks <- unique(times[, .(line, label, steady)])
  none <- sum(forks$steady == "no steady state")
  paste0(
    "Line plots of ", format_plural(nrow(times), "iteration"), " in ", format_plural(nrow(forks), "fork"), " of ",
    format_plural(length(unique(times$label)), "cell"), " under the protocol ", protocol, "; ",
    if (none == 0) "no fork is" else if (none == 1) "1 fork is" else paste(format_count(none), "forks are"),
    " without a steady state."
  )
}
