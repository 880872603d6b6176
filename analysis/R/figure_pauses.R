# Pauses of the JVM as the weblog drew them: a vertical line per pause over wall time, a panel per environment, with a
# linear and a log axis.

pause_colours <- c(collection = "#D55E00", safepoint = "#0072B2")

#' The run's pauses with the wall-clock time of each, in minutes since the first iteration.
pause_times <- function(data) {
  keys <- c("experiment", "environment", "round", "fork")
  births <- data$iterations[, .(birth_ms = stats::median(start_epoch_ms - start_uptime_ms)), by = keys]
  if (nrow(births) == 0) return(births)
  own <- data$pauses[side != "server" & is.finite(pause_ms) & pause_ms > 0]
  times <- merge(own, births, by = keys, all.x = TRUE)
  if (nrow(times) == 0) return(times)
  times[, wall_min := (birth_ms + uptime_ms - min(birth_ms, na.rm = TRUE)) / 6e4]
  times[]
}

#' Keeps the longest pause of each kind in every 1/400 of the axis: a shorter one at the same spot can't be seen.
thin_pauses <- function(times) {
  reach <- range(times$wall_min, na.rm = TRUE)
  times <- data.table::copy(times)[, spot := floor(400 * (wall_min - reach[1]) / max(diff(reach), 1e-9))]
  times <- times[is.finite(spot)]
  times[order(-pause_ms), .SD[1], by = .(place, kind, spot)]
}

#' One axis of a page. `every` has the pauses of all pages, which share their axes.
pause_plot <- function(shown, every, log) {
  shown <- data.table::copy(shown)[, kind := factor(kind, levels = names(pause_colours))]
  floor_ms <- if (log) 10^floor(log10(min(every$pause_ms))) else 0
  shown[, `:=`(at = wall_min, foot = floor_ms)]
  plot <- ggplot(shown, aes(x = at, xend = at, y = foot, yend = pause_ms, colour = kind)) +
    # Collections last, so that the rarer kind lies on top.
    geom_segment(data = shown[kind == "safepoint"], linewidth = 0.25) +
    geom_segment(data = shown[kind == "collection"], linewidth = 0.4) +
    facet_wrap(vars(place), ncol = 1) +
    scale_colour_manual(NULL, values = pause_colours, limits = names(pause_colours), drop = FALSE) +
    expand_limits(x = range(every$wall_min), y = max(every$pause_ms)) +
    labs(x = "wall time in minutes since the first fork", y = if (log) "pause in ms, log axis" else "pause in ms") +
    theme_report()
  if (log) plot + scale_y_log10(labels = label_number) else plot + scale_y_continuous(labels = label_number)
}

# The height of an environment's panel, and of a page's axes and legend.
panel_mm <- 24
frame_mm <- 20

#' The environments that were measured and have no pause to draw, in a sentence.
without_pauses <- function(data, times) {
  places <- unique(data$forks$place)
  none <- setdiff(as.character(places[order(as.integer(places))]), as.character(times$place))
  if (length(none) == 0) "" else sprintf("No pause was logged in %s.", format_list(none))
}

figure_pauses <- function(data) {
  every <- pause_times(data)
  if (nrow(every) > 0) every <- every[is.finite(wall_min)]
  if (nrow(every) == 0) {
    return(list(empty_figure("pauses", "pauses", "Pauses of the JVM", "No pause of the JVM was logged")))
  }
  shown <- thin_pauses(every)
  places <- intersect(levels(every$place), as.character(every$place))
  pages <- paginate(rep(panel_mm, length(places)), page_height_mm - frame_mm)
  lapply(seq_len(max(pages)), function(page) {
    here <- places[pages == page]
    marks <- shown[place %in% here]
    plot <- patchwork::wrap_plots(
      pause_plot(marks, every, FALSE), pause_plot(marks, every, TRUE), ncol = 2, guides = "collect"
    ) & theme(legend.position = "bottom")
    new_figure(
      paste(c("pauses", if (max(pages) > 1) page), collapse = "-"), "pauses",
      paste0("Pauses of the JVM", drawn_as(data, "pauses"), page_mark(page, max(pages))),
      trimws(paste(
        "One vertical line per stop of the application threads, per environment; left linear, right logarithmic. A gap",
        "is the turn of another environment or, in a run of several sittings, the time between them. Where several",
        "stops fall on the same spot, the longest is drawn.",
        without_pauses(data, every)
      )),
      describe_pauses(every[place %in% here]), plot, frame_mm + panel_mm * length(here)
    )
  })
}

describe_pauses <- function(times) {
  said <- times[, .(n = .N, longest = max(pause_ms)), by = place][order(place)]
  counts <- vapply(said$n, format_plural, "", "pause")
  each <- sprintf("%s: %s, the longest %s ms", said$place, counts, format_significant(said$longest))
  paste0("Vertical lines, one per pause. ", paste(each, collapse = "; "), ".")
}
