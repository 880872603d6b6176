# Ratio forest: every contrast of every claim with its interval, the range that the claim wants shaded, and
# the study's own figures as lines.

# What a panel's title, strip and axis take.
panel_head_mm <- 17

#' The contrasts of one claim.
ratio_panel <- function(contrasts, lines, shown, data, study, title) {
  contrasts <- data.table::copy(contrasts)
  contrasts[, row := factor(row, levels = rev(unique(row)))]
  contrasts[, protocol := factor(protocol, levels = protocols_of(study))]
  contrasts[, place := factor(place, levels = rev(shown))]
  dodge <- position_dodge(width = 0.75)
  reach <- range(c(contrasts$lower, contrasts$upper, contrasts$ratio, contrasts$target_lower, contrasts$target_upper,
                   lines$value), na.rm = TRUE)
  if (diff(log(reach)) < 0.1) reach <- reach * c(0.95, 1.05)
  target <- unique(contrasts[is.finite(target_lower) | is.finite(target_upper), .(
    # An open end lies well outside the axis.
    protocol, low = data.table::fcoalesce(target_lower, reach[1] / 100),
    high = data.table::fcoalesce(target_upper, reach[2] * 100)
  )])
  plot <- ggplot(contrasts, aes(x = ratio, y = row))
  if (nrow(target) > 0) {
    plot <- plot + geom_rect(
      data = target, aes(xmin = low, xmax = high, ymin = -Inf, ymax = Inf), inherit.aes = FALSE,
      fill = "#009E73", alpha = 0.15
    )
  }
  plot <- plot + geom_vline(xintercept = 1, colour = "grey60", linewidth = 0.25)
  if (nrow(lines) > 0) {
    plot <- plot + geom_vline(data = lines, aes(xintercept = value, linetype = kind), linewidth = 0.4, colour = "black")
  }
  plot +
    geom_linerange(aes(xmin = lower, xmax = upper, colour = place), position = dodge, linewidth = 0.5, na.rm = TRUE,
                   show.legend = TRUE) +
    # Every panel of a page has the whole legend, so that they are one.
    geom_point(aes(colour = place, shape = place), position = dodge, size = 1.3, na.rm = TRUE, show.legend = TRUE) +
    facet_grid(cols = vars(protocol), drop = FALSE) +
    scale_x_log10(breaks = log_breaks, labels = label_number, limits = reach, oob = scales::oob_keep) +
    scale_linetype_manual(values = c(stated = "dashed", tabled = "dotted"), guide = "none") +
    scale_place(data$places, shown) +
    labs(x = NULL, y = NULL, title = title) +
    theme_report() +
    theme(panel.grid.major.y = element_blank(), panel.spacing.x = unit(4, "mm"))
}

#' The study's own figures for a claim, as lines to draw.
published_lines <- function(data, id, claim) {
  figures <- published_figures(data, id, claim)
  stated <- data.table::data.table(value = figures$stated, kind = "stated")
  tabled <- data.table::data.table(value = figures$table$ratio %||% NA_real_, kind = "tabled")
  data.table::rbindlist(list(stated, tabled))[is.finite(value)]
}

#' The contrasts of an experiment with the row and the page that each is drawn on. A claim that is longer than a page
#' goes on on the next.
ratio_rows <- function(contrasts, study) {
  # What a claim on values judges has no denominator.
  contrasts <- data.table::copy(contrasts)[, row := paste0(
    numerator, ifelse(nzchar(denominator), paste(" /", denominator), ""), "\n", scope
  )]
  # Rows that differ in nothing but the variant say which.
  contrasts[, twice := data.table::uniqueN(variant) > 1, by = .(claim, row)]
  contrasts[twice == TRUE, row := paste0(row, ", ", format_variant(variant))]
  contrasts <- contrasts[order(match(claim, names(study$claims)))][, place := droplevels(place)]
  rows <- contrasts[, .(places = data.table::uniqueN(place)), by = .(claim, row)]
  rows[, row_mm := max(6.5, 1.5 + 1.7 * places), by = claim]
  free_mm <- page_height_mm - legend_mm(levels(contrasts$place)) - panel_head_mm
  rows[, page := paginate(row_mm + panel_head_mm * !duplicated(claim), free_mm)]
  rows[, continued := page > min(page), by = claim]
  merge(contrasts, rows, by = c("claim", "row"), sort = FALSE)
}

