# The steps of an operation: stacked bars of their times, and each step's share of the whole with its interval.

step_colours <- c("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")

step_label <- function(name) gsub("-", " ", name, fixed = TRUE)

#' Steps in the order in which they are done, as far as the file of observations tells.
steps_of <- function(values) {
  known <- c(
    "generate-key", "wrap-key", "unwrap-key", "create-cipher", "initialise", "initialise-public", "serialise",
    "encrypt", "initialise-private", "decrypt"
  )
  found <- unique(sub("^step\\.", "", values[startsWith(measure, "step.")]$measure))
  c(intersect(known, found), setdiff(found, known))
}

stacked_steps <- function(values, steps, study) {
  times <- values[startsWith(measure, "step.")][, step := factor(sub("^step\\.", "", measure), levels = rev(steps))]
  totals <- values[measure == "total"]
  totals[, `:=`(low = pmax(lower, 0), high = pmin(upper, 1.5 * max(mean))), by = .(place, protocol)]
  for (table in list(times, totals)) {
    table[, protocol := factor(protocol, levels = protocols_of(study))]
    table[, label := factor(label, levels = rev(intersect(levels(label), label)))]
  }
  many <- data.table::uniqueN(values$place) > 1
  ggplot(times, aes(x = mean / 1e3, y = label)) +
    geom_col(aes(fill = step), width = 0.72) +
    geom_errorbar(
      data = totals, aes(x = mean / 1e3, xmin = low / 1e3, xmax = high / 1e3), orientation = "y", width = 0.3,
      linewidth = 0.3, na.rm = TRUE
    ) +
    facet_grid(rows = if (many) vars(place), cols = vars(protocol), scales = "free_x") +
    scale_fill_manual(
      NULL, values = stats::setNames(rep_len(step_colours, length(steps)), steps), breaks = steps, labels = step_label
    ) +
    scale_x_continuous(expand = expansion(mult = c(0, 0.06))) +
    labs(x = "microseconds an object", y = NULL) +
    theme_report() +
    theme(panel.grid.major.y = element_blank())
}

step_shares <- function(shares, steps, study) {
  shares[, step := factor(sub("^share\\.", "", measure), levels = steps, labels = step_label(steps))]
  shares[, protocol := factor(protocol, levels = protocols_of(study))]
  shares[, label := factor(label, levels = rev(intersect(levels(label), label)))]
  many <- data.table::uniqueN(shares$place) > 1
  ggplot(shares, aes(x = 100 * geometric_mean, y = label, colour = protocol, shape = protocol)) +
    geom_linerange(aes(xmin = 100 * geometric_lower, xmax = 100 * geometric_upper), linewidth = 0.45, na.rm = TRUE) +
    geom_point(size = 1.1, na.rm = TRUE) +
    facet_grid(rows = if (many) vars(place), cols = vars(step)) +
    scale_colour_manual(NULL, values = place_colours) +
    scale_shape_manual(NULL, values = place_shapes) +
    scale_x_continuous(breaks = c(0, 50)) +
    coord_cartesian(xlim = c(0, 100)) +
    labs(x = "per cent of the whole", y = NULL) +
    theme_report()
}

steps_alt <- function(shares, what) {
  largest <- shares[, .SD[which.max(mean)], by = .(label, place, protocol)]
  said <- largest[, .(n = .N), by = .(step = step_label(sub("^share\\.", "", measure)), protocol)]
  sprintf(
    "%s of %s. The longest step is %s.", what, format_plural(nrow(largest), "cell"),
    format_list(said[, paste0(step, " (", protocol, ", ", vapply(n, format_plural, "", "cell"), ")")])
  )
}

#' Both figures of some cells of an experiment; `part` is added to their ids, `of` to their titles.
steps_figures <- function(values, data, id, part = "", of = "") {
  if (!any(startsWith(values$measure, "step."))) return(list())
  study <- data$experiments[[id]]
  steps <- steps_of(values)
  shares <- values[measure %in% paste0("share.", steps)]
  rows <- data.table::uniqueN(values[startsWith(measure, "step.")]$label)
  places <- data.table::uniqueN(values$place)
  list(
    new_figure(
      paste0("steps-", id, part), id, paste0("What each step takes", of),
      paste0(
        "Mean time of each step, by System.nanoTime around it; the bars add up to the time of all steps, whose 95 % ",
        "interval (Student t on fork means) is the black line, cut where it is far too wide to draw. The axes ",
        "differ between protocols. ", data$few
      ),
      steps_alt(shares, "Stacked bars of the steps' times"), stacked_steps(values, steps, study),
      min((4.2 * rows + 6) * places + 24, page_height_mm)
    ),
    new_figure(
      paste0("steps-shares-", id, part), id, paste0("Each step's share of the whole", of),
      paste0(
        "A step's share of the time of all steps, per fork, with the 95 % interval (Student t on log shares). These ",
        "are the values that claims on shares are judged by. ", data$few
      ),
      steps_alt(shares, "Dot plot of the steps' shares"), step_shares(shares, steps, study),
      min((3.6 * rows + 6) * places + 24, page_height_mm)
    )
  )
}

figure_steps <- function(every) {
  figures <- lapply(names(every$experiments), function(id) {
    data <- few_places(every, id)
    values <- observed_of(data, id)
    values <- values[order(label)]
    # A key pair takes so long that nothing else could be seen beside it.
    slow <- values[measure == "step.initialise-public"]$label
    c(
      steps_figures(values[!label %in% slow], data, id),
      steps_figures(values[label %in% slow], data, id, "-key-pairs", " with a key pair")
    )
  })
  unlist(figures, recursive = FALSE)
}
