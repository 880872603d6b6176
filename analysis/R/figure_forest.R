# One forest plot per study: each claim's target shaded, the study's number, and the rerun's under each protocol.

#' The numbers of a study's claims: the quoted verdicts that have an estimate, with the target of their decisive
#' contrast. Further columns are the study's number as `then`, a `label`, and `scale`: `ratio` for a log axis, else
#' `linear`.
forest_rows <- function(data, study_id) {
  rows <- quoted_verdicts(data)[study == study_id & is.finite(estimate) & !shown_verdict(verdict) %in% "not testable"]
  rows <- rows[is.finite(lower) | is.na(p)]
  if (nrow(rows) == 0) return(rows)
  at <- match(rows$contrast, data$contrasts$contrast)
  decisive <- data$contrasts[at]
  rows[, `:=`(from = decisive$target_lower, to = decisive$target_upper)]
  rows <- rows[!is.na(at)]
  decisive <- decisive[!is.na(at)]
  if (nrow(rows) == 0) return(rows)
  rows[, pair := paste0(
    decisive$numerator, ifelse(nzchar(decisive$denominator), paste0(" / ", decisive$denominator), ""),
    ifelse(decisive$measure == "wall", "", paste0(", ", vapply(decisive$measure, measure_phrase, "")))
  )]
  rows[, then := {
    figures <- published_figures(data, experiment[1], claim[1])
    as.numeric(if (is.finite(figures$stated)) figures$stated else figures$table$ratio %||% NA)
  }, by = .(experiment, claim)]
  rows[!is.finite(then), then := NA]
  rows[, scale := ifelse(
    mapply(is_difference, experiment, claim, MoreArgs = list(data = data)) | estimate <= 0, "linear", "ratio"
  )]
  # All rows of a claim share one axis.
  rows[, scale := if (any(scale == "linear")) "linear" else "ratio", by = claim]
  rows[, label := {
    text <- data$experiments[[experiment[1]]]$claims[[claim[1]]]$text
    paste(c(claim[1], if (uniqueN(pair) == 1) pair[1] else text), collapse = " ")
  }, by = .(experiment, claim)]
  rows[, label := vapply(label, function(text) paste(strwrap(text, 46), collapse = "\n"), "")]
  parts <- claim_parts(data)[study == study_id]$part
  rows[order(match(claim, parts), match(base_protocol(protocol), shown_protocols(data)), estimate)]
}

#' The height of each label's row in mm, enough for its lines of text and its dots.
label_heights <- function(rows) {
  rows[, .(mm = max(2.9 * (1 + nchar(gsub("[^\n]", "", label[1]))) + 1.2, min(0.9 * .N + 1.5, 16), 4.4)), by = label]
}

#' One panel of a forest plot; rows of a claim lie below each other, as published above warmed up.
forest_panel <- function(rows, title) {
  heights <- label_heights(rows)
  heights[, centre := -(cumsum(mm) - mm / 2)]
  rows <- copy(rows)[heights, on = "label", `:=`(centre = i.centre, mm = i.mm)]
  rows[, y := centre + if (.N > 1) seq(0.4, -0.4, length.out = .N) * (mm[1] - 1) else 0, by = label]
  rows[, how := protocol_words(protocol)]
  ratio <- rows$scale[1] == "ratio"
  bands <- unique(rows[is.finite(from) | is.finite(to), .(
    centre, mm, from = fcoalesce(from, -Inf), to = fcoalesce(to, Inf)
  )])
  if (ratio) bands[from <= 0, from := -Inf][, from := fifelse(is.infinite(from), 0, from)]
  rows[, lower := if (ratio) pmax(lower, estimate / 1e3) else lower]
  thens <- unique(rows[is.finite(then) & (!ratio | then > 0), .(centre, then)])
  plot <- ggplot(rows, aes(y = y)) +
    geom_rect(
      data = bands, aes(xmin = from, xmax = to, ymin = centre - mm / 2 + 0.4, ymax = centre + mm / 2 - 0.4),
      inherit.aes = FALSE, fill = "#009E73", alpha = 0.16
    ) +
    geom_vline(xintercept = if (ratio) 1 else 0, colour = "grey60", linewidth = 0.3) +
    geom_linerange(aes(xmin = lower, xmax = upper, colour = how), linewidth = 0.4, na.rm = TRUE) +
    geom_point(aes(x = estimate, colour = how, shape = how), size = 1.2) +
    geom_point(
      data = thens, aes(x = then, y = centre), inherit.aes = FALSE, shape = 23, fill = "#F0E442", size = 2.2,
      stroke = 0.4
    ) +
    scale_y_continuous(breaks = heights$centre, labels = heights$label, expand = expansion(add = 0.5)) +
    scale_colour_manual(NULL, values = protocol_values(rows$how, c("#6F6F6F", "#0072B2", "#CC79A7"))) +
    scale_shape_manual(NULL, values = protocol_values(rows$how, c(1, 16, 17), shortened = 2)) +
    labs(x = title, y = NULL) +
    theme_report() +
    theme(panel.grid.major.y = element_blank(), axis.text.y = element_text(size = 5.8, lineheight = 0.85))
  # An open end of a range extends to the panel's edge, which 0 is on a log axis. ggplot2 warns of that when it draws.
  if (ratio) plot + scale_x_log10(breaks = log_breaks, labels = label_number) else plot
}

#' A colour or shape for each protocol: the first value for as-published, the second for warmed up, the third for
#' others.
protocol_values <- function(how, values, shortened = values[1]) {
  found <- sort(unique(how))
  setNames(fcase(
    found == "as published", values[1], startsWith(found, "as published"), shortened, found == "warmed up", values[2],
    default = values[3]
  ), found)
}

forest_figure <- function(data, study_id) {
  rows <- forest_rows(data, study_id)
  if (nrow(rows) == 0) return(NULL)
  panels <- split(rows, by = "scale", sorted = FALSE)[c("ratio", "linear")]
  panels <- Filter(Negate(is.null), panels)
  titles <- c(ratio = "ratio or value, log axis", linear = "difference")
  plots <- Map(forest_panel, panels, titles[names(panels)])
  heights <- vapply(panels, function(own) sum(label_heights(own)$mm), 0)
  heights <- heights * min(1, 180 / sum(heights))
  plot <- patchwork::wrap_plots(plots, ncol = 1, heights = heights, guides = "collect") &
    theme(legend.position = "bottom")
  ends <- rows[c(which.min(estimate), which.max(estimate))]
  said <- ends[, paste0(claim, " ", pair, ", ", protocol_words(protocol), ": ", format_significant(estimate))]
  new_figure(
    paste0("forest-", study_id), paste0("study-", study_id), paste0("The claims of ", study_name(data, study_id)),
    paste(
      "Green: the range in which the claim holds. Diamond: the study's number. Dots: ours with 95 % intervals, one per",
      "case."
    ),
    sprintf(
      "Forest plot of %s with %s: least %s; most %s.", format_plural(uniqueN(rows$claim), "claim"),
      format_plural(nrow(rows), "number"), said[1], said[2]
    ),
    plot, sum(heights) + 10 + 11 * length(panels)
  )
}

figure_forest <- function(data) {
  studies <- unique(study_of(data, names(data$experiments)))
  Filter(Negate(is.null), lapply(studies, function(id) forest_figure(data, id)))
}
