# The first page's picture: for every claim with a number of its study, that number and ours.

#' Statements with a number of the study to hold ours against: a row for each claim's part and protocol, that of the
#' verdict which the first page quotes. A number here may lie at or below 0, where a log axis has no place for it.
numbers_beside <- function(data) {
  quoted <- quoted_verdicts(data)[is.finite(estimate) & verdict != "not comparable"]
  quoted <- quoted[, .SD[1], by = .(experiment, claim, protocol)]
  stated <- Map(function(id, claim) {
    figures <- published_figures(data, id, claim)
    own <- figures$stated
    if (!is.finite(own)) own <- figures$table$ratio %||% NA_real_
    own
  }, quoted$experiment, quoted$claim)
  quoted[, then := as.numeric(unlist(stated))]
  quoted <- quoted[is.finite(then) & then > 0]
  quoted[, label := paste0(claim, " ", vapply(seq_len(.N), function(i) {
    shorten(data$experiments[[experiment[i]]]$claims[[claim[i]]]$text, 62)
  }, ""))]
  quoted[, label := mark_unsettled(label, settled)]
  quoted[, protocol := factor(base_protocol(protocol), levels = unique(base_protocol(protocol)))][]
}

#' A text that is too long, without what stands in brackets, and then cut after a word, with an ellipsis.
shorten <- function(text, width) {
  if (nchar(text) > width) text <- gsub(" \\([^)]*\\)", "", text)
  if (nchar(text) <= width) return(text)
  paste0(sub("\\s+\\S*$", "", substr(text, 1, width)), "\u2026")
}

front_plot <- function(rows) {
  rows <- data.table::copy(rows)[, label := factor(label, levels = rev(unique(label)))]
  dodge <- position_dodge(width = 0.6)
  ggplot(rows, aes(y = label)) +
    geom_vline(xintercept = 1, colour = "grey70", linewidth = 0.25) +
    geom_linerange(
      aes(xmin = lower, xmax = upper, colour = protocol), position = dodge, linewidth = 0.5, na.rm = TRUE
    ) +
    geom_point(aes(x = estimate, colour = protocol, shape = protocol), position = dodge, size = 1.6) +
    geom_point(aes(x = then), shape = 5, size = 2.4, stroke = 0.6) +
    scale_x_log10(breaks = log_breaks, labels = label_number) +
    scale_colour_manual(NULL, values = unname(place_colours)) +
    scale_shape_manual(NULL, values = c(16, 17, 15, 4)) +
    labs(x = NULL, y = NULL) +
    theme_report() +
    theme(legend.position = "bottom", panel.grid.major.y = element_blank())
}

# What the axis and the legend take, and a row: of many as much as the first page has left for all of them.
front_frame_mm <- 15
front_row_mm <- function(rows) max(3.2, min(6, 52 / rows))

figure_front <- function(data) {
  rows <- numbers_beside(data)
  below <- unique(rows[estimate <= 0]$claim)
  rows <- rows[estimate > 0]
  if (nrow(rows) == 0) return(list())
  claims <- data.table::uniqueN(rows$label)
  list(new_figure(
    "front-numbers", "front", "The studies' numbers and ours",
    paste0(
      "Every statement for which its study gives a number or a table: the study's (open diamond) and ours with its ",
      "95 % interval, in the claim's own unit on a log axis; most are ratios.",
      if (length(below) > 0) sprintf(" No mark where ours is not above 0: %s.", format_list(below))
    ),
    sprintf("Dot plot of %s: the study's number beside ours under each protocol.", format_plural(claims, "statement")),
    front_plot(rows), front_frame_mm + front_row_mm(claims) * claims
  ))
}
