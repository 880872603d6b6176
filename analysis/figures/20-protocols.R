# What the protocol does: the study's protocol against the modern one, as a ratio of times per cell.

protocol_plot <- function(ratios, data, axis) {
  ratios <- data.table::copy(ratios)
  ratios[, label := factor(label, levels = rev(intersect(levels(label), label)))]
  ratios[, place := factor(place, levels = rev(unique(data$places$label)))]
  dodge <- position_dodge(width = 0.75)
  reach <- range(c(1, ratios$lower, ratios$upper, ratios$ratio), na.rm = TRUE)
  ggplot(ratios, aes(x = ratio, y = label, colour = place, shape = place)) +
    geom_vline(xintercept = 1, colour = "grey40", linewidth = 0.3) +
    geom_linerange(aes(xmin = lower, xmax = upper), position = dodge, linewidth = 0.5, na.rm = TRUE) +
    geom_point(position = dodge, size = 1.3) +
    scale_x_log10(breaks = log_breaks, labels = label_number, limits = reach) +
    scale_place(data$places, unique(as.character(ratios$place))) +
    labs(x = axis, y = NULL) +
    theme_report() +
    theme(panel.grid.major.y = element_blank())
}

figure_protocols <- function(every) {
  out <- list()
  for (id in names(every$experiments)) {
    data <- few_places(every, id)
    protocols <- protocols_of(data$experiments[[id]])
    if (length(protocols) < 2) next
    title <- "When the protocol makes the difference"
    ratios <- ratios_of(data, id, "protocol")[is.finite(ratio)]
    if (nrow(ratios) == 0) {
      words <- "No cell of this study was measured under two protocols"
      out <- c(out, list(empty_figure(paste0("protocols-", id), id, title, words)))
      next
    }
    axis <- sprintf("time %s / time %s", protocols[1], protocols[length(protocols)])
    ratios <- ratios[order(label)]
    row_mm <- max(4.5, 1.5 + 1.7 * nrow(data$places))
    names <- unique(ratios$label)
    pages <- paginate(rep(row_mm, length(names)), page_height_mm - 18 - legend_mm(data$places$label))
    for (page in unique(pages)) {
      shown <- ratios[label %in% names[pages == page]]
      ends <- shown[c(which.min(ratio), which.max(ratio))]
      said <- ends[, paste0(format_significant(ratio), " (", label, ", ", place, ")")]
      out <- c(out, list(new_figure(
        paste0("protocols-", id, "-", page), section_of(id, max(pages)),
        paste0(title_of(title, id, max(pages)), page_mark(page, max(pages))),
        paste0(data$few, paste0(
          "Each cell's time under the study's protocol, divided by its time under ours, with its ", interval_words(),
          ". "
        ), paste(
          "Right of 1 the study's protocol says slower. The cells' ratios need not be alike: where",
          "they differ, the protocol changes comparisons too."
        )),
        sprintf("Dot plot of %s, %s: from %s to %s.", format_plural(nrow(shown), "ratio"), axis, said[1], said[2]),
        protocol_plot(shown, data, axis), row_mm * length(unique(shown$label)) + 10 + legend_mm(data$places$label)
      )))
    }
  }
  out
}
