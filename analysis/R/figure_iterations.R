# Every fork's iterations over time: one panel per cell, one line per fork, so that warm-up, drift and odd forks show.

panel_height_mm <- 22
panel_columns <- 8

#' Iterations of an experiment under its last protocol, with their cell and the time per operation in its measure.
iteration_times <- function(data, id) {
  keys <- c("experiment", "environment", "round", "fork")
  cells <- data$forks[experiment == id, c(keys, "label", "protocol", "steady"), with = FALSE]
  times <- merge(data$iterations[experiment == id], cells, by = keys)
  times <- times[protocol == utils::tail(protocols_of(data$experiments[[id]]), 1)]
  cpu <- identical(data$experiments[[id]]$measure, "cpu")
  times[, ns := if (cpu) worker_cpu_ns / all_operations else duration_ns / operations]
  times <- times[is.finite(ns) & ns > 0]
  times[, line := paste(environment, image_id, machine_id, round, fork)]
  data.table::setorder(times, label, line, iteration)
  levels <- intersect(levels(times$label), times$label)
  times[, panel := factor(label, levels, panel_titles(id, levels))][]
}

#' Letters of a strip's line.
strip_letters <- 20

#' The experiment's id over the cell's label, in lines that a strip has room for; a long id is cut behind a hyphen.
panel_titles <- function(id, labels) {
  if (nchar(id) > strip_letters) id <- sub("^(.*-)", "\\1\n", id)
  vapply(labels, function(label) paste(c(id, strwrap(label, strip_letters)), collapse = "\n"), "", USE.NAMES = FALSE)
}

iteration_plot <- function(times, data) {
  times <- data.table::copy(times)[, panel := droplevels(panel)]
  measured <- times[measured == TRUE & steady != "no steady state"]
  starts <- measured[, .SD[1], by = .(line, panel)]
  lost <- times[steady == "no steady state", .SD[.N], by = .(line, panel)]
  ggplot(times, aes(x = iteration, y = ns, group = line, colour = place)) +
    geom_line(linewidth = 0.15, alpha = 0.4) +
    geom_line(data = measured, linewidth = 0.25, alpha = 0.75) +
    geom_point(data = starts, aes(shape = place), size = 0.9) +
    geom_point(data = lost, shape = 4, size = 1.4, stroke = 0.5, colour = "black") +
    facet_wrap(vars(panel), ncol = panel_columns, scales = "free") +
    scale_x_continuous(breaks = function(x) unique(round(pretty(x, 3)))) +
    scale_y_log10(breaks = log_breaks, labels = label_time) +
    scale_place(data$places, unique(as.character(times$place))) +
    labs(x = "iteration", y = NULL) +
    theme_report() +
    theme(
      panel.spacing = unit(0.8, "mm"), axis.text = element_text(size = 5), axis.ticks.length = unit(0.6, "mm"),
      # A title may reach over the axis of the panel beside it, and over the page's edge where there is none.
      strip.clip = "off", plot.margin = margin(2, 14, 2, 2),
      strip.text = element_text(size = 5, margin = margin(1, 1, 1, 1))
    )
}

#' The panels of all experiments, on as many pages as they take.
#'
#' @param times of `iteration_times`; `few` says which environments are left out
iteration_pages <- function(times, data, few) {
  panels <- levels(times$panel)
  frame <- 6 + legend_mm(data$places$label)
  per_page <- panel_columns * floor((page_height_mm - frame) / panel_height_mm)
  pages <- ceiling(seq_along(panels) / per_page)
  cpu <- vapply(data$experiments[unique(times$experiment)], function(one) identical(one$measure, "cpu"), TRUE)
  about <- if (any(cpu)) sprintf(" (CPU time in %s)", format_list(names(cpu)[cpu])) else ""
  lapply(unique(pages), function(page) {
    shown <- times[panel %in% panels[pages == page]]
    new_figure(
      paste("iterations", page, sep = "-"), "iterations",
      paste0("Every fork's iterations over time", page_mark(page, max(pages))),
      paste0(
        "One panel per cell, under the experiment's id, one line per fork; protocol ",
        format_list(unique(times$protocol)), ", time per operation", about, " on a log axis of its own. ",
        "Thin: iterations left out. Thick, from the mark on: the iterations that enter the fork's mean. ",
        "A black cross ends a fork without a steady state. ", few
      ),
      describe_iterations(shown), iteration_plot(shown, data),
      frame + panel_height_mm * ceiling(sum(pages == page) / panel_columns)
    )
  })
}

figure_iterations <- function(data) {
  some <- lapply(stats::setNames(nm = names(data$experiments)), few_places, data = data)
  times <- rbindlist(Map(iteration_times, some, names(some)))
  few <- paste(unique(vapply(some, function(one) one$few, "")), collapse = "")
  if (nrow(times) > 0) return(iteration_pages(times, data, few))
  list(empty_figure("iterations", "iterations", "Every fork's iterations over time", "No iteration has been kept"))
}

describe_iterations <- function(times) {
  forks <- unique(times[, .(line, label, steady)])
  none <- sum(forks$steady == "no steady state")
  paste0(
    "Line plots of ", format_plural(nrow(times), "iteration"), " in ", format_plural(nrow(forks), "fork"), " of ",
    format_plural(length(unique(times$panel)), "cell"), "; ",
    if (none == 0) "no fork is" else if (none == 1) "1 fork is" else paste(format_count(none), "forks are"),
    " without a steady state."
  )
}
