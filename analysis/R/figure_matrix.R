# Heat map: every cell's time against the same cell's in the reference environment, a column per environment and CPU
# profile. Rows and columns that do not fit on a page go on on the next.

tile_mm <- 4.3
text_mm <- 1.18

#' The columns' heads, one part of the label per line; they stand upright.
head_words <- function(columns) gsub(", ", ",\n", columns, fixed = TRUE)

matrix_plot <- function(ratios, limit) {
  ratios <- data.table::copy(ratios)
  ratios[, `:=`(row = factor(row, levels = rev(levels(row))), strength = pmax(pmin(log(ratio), limit), -limit))]
  ratios[, dark := strength < -0.6 * limit]
  ratios[, open := is.finite(lower) & lower <= 1 & upper >= 1]
  steps <- limit * c(-1, -0.5, 0, 0.5, 1)
  ggplot(ratios, aes(x = column, y = row)) +
    geom_tile(aes(fill = strength), colour = "grey75", linewidth = 0.15) +
    geom_text(aes(label = ifelse(is.na(ratio), dash, format_significant(ratio, 3)), colour = dark), size = 1.85) +
    geom_point(
      data = ratios[open == TRUE], shape = 1, size = 0.75, stroke = 0.3, position = position_nudge(x = 0.4, y = 0.28)
    ) +
    scale_colour_manual(values = c("FALSE" = "black", "TRUE" = "white"), guide = "none") +
    scale_fill_gradient2(
      "times the reference", low = "#0072B2", mid = "white", high = "#D55E00", midpoint = 0, limits = c(-limit, limit),
      breaks = steps, labels = format_significant(exp(steps), 3), na.value = "grey92",
      guide = guide_colourbar(barwidth = unit(45, "mm"), barheight = unit(2.2, "mm"), title.vjust = 1)
    ) +
    scale_x_discrete(position = "top", labels = head_words, expand = c(0, 0)) +
    scale_y_discrete(expand = c(0, 0)) +
    labs(x = NULL, y = NULL) +
    theme_report() +
    theme(
      axis.text.x.top = element_text(angle = 90, hjust = 0, vjust = 0.5, size = 6, lineheight = 0.9),
      axis.text.y = element_text(size = 6.2), panel.grid = element_blank(), axis.ticks = element_blank(),
      legend.title = element_text(size = 6.5), legend.location = "plot"
    )
}

#' Where the colours end, on the log scale: so that most ratios have colours of their own, and a few large ones do not
#' make all others white.
colour_limit <- function(ratios) {
  strength <- abs(log(ratios[is.finite(ratios)]))
  most <- stats::quantile(strength[strength > 0], 0.8, names = FALSE)
  min(max(most, log(1.1), na.rm = TRUE), log(4))
}

#' One experiment and machine, over as many pages as it takes.
matrix_figures <- function(data, set) {
  ratios <- matrix_ratios(data, set)
  rows <- intersect(levels(ratios$row), ratios$row)
  columns <- intersect(levels(ratios$column), ratios$column)
  label_mm <- text_mm * max(nchar(rows)) + 4
  head_mm <- text_mm * max(nchar(unlist(strsplit(head_words(columns), "\n")))) + 3
  wide_mm <- min(max(2.7 * max(lengths(strsplit(head_words(columns), "\n"))) + 1, 9.2), 14)
  per_row <- max(2, floor((page_width_mm - label_mm - 4) / wide_mm))
  per_page <- floor((page_height_mm - head_mm - 16) / tile_mm)
  # Pages of about the same size.
  pages_of <- function(n, most) ceiling(seq_len(n) / ceiling(n / ceiling(n / most)))
  parts <- CJ(down = unique(pages_of(length(rows), per_page)), along = unique(pages_of(length(columns), per_row)))
  limit <- colour_limit(ratios$ratio)
  lapply(seq_len(nrow(parts)), function(i) {
    shown_rows <- rows[pages_of(length(rows), per_page) == parts$down[i]]
    shown_columns <- columns[pages_of(length(columns), per_row) == parts$along[i]]
    all <- CJ(row = factor(shown_rows, levels = shown_rows), column = factor(shown_columns, levels = shown_columns))
    at <- match(paste(all$row, all$column, sep = "\r"), paste(ratios$row, ratios$column, sep = "\r"))
    shown <- all[, c("ratio_id", "ratio", "lower", "upper") := ratios[at, .(ratio_id, ratio, lower, upper)]]
    new_figure(
      paste("matrix", set$experiment, substr(set$machine_id, 1, 6), i, sep = "-"), "matrix",
      paste0("Times against the reference: ", set_words(data, set), page_mark(i, nrow(parts))),
      matrix_caption(data, set, columns[1], ratios, limit), describe_matrix(shown, columns[1]),
      matrix_plot(shown, limit),
      height_mm = head_mm + tile_mm * length(shown_rows) + 16,
      width_mm = min(page_width_mm, max(label_mm + wide_mm * length(shown_columns) + 4, 90))
    )
  })
}

matrix_caption <- function(data, set, reference, ratios, limit) {
  beyond <- max(abs(log(ratios$ratio)), na.rm = TRUE) > limit * (1 + 1e-9)
  paste0(
    "Each cell's mean ", measure_words(data$experiments[[set$experiment]]), " under the protocol ", set$protocol,
    ", divided by the same cell's in ", reference, ". Blue is faster than there, orange slower; the colours are on a ",
    "log scale", if (beyond) paste0(" that ends at ", format_significant(exp(limit), 2), " times") else "",
    ". A small circle: the ", interval_words(), " includes 1."
  )
}

describe_matrix <- function(shown, reference) {
  found <- shown[is.finite(ratio)]
  ends <- found[c(which.min(ratio), which.max(ratio))]
  said <- ends[, paste0(format_significant(ratio), " (", row, ", ", column, ")")]
  open <- sum(is.finite(found$lower) & found$lower <= 1 & found$upper >= 1)
  sprintf(
    "Heat map of %s by %s, ratios to %s: from %s to %s; %s of %s have an interval that includes 1.",
    format_plural(data.table::uniqueN(shown$row), "cell"),
    format_plural(data.table::uniqueN(shown$column), "combination of environment and CPU profile",
                  "combinations of environment and CPU profile"),
    reference, said[1], said[2], format_count(open), format_count(nrow(found))
  )
}

figure_matrix <- function(data) {
  sets <- matrix_sets(data)
  unlist(lapply(seq_len(nrow(sets)), function(i) matrix_figures(data, sets[i])), recursive = FALSE)
}
