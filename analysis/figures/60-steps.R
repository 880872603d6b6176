# The steps of an operation: each step's share of the whole with its interval. Their times stand in the study's layout.

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

steps_alt <- function(shares) {
  largest <- shares[, .SD[which.max(mean)], by = .(label, place, protocol)]
  said <- largest[, .(n = .N), by = .(step = step_label(sub("^share\\.", "", measure)), protocol)]
  sprintf(
    "Dot plot of the steps' shares of %s. The longest step is %s.", format_plural(nrow(largest), "cell"),
    format_list(said[, paste0(step, " (", protocol, ", ", vapply(n, format_plural, "", "cell"), ")")])
  )
}

#' Some cells of an experiment; `part` is added to the figure's id, `of` to its title.
shares_figure <- function(values, data, id, part = "", of = "") {
  steps <- steps_of(values)
  shares <- values[measure %in% paste0("share.", steps)]
  if (nrow(shares) == 0) return(list())
  rows <- data.table::uniqueN(shares$label)
  list(new_figure(
    paste0("steps-shares-", id, part), id, paste0("Each step's share of the whole", of),
    paste0(
      "A step's share of the time of all steps, per fork, with the 95 % interval (Student t on log shares). These ",
      "are the values that claims on shares are judged by. ", data$few
    ),
    steps_alt(shares), step_shares(shares, steps, data$experiments[[id]]),
    min((3.6 * rows + 6) * data.table::uniqueN(shares$place) + 24, page_height_mm)
  ))
}

figure_steps <- function(every) {
  figures <- lapply(names(every$experiments), function(id) {
    data <- few_places(every, id)
    values <- observed_of(data, id)
    values <- values[order(label)]
    # A key pair takes so long that nothing else could be seen beside it.
    slow <- values[measure == "step.initialise-public"]$label
    c(
      shares_figure(values[!label %in% slow], data, id),
      shares_figure(values[label %in% slow], data, id, "-key-pairs", " with a key pair")
    )
  })
  unlist(figures, recursive = FALSE)
}
