# Latency curves: which part of connections or requests took longer than a time, from the histograms that forks keep.

#' What the curves of one panel differ in: the first of these factors that an experiment has.
curve_factors <- c("factor.session", "factor.scheme")

#' Counts of latencies over the measured iterations, by panel, curve and bin.
latency_counts <- function(data, id, curve) {
  counts <- data$counts[experiment == id & measure == "latency"]
  if (nrow(counts) == 0) return(NULL)
  measured <- data$iterations[experiment == id & measured == TRUE, c(fork_key, "iteration"), with = FALSE]
  counts <- counts[measured, on = c(fork_key, "iteration"), nomatch = NULL]
  others <- setdiff(c(factor_columns(data$forks), "provider", "cpu_profile"), curve)
  keys <- c(fork_key, "place", "workload", "valid", curve, others)
  forks <- data$forks[experiment == id, keys, with = FALSE]
  forks <- valid_forks(forks)[as.integer(place) == min(as.integer(place))]
  varying <- others[vapply(others, function(name) length(setdiff(unique(forks[[name]]), "")) > 1, TRUE)]
  words <- do.call(paste, c(list(forks$workload), lapply(varying, function(name) forks[[name]])))
  forks[, panel := trimws(gsub("\\s+", " ", words))]
  data.table::setnames(forks, curve, "curve")
  counts <- counts[forks[, c(fork_key, "panel", "curve", "place"), with = FALSE], on = fork_key, nomatch = NULL]
  counts[, .(count = sum(count)), keyby = .(place, panel, curve, position)]
}

#' The share of latencies above each bin's end; the last point of a curve is its longest one.
latency_curves <- function(counts) {
  counts <- counts[order(position)]
  curves <- counts[, .(
    ns = latency_bin_ns(position), above = 1 - cumsum(count) / sum(count), n = sum(count)
  ), by = .(panel, curve)]
  curves[above > 0.5 / n]
}

latency_curve_figure <- function(data, id) {
  curve <- intersect(curve_factors, names(data$forks))
  curve <- curve[vapply(curve, function(name) any(nzchar(data$forks[experiment == id][[name]])), TRUE)][1]
  if (is.na(curve)) return(NULL)
  counts <- latency_counts(data, id, curve)
  if (is.null(counts) || nrow(counts) == 0) return(NULL)
  curves <- latency_curves(counts)
  levels <- names(data$experiments[[id]]$factors[[sub("factor.", "", curve, fixed = TRUE)]])
  data.table::set(curves, j = "curve", value = factor(curves$curve, levels = intersect(levels, curves$curve)))
  panels <- data.table::uniqueN(curves$panel)
  plot <- ggplot(curves, aes(x = ns, y = above, colour = curve)) +
    geom_step(linewidth = 0.35) +
    facet_wrap(vars(panel), ncol = 3) +
    scale_x_log10(breaks = log_breaks, labels = label_time) +
    scale_y_log10(breaks = 10^(-6:0), labels = label_number) +
    scale_colour_manual(NULL, values = place_colours) +
    labs(x = "latency", y = "part that took longer") +
    theme_report()
  new_figure(
    paste0("latency-curves-", id), id, "Latency curves",
    paste0(
      "The part of all connections or requests that took longer than a time, over the measured iterations of all ",
      "forks, in ", counts$place[1], ". Both axes are logarithmic: 0.01 is the 99th percentile. The bins are 4.4 % ",
      "wide."
    ),
    sprintf("Step curves of latency in %s.", format_plural(panels, "panel")), plot, 26 + 44 * ceiling(panels / 3)
  )
}

figure_latency_curves <- function(data) {
  Filter(Negate(is.null), lapply(names(data$experiments), function(id) latency_curve_figure(data, id)))
}