#' The contrasts to draw: all, or where they would fill many pages, those that decide a verdict in some place, with the
#' same ratio everywhere else. `note` says which.
drawn_ratios <- function(contrasts, verdicts, study) {
  rows <- ratio_rows(contrasts, study)
  if (max(rows$page) <= 3) return(list(rows = rows, note = ""))
  deciding <- unique(rows[contrast %in% verdicts$contrast, .(claim, row)])
  kept <- contrasts[contrast %in% rows[deciding, on = c("claim", "row")]$contrast]
  list(
    rows = ratio_rows(kept, study), note = "Only ratios that decide a verdict are drawn; all stand in contrasts.csv. "
  )
}

#' A text of at most so many characters: cut after a word, with an ellipsis.
shortened <- function(text, most) {
  if (nchar(text) <= most) return(text)
  paste0(sub("[^[:alnum:]]*\\s\\S*$", "", substr(text, 1, most)), "\u2026")
}

ratio_page <- function(here, data, id) {
  groups <- split(here, by = "claim", sorted = FALSE)
  shown <- intersect(levels(here$place), here$place)
  plots <- lapply(groups, function(group) {
    claim <- group$claim[1]
    text <- shortened(data$experiments[[id]]$claims[[claim]]$text, 88)
    title <- paste0(claim, if (group$continued[1]) " (continued)", "  ", text)
    ratio_panel(group, published_lines(data, id, claim), shown, data, data$experiments[[id]], title)
  })
  rows <- vapply(groups, function(group) data.table::uniqueN(group$row) * group$row_mm[1], 0)
  patchwork::wrap_plots(plots, ncol = 1, heights = rows, guides = "collect") & theme(legend.position = "bottom")
}

figure_ratios <- function(every) {
  title <- "The ratios that the claims are about"
  pages <- lapply(names(every$experiments), function(id) {
    data <- few_places(every, id)
    contrasts <- data$contrasts[experiment == id & is.finite(ratio) & ratio > 0]
    others <- Filter(function(name) nzchar(no_ratio(data, id, name)), unique(contrasts$claim))
    contrasts <- contrasts[!claim %in% others]
    contrasts <- contrasts[order(match(cpu_profile, names(data$profiles)))]
    if (nrow(contrasts) == 0) {
      return(list(empty_figure(paste0("ratios-", id), id, title, "No ratio of this study could be estimated")))
    }
    drawn <- drawn_ratios(contrasts, data$verdicts[experiment == id], data$experiments[[id]])
    contrasts <- drawn$rows
    lapply(split(contrasts, by = "page"), function(here) {
      page <- here$page[1]
      rows <- unique(here[, .(claim, row, row_mm)])
      new_figure(
        paste0("ratios-", id, "-", page), id, paste0(title, page_mark(page, max(contrasts$page))),
        paste0(drawn$note, data$few, "Every contrast with its ", interval_words(), ", ", paste(
          "on log axes. Shaded: where the claim wants the ratio. The thin grey line is 1. Dashed: what the study",
          "states; dotted: the ratio in its table."
        )),
        describe_ratios(here), ratio_page(here, data, id),
        sum(rows$row_mm) + panel_head_mm * data.table::uniqueN(rows$claim) + legend_mm(levels(droplevels(here$place)))
      )
    })
  })
  unlist(unname(lapply(pages, unname)), recursive = FALSE)
}

describe_ratios <- function(contrasts) {
  ends <- contrasts[, .(low = min(ratio), high = max(ratio)), by = claim]
  said <- ends[, paste0(claim, " from ", format_significant(low), " to ", format_significant(high))]
  paste0(
    "Forest plot of ", format_plural(nrow(contrasts), "ratio"), " with intervals, grouped by claim: ",
    paste(said, collapse = "; "), ". The decisive ones stand in the table of verdicts."
  )
}
