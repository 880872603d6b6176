# The course of JVM runs: the iterations of six instructive benchmarks, and pauses over time.

#' Iterations with their benchmark and the time per operation in the measure of its experiment.
iteration_times <- function(data) {
  shown <- c(fork_key, "label", "protocol", "steady", "steady_from", "warm_up_state")
  cells <- data$forks[valid %in% c(TRUE, NA), shown, with = FALSE]
  times <- merge(data$iterations, cells, by = fork_key)
  if (nrow(times) == 0) return(times)
  cpu <- names(Filter(function(experiment) identical(experiment$measure, "cpu"), data$experiments))
  times[, ns := fifelse(
    experiment %in% cpu & all_operations > 0, worker_cpu_ns / all_operations, duration_ns / operations
  )]
  times <- times[is.finite(ns) & ns > 0 & experiment != "calibration"]
  times[, `:=`(line = paste(environment, round, fork), panel = paste(experiment, label, protocol, place, sep = "\r"))]
  setorder(times, panel, line, iteration)[]
}

#' The instructive benchmarks: for each criterion the panel that shows it best, each panel once.
instructive_panels <- function(times) {
  lines <- times[, .(
    n = .N, first = ns[1], middle = stats::median(ns[measured %in% TRUE]),
    spread = stats::sd(log(ns[measured %in% TRUE])), from = steady_from[1], none = steady[1] %in% "no steady state"
  ), by = .(panel, line)]
  panels <- lines[n >= 5, .(
    "longest warm-up" = mean(from, na.rm = TRUE), "largest fall" = stats::median(first / middle, na.rm = TRUE),
    "JVM runs differ most" = stats::sd(log(middle), na.rm = TRUE), "no steady state" = mean(none),
    "most scatter within a run" = stats::median(spread, na.rm = TRUE),
    "steadiest" = -stats::median(spread, na.rm = TRUE)
  ), by = panel]
  chosen <- character()
  for (reason in setdiff(names(panels), "panel")) {
    left <- panels[!panel %in% chosen & is.finite(get(reason))]
    if (reason == "no steady state") left <- left[get(reason) > 0]
    if (nrow(left) > 0) chosen[[reason]] <- left[order(-get(reason))]$panel[1]
  }
  chosen
}

figure_iterations <- function(data) {
  times <- iteration_times(data)
  chosen <- if (nrow(times) > 0) instructive_panels(times)
  if (length(chosen) == 0) return(list())
  titles <- vapply(names(chosen), function(reason) {
    row <- times[panel == chosen[[reason]]][1]
    paste0(
      reason, ":\n", paste(strwrap(as.character(row$label), 40), collapse = "\n"), "\n",
      paste(strwrap(paste0(row$place, ", ", protocol_words(row$protocol)), 42), collapse = "\n")
    )
  }, "")
  times <- times[panel %in% chosen][, panel := factor(panel, levels = chosen, labels = titles)]
  used <- times[measured %in% TRUE]
  plot <- ggplot(times, aes(x = iteration, y = ns, group = line)) +
    geom_line(linewidth = 0.2, alpha = 0.5, colour = "grey55") +
    geom_line(data = used, linewidth = 0.3, alpha = 0.9, colour = palette_colours[1]) +
    facet_wrap(vars(panel), ncol = 3, scales = "free") +
    scale_y_log10(breaks = log_breaks, labels = label_time) +
    labs(x = "iteration", y = NULL) +
    theme_report()
  list(new_figure(
    "iterations", "trust", "Iterations of instructive benchmarks",
    "One line per JVM run, time per operation on a log axis. Blue: the iterations that enter the mean. Grey: warm-up.",
    sprintf("Line plots of %s in %s.", format_plural(nrow(times), "iteration"),
            format_plural(uniqueN(times$line), "JVM run")),
    plot, 14 + 44 * ceiling(length(chosen) / 3)
  ))
}

# Pauses of the JVM as the weblog drew them: a vertical line per pause over wall time, on a linear and a log axis.

pause_colours <- c(collection = "#D55E00", safepoint = "#0072B2")

#' The run's pauses, each with `birth_ms`, the start time of its JVM (ms since 1970).
pause_times <- function(data) {
  births <- data$iterations[, .(birth_ms = stats::median(start_epoch_ms - start_uptime_ms)), by = fork_key]
  own <- data$pauses[side != "server" & is.finite(pause_ms) & pause_ms > 0]
  if (nrow(births) == 0 || nrow(own) == 0) return(own[0])
  merge(own, births, by = fork_key)[is.finite(birth_ms + uptime_ms)]
}

#' Keeps the longest pause of each kind in every 1/400 of the axis, since it covers the shorter ones.
thin_pauses <- function(times) {
  reach <- range(times$wall_min)
  times <- copy(times)[, spot := floor(400 * (wall_min - reach[1]) / max(diff(reach), 1e-9))]
  times[order(-pause_ms), .SD[1], by = .(place, kind, spot)]
}

pause_plot <- function(shown, log) {
  shown <- copy(shown)[, `:=`(
    kind = factor(kind, levels = names(pause_colours)), foot = if (log) 10^floor(log10(min(pause_ms))) else 0
  )]
  plot <- ggplot(shown[order(kind, decreasing = TRUE)], aes(
    x = wall_min, xend = wall_min, y = foot, yend = pause_ms, colour = kind
  )) +
    geom_segment(linewidth = 0.3) +
    facet_wrap(vars(place), ncol = 1) +
    scale_colour_manual(NULL, values = pause_colours, limits = names(pause_colours), drop = FALSE) +
    labs(x = "minutes since the first JVM run", y = if (log) "pause in ms, log axis" else "pause in ms") +
    theme_report()
  if (log) plot + scale_y_log10(labels = label_number) else plot + scale_y_continuous(labels = label_number)
}

figure_pauses <- function(data) {
  every <- pause_times(data)
  if (nrow(every) == 0) return(list())
  # The pauses of the study about pauses, where it was measured.
  study <- "phenry2014"
  own <- every[study_of(data, intersect(experiment, names(data$experiments)))[match(
    experiment, intersect(experiment, names(data$experiments))
  )] %in% study]
  # Other studies may have been measured a day before.
  found <- copy(if (nrow(own) > 0) own else every)[, wall_min := (birth_ms + uptime_ms - min(birth_ms)) / 6e4]
  counts <- found[, .(n = .N, longest = max(pause_ms)), by = place][order(-n)][seq_len(min(2, .N))]
  marks <- thin_pauses(found[place %in% counts$place])
  plot <- patchwork::wrap_plots(pause_plot(marks, FALSE), pause_plot(marks, TRUE), ncol = 2, guides = "collect") &
    theme(legend.position = "bottom")
  said <- counts[, sprintf(
    "%s: %s, the longest %s ms", place, vapply(n, format_plural, "", "pause"), format_significant(longest)
  )]
  list(new_figure(
    "pauses", if (nrow(own) > 0) paste0("study-", study) else "trust", "Pauses of the JVM over time",
    paste0(
      "One vertical line per stop of the application threads. ", paste(said, collapse = "; "),
      ". Where several fall on ",
      "one spot, the longest is drawn."
    ),
    paste0("Vertical lines, one per pause. ", paste(said, collapse = "; "), "."), plot, 18 + 26 * nrow(counts)
  ))
}
