# Means and intervals per cell: one block per workload on its own log axis, a column per protocol.

#' The cells of one workload; `shown` are the places that the page's legend names.
interval_block <- function(cells, data, study, first, shown) {
  places <- unique(data$places$label)
  cells <- data.table::copy(cells)[, label := factor(label, levels = rev(intersect(levels(label), label)))]
  cells[, protocol := factor(protocol, levels = protocols_of(study))]
  # The first environment is drawn on top of its row, so that the order reads as in the legend.
  # A wide interval may reach below 0, which a log axis does not have.
  cells[, low := fifelse(lower_ns > 0, lower_ns, min(mean_ns) / 2)]
  dodge <- position_dodge(width = 0.75)
  cells[, place := factor(place, levels = rev(places))]
  ggplot(cells, aes(x = mean_ns, y = label, colour = place, shape = place)) +
    geom_linerange(aes(xmin = low, xmax = upper_ns), position = dodge, linewidth = 0.5, na.rm = TRUE) +
    geom_point(position = dodge, size = 1.3, na.rm = TRUE) +
    facet_grid(cols = vars(protocol), drop = FALSE) +
    scale_x_log10(breaks = log_breaks, labels = label_time, expand = expansion(mult = 0.06)) +
    scale_place(data$places, shown) +
    labs(x = NULL, y = NULL) +
    theme_report() +
    theme(strip.text.x = if (first) element_text() else element_blank(), panel.grid.major.y = element_blank())
}

#' The blocks of one figure, under each other.
interval_page <- function(cells, data, study, row_mm) {
  shown <- unique(as.character(cells$place))
  blocks <- split(cells, by = "workload", sorted = FALSE)
  plots <- Map(function(block, i) interval_block(block, data, study, i == 1, shown), blocks, seq_along(blocks))
  rows <- vapply(blocks, function(block) length(unique(block$label)), 0L)
  plot <- patchwork::wrap_plots(plots, ncol = 1, heights = rows, guides = "collect") & theme(legend.position = "bottom")
  list(plot = plot, height_mm = sum(rows) * row_mm + 6 * length(rows) + 6 + legend_mm(data$places$label))
}

figure_intervals <- function(every) {
  out <- list()
  for (id in names(every$experiments)) {
    data <- few_places(every, id)
    study <- data$experiments[[id]]
    cells <- cells_of(data, id)[is.finite(mean_ns) & mean_ns > 0]
    title <- "Mean and interval of every cell"
    if (nrow(cells) == 0) {
      out <- c(out, list(empty_figure(paste0("intervals-", id), id, title, "No cell of this study has been measured")))
      next
    }
    cells <- cells[order(label)]
    row_mm <- max(4.5, 1.5 + 1.7 * nrow(data$places))
    names <- unique(cells$label)
    # A block costs its rows, and its axis on top.
    first <- !duplicated(cells$workload[match(names, cells$label)])
    pages <- paginate(row_mm + 6 * first, page_height_mm - 6 - legend_mm(data$places$label))
    for (page in unique(pages)) {
      shown <- cells[label %in% names[pages == page]]
      drawn <- interval_page(shown, data, study, row_mm)
      common <- describe_common(cells_of(data, id))
      caption <- paste0(
        "Mean ", measure_words(study), " over forks and its 95 % interval, on log axes; each workload has its own. ",
        if (nzchar(common)) paste0("All cells: ", common, ". "), data$few,
        if (anyNA(shown$lower_ns)) "A mark without a line comes from a single fork. "
      )
      out <- c(out, list(new_figure(
        paste0("intervals-", id, "-", page), section_of(id, max(pages)),
        paste0(title_of(title, id, max(pages)), page_mark(page, max(pages))), trimws(caption),
        describe_intervals(shown, study),
        drawn$plot, drawn$height_mm
      )))
    }
  }
  out
}

describe_intervals <- function(cells, study) {
  ends <- cells[, .(low = min(mean_ns), high = max(mean_ns)), by = workload]
  said <- ends[, paste0(workload, " from ", format_time(low), " to ", format_time(high))]
  paste0(
    "Dot plot of the mean ", measure_words(study), " of ", format_plural(length(unique(cells$label)), "cell"),
    " in ", format_plural(length(unique(cells$place)), "environment"), ", one column per protocol: ",
    format_list(said), ". The numbers stand in the table of cells."
  )
}
