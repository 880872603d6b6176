# Operations at equal strength: cost against security in bits, for experiments that have a factor `strength`.

#' `80: RSA 1024, EC 160`, from the parameters of the factor's levels.
strength_label <- function(level, parameters) {
  curve <- sub("^sec[pt]([0-9]+).*$", "\\1", parameters$curve %||% "")
  parts <- c(if (!is.null(parameters$bits)) paste("RSA", parameters$bits), if (nzchar(curve)) paste("EC", curve))
  paste(c(paste(level, "bits"), parts), collapse = "\n")
}

strength_plot <- function(cells, levels, labels, study) {
  cells <- data.table::copy(cells)
  cells[, strength := factor(factor.strength, levels = levels, labels = labels)]
  cells[, protocol := factor(protocol, levels = protocols_of(study))]
  cells[, low := fifelse(lower_ns > 0, lower_ns, NA)]
  shown <- intersect(names(study$workloads), cells$workload)
  many <- data.table::uniqueN(cells$place) > 1
  dodge <- position_dodge(width = 0.25)
  ggplot(cells, aes(x = strength, y = mean_ns, colour = workload, shape = workload, group = workload)) +
    (if (length(levels) > 1) geom_line(position = dodge, linewidth = 0.3)) +
    geom_linerange(aes(ymin = low, ymax = upper_ns), position = dodge, linewidth = 0.5, na.rm = TRUE) +
    geom_point(position = dodge, size = 1.4) +
    facet_grid(rows = if (many) vars(place), cols = vars(protocol)) +
    scale_y_log10(breaks = log_breaks, labels = label_time) +
    scale_colour_manual(NULL, values = rep_len(place_colours, length(shown)), breaks = shown) +
    scale_shape_manual(NULL, values = rep_len(place_shapes, length(shown)), breaks = shown) +
    labs(x = NULL, y = NULL) +
    theme_report()
}

figure_strength <- function(every) {
  figures <- lapply(names(every$experiments), function(id) {
    data <- few_places(every, id)
    study <- data$experiments[[id]]
    cells <- cells_of(data, id)
    if (!"factor.strength" %in% names(cells)) return(list())
    cells <- cells[nzchar(factor.strength) & is.finite(mean_ns)]
    if (nrow(cells) == 0) return(list())
    levels <- intersect(names(study$factors$strength), cells$factor.strength)
    labels <- vapply(levels, function(level) strength_label(level, study$factors$strength[[level]]), "")
    said <- cells[, .(low = min(mean_ns), high = max(mean_ns)), by = workload]
    list(new_figure(
      paste0("strength-", id), then_section(data, id),
      paste0("Cost at equal strength", drawn_as(data, paste0("strength-", id))),
      paste0(
        "Mean time of each operation against security in bits, with the key lengths that NIST SP 800-57 part 1 ",
        "(table 2) calls equal; 95 % intervals (Student t on fork means), log axis. ", data$few
      ),
      sprintf(
        "Lines over %s: %s.", format_plural(length(levels), "level", "levels of strength"),
        format_list(said[, paste0(workload, " from ", format_time(low), " to ", format_time(high))])
      ),
      strength_plot(cells, levels, labels, study), min(44 * data.table::uniqueN(cells$place) + 14, page_height_mm),
      if (length(levels) > 3) page_width_mm else half_width_mm
    ))
  })
  unlist(figures, recursive = FALSE)
}
