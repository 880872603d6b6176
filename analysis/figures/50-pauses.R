# Pauses of the JVM as the weblog drew them: a vertical line per pause, over the fork's uptime and over wall time,
# with a linear and a log axis.

pause_colours <- c(collection = "#D55E00", safepoint = "#0072B2")

#' Pauses of an experiment with the wall-clock time of each, in minutes since the first iteration of the experiment.
pause_times <- function(data, id) {
  keys <- c("experiment", "environment", "round", "fork")
  births <- data$iterations[experiment == id, .(birth_ms = stats::median(start_epoch_ms - start_uptime_ms)), by = keys]
  if (nrow(births) == 0) return(births)
  own <- data$pauses[experiment == id & side != "server" & is.finite(pause_ms) & pause_ms > 0]
  times <- merge(own, births, by = keys, all.x = TRUE)
  if (nrow(times) == 0) return(times)
  times[, wall_min := (birth_ms + uptime_ms - min(birth_ms, na.rm = TRUE)) / 6e4]
  times[, uptime_s := uptime_ms / 1000]
  times[]
}

#' Keeps the longest pause of each kind in every 1/400 of the axis: a shorter one at the same spot can't be seen.
thin_pauses <- function(times, column) {
  reach <- range(times[[column]], na.rm = TRUE)
  times <- data.table::copy(times)[, spot := floor(400 * (get(column) - reach[1]) / max(diff(reach), 1e-9))]
  times <- times[is.finite(spot)]
  times[order(-pause_ms), .SD[1], by = .(place, kind, spot)]
}

#' One axis of a page. `every` has the pauses of all pages, which share their axes.
pause_plot <- function(shown, every, column, axis, log) {
  shown <- data.table::copy(shown)[, kind := factor(kind, levels = names(pause_colours))]
  floor_ms <- if (log) 10^floor(log10(min(every$pause_ms))) else 0
  shown[, `:=`(at = get(column), foot = floor_ms)]
  plot <- ggplot(shown, aes(x = at, xend = at, y = foot, yend = pause_ms, colour = kind)) +
    # Collections last, so that the rarer kind lies on top.
    geom_segment(data = shown[kind == "safepoint"], linewidth = 0.25) +
    geom_segment(data = shown[kind == "collection"], linewidth = 0.4) +
    facet_wrap(vars(place), ncol = 1) +
    scale_colour_manual(NULL, values = pause_colours, limits = names(pause_colours), drop = FALSE) +
    expand_limits(x = range(every[[column]]), y = max(every$pause_ms)) +
    labs(x = axis, y = if (log) "pause in ms, log axis" else "pause in ms") +
    theme_report()
  if (log) plot + scale_y_log10(labels = label_number) else plot + scale_y_continuous(labels = label_number)
}

# The height of an environment's panel, and of a page's axes and legend.
panel_mm <- 30
frame_mm <- 20

#' The environments of an experiment that were measured and have no pause to draw, in a sentence.
without_pauses <- function(data, id, times) {
  places <- unique(data$forks[experiment == id]$place)
  none <- setdiff(as.character(places[order(as.integer(places))]), as.character(times$place))
  if (length(none) == 0) "" else sprintf("No pause was logged in %s.", format_list(none))
}

#' The pages of one experiment over one clock: every environment has its panel.
pause_pages <- function(data, id, times, clock, name) {
  every <- times[is.finite(get(clock$column))]
  if (nrow(every) == 0) return(list())
  shown <- thin_pauses(every, clock$column)
  places <- intersect(levels(times$place), as.character(every$place))
  pages <- paginate(rep(panel_mm, length(places)), page_height_mm - frame_mm)
  last <- max(pages)
  lapply(seq_len(last), function(page) {
    here <- places[pages == page]
    marks <- shown[place %in% here]
    plot <- patchwork::wrap_plots(
      pause_plot(marks, every, clock$column, clock$axis, FALSE),
      pause_plot(marks, every, clock$column, clock$axis, TRUE), ncol = 2, guides = "collect"
    ) & theme(legend.position = "bottom")
    caption <- paste(
      "One vertical line per stop of the application threads, per environment; left linear, right logarithmic.",
      clock$note, "Where several fall on the same spot, the longest is drawn.", without_pauses(data, id, times)
    )
    title <- paste0("Pauses of the JVM ", clock$words, drawn_as(data, paste("pauses", id, name, sep = "-")))
    new_figure(
      paste(c("pauses", id, name, if (last > 1) page), collapse = "-"), section_of(id, last),
      paste0(title_of(title, id, last), page_mark(page, last)), trimws(caption),
      describe_pauses(every[place %in% here]), plot, frame_mm + panel_mm * length(here)
    )
  })
}

figure_pauses <- function(data) {
  clocks <- list(
    uptime = list(column = "uptime_s", axis = "uptime of the fork in s", words = "over the uptime of the fork",
                  note = "The forks are laid over each other."),
    wall = list(column = "wall_min", axis = "wall time in minutes since the first fork", words = "over wall time",
                note = "Gaps are the turns of other environments.")
  )
  pages <- lapply(names(data$experiments), function(id) {
    times <- pause_times(data, id)
    if (nrow(times) == 0) {
      words <- "No pause of the JVM was logged in this study"
      return(list(empty_figure(paste0("pauses-", id), id, "Pauses of the JVM", words)))
    }
    unlist(unname(lapply(names(clocks), function(name) pause_pages(data, id, times, clocks[[name]], name))), FALSE)
  })
  unlist(unname(pages), recursive = FALSE)
}

describe_pauses <- function(times) {
  said <- times[, .(n = .N, longest = max(pause_ms)), by = place][order(place)]
  counts <- vapply(said$n, format_plural, "", "pause")
  each <- sprintf("%s: %s, the longest %s ms", said$place, counts, format_significant(said$longest))
  paste0("Vertical lines, one per pause. ", paste(each, collapse = "; "), ".")
}
