# The studies' own figures, redrawn in their layout with this run's numbers, from data/published/layout/pictures.json:
# a function for each kind of figure, which all that the list has of the kind share.

series_colours <- function() c(place_colours[-7], "#999999", "#F0E442", "#882255", "#44AA99")
series_shapes <- c(16, 17, 15, 8, 4, 3, 1, 2, 0, 5)

# The units that are not a time on an axis of its own: what a value is multiplied with, and what a tick is divided by.
axis_scales <- list("%" = c(100, 1), s = c(1, 1e9), number = c(1, 1), bytes = c(1, 1))

#' The series that a picture shows: those with numbers of ours or printed ones, and those that can't be had.
shown_series <- function(picture) {
  levels <- levels(picture$rows$series)
  absent <- names(Filter(function(ids) length(ids) == 0, picture$series$levels))
  seen <- c(as.character(picture$rows$series), as.character(picture$printed$series))
  list(all = levels[levels %in% c(seen, absent)], absent = absent)
}

#' Rows for every series at every place, so that what is missing keeps its place; `absent` says what can't be had.
filled_rows <- function(rows, picture, shown) {
  grid <- unique(picture$rows[, .(panel, split, x)])[, .(series = shown$all), by = .(panel, split, x)]
  grid[, series := factor(series, levels = levels(picture$rows$series))]
  filled <- rows[grid, on = intersect(c("panel", "split", "x", "series"), names(rows))]
  filled[, `:=`(series = droplevels(series), absent = ifelse(series %in% shown$absent, "n/a", ""))]
  filled[is.na(value), `:=`(mark = "")][]
}

#' The axis of values: of times with their unit, of other things as they are.
value_scale <- function(picture) {
  as_it_is <- function(x) label_number(x / axis_scales[[picture$unit]][2])
  labels <- if (picture$unit == "time") label_time else as_it_is
  if (picture$kind == "dots") return(scale_y_log10(breaks = log_breaks, labels = labels))
  scale_y_continuous(labels = labels, expand = expansion(mult = c(0, 0.08)))
}

#' The parts that a picture's panels are split into, as far as there is something in them.
parts_of <- function(picture) unique(picture$rows[, .(panel, split)])

#' Whether each panel of a picture has all parts that any has.
is_whole_grid <- function(picture) {
  parts <- parts_of(picture)
  nrow(parts) == data.table::uniqueN(parts$panel) * data.table::uniqueN(parts$split)
}

#' Panels under and beside each other: of pictures that are split, a column for each part; no empty one where some
#' panels lack a part.
panel_facets <- function(picture) {
  if (is.null(picture$split)) {
    # Shares are compared between panels too; times differ by so much that each has its own axis.
    axes <- if (picture$unit == "%") "fixed" else "free_y"
    return(facet_wrap(vars(panel), ncol = panels_wide(picture), scales = axes))
  }
  named <- as_labeller(function(level) ifelse(level == "", "no level", paste("level", level)))
  labels <- labeller(split = named, panel = label_wrap_gen(20))
  if (!is_whole_grid(picture)) {
    return(facet_wrap(vars(panel, split), ncol = panels_wide(picture), scales = "free", labeller = labels))
  }
  facet_grid(rows = vars(panel), cols = vars(split), scales = "free", space = "free_x", labeller = labels)
}

#' How many panels stand beside each other: as the layout says, or one for each part of those that are split; or
#' fewer, so that rows are alike where some are left out.
panels_wide <- function(picture) {
  split <- !is.null(picture$split)
  n <- if (split) nrow(parts_of(picture)) else data.table::uniqueN(picture$rows$panel)
  ceiling(n / ceiling(n / if (split) data.table::uniqueN(picture$rows$split) else picture$wide))
}

#' How many rows of panels a picture has, and how high each is with its titles, in mm.
panel_rows_mm <- function(picture) {
  n <- if (is.null(picture$split)) data.table::uniqueN(picture$rows$panel) else nrow(parts_of(picture))
  titles <- if (!is.null(picture$split) && !is_whole_grid(picture)) 8 else 0
  ceiling(n / panels_wide(picture)) * (36 + titles)
}

# A panel's axis and frame, what stands at one place of its axis, and a letter of its title.
slot_mm <- c(axis = 14, one = 4.5, letter = 1.15)

#' How wide a picture is drawn: half of the page where its panels have room in that.
picture_width <- function(picture) {
  rows <- picture$rows
  split <- length(unique(rows$split))
  across <- panels_wide(picture)
  places <- data.table::uniqueN(rows[, .(x, split)]) / split
  each <- if (picture$kind == "stacked") 1 else length(shown_series(picture)$all)
  titles <- if (is.null(picture$split)) max(nchar(as.character(rows$panel))) else 0
  panel <- max(places * each * slot_mm[["one"]], titles * slot_mm[["letter"]]) + slot_mm[["axis"]]
  if (across * panel <= half_width_mm) half_width_mm else page_width_mm
}

# The angle of labels that stand too close, a letter of theirs in mm, and what a value axis gives them at least.
slant <- c(degrees = 35, letter = 1.4, axis = 10)

#' Room to the left, in mm, that the first slanted label needs beyond the value axis and half of its own place.
slant_room <- function(picture) {
  labels <- levels(droplevels(as.factor(picture$rows$x)))
  place <- (picture_width(picture) / panels_wide(picture) - slot_mm[["axis"]]) / length(labels)
  reach <- cos(slant[["degrees"]] * pi / 180) * slant[["letter"]] * nchar(labels[1])
  max(0, reach - slant[["axis"]] - place / 2)
}

#' What all kinds have: axes, panels, legend.
framed <- function(plot, picture, shown) {
  labels <- ifelse(shown$all %in% shown$absent, paste(shown$all, "(not available)"), shown$all)
  printed <- setdiff(shown$all, c(as.character(picture$rows$series), shown$absent))
  scale <- function(make, values, special) {
    values <- stats::setNames(rep_len(values, length(shown$all)), shown$all)
    # As many beside each other as the figure has room for.
    columns <- max(1, floor(picture_width(picture) / (9 + slot_mm[["letter"]] * max(nchar(labels)))))
    make(
      NULL, values = replace(values, printed, special), breaks = shown$all, labels = labels, drop = FALSE,
      guide = guide_legend(ncol = min(columns, length(labels)), byrow = TRUE)
    )
  }
  many <- data.table::uniqueN(picture$rows$x) > 4
  scales <- if (picture$kind == "dots") {
    list(scale(scale_colour_manual, series_colours(), "#000000"), scale(scale_shape_manual, series_shapes, 18))
  } else {
    scale(scale_fill_manual, series_colours(), "#000000")
  }
  plot + panel_facets(picture) + value_scale(picture) + scales +
    scale_x_discrete(labels = if (many) identity else label_wrap_gen(8)) +
    labs(x = NULL, y = list("%" = "%", s = "seconds", bytes = "bytes")[[picture$unit]]) +
    theme_report() +
    theme(
      axis.text.x = if (many) element_text(angle = slant[["degrees"]], hjust = 1) else element_text(),
      plot.margin = margin(0.7, 1.8, 0.7, 0.7 + if (many) slant_room(picture) else 0, unit = "mm"),
      panel.grid.major.x = element_blank(), legend.position = if (length(shown$all) > 1) "bottom" else "none"
    )
}

#' Values beside each other: bars from 0 (`bars`), or points on a log axis (`dots`), with intervals; printed ones as
#' black diamonds.
plot_beside <- function(picture) {
  shown <- shown_series(picture)
  rows <- filled_rows(picture$rows, picture, shown)
  times <- (axis_scales[[picture$unit]] %||% 1)[1]
  bars <- picture$kind == "bars"
  rows[, foot := if (bars) 0 else times * min(value, na.rm = TRUE), by = panel]
  dodge <- position_dodge(width = 0.8)
  ends <- aes(ymin = times * lower, ymax = times * upper)
  plot <- ggplot(rows, aes(x = x, y = times * value, group = series))
  plot <- if (bars) {
    plot + geom_col(aes(fill = series), position = dodge, width = 0.76, na.rm = TRUE) +
      geom_linerange(ends, position = dodge, linewidth = 0.3, na.rm = TRUE)
  } else {
    plot + geom_linerange(ends, position = dodge, linewidth = 0.3, na.rm = TRUE) +
      geom_point(aes(colour = series, shape = series), position = dodge, size = 1.2, na.rm = TRUE, show.legend = TRUE)
  }
  plot <- plot +
    geom_text(aes(label = mark), position = dodge, vjust = -0.3, size = 2, na.rm = TRUE) +
    geom_text(aes(y = foot, label = absent), position = dodge, angle = 90, hjust = -0.1, size = 1.5, colour = "grey40")
  if (!is.null(picture$printed)) {
    plot <- plot + geom_point(
      aes(y = value), data = filled_rows(picture$printed, picture, shown), position = dodge, shape = 18, size = 2,
      na.rm = TRUE, show.legend = FALSE
    )
  }
  framed(plot, picture, shown)
}

#' Parts on top of each other, in their order from below; marks above the whole.
plot_stacked <- function(picture) {
  marks <- picture$rows[, .(value = sum(value), mark = max(mark)), by = .(panel, split, x)]
  plot <- ggplot(picture$rows, aes(x = x, y = value)) +
    geom_col(aes(fill = series), position = position_stack(reverse = TRUE), width = 0.7) +
    geom_text(aes(label = mark), data = marks, vjust = -0.3, size = 2)
  framed(plot, picture, shown_series(picture))
}

kinds <- list(bars = plot_beside, dots = plot_beside, stacked = plot_stacked)

# What of a figure the text has, of those of which it has not all.
caption_words <- c(
  caption = "the caption", mention = "a mention", "list of figures" = "its entry in the list of figures"
)

redrawn_caption <- function(picture, figures, data) {
  rows <- picture$rows
  axes <- c(unlist(picture$x$by), unlist(picture$series$by))
  settings <- lapply(setdiff(c("protocol", "provider", "factor.mode", "place", "cpu_profile"), axes), function(name) {
    if (name == "cpu_profile" && length(data$profiles) < 2) return(NULL)
    paste(setdiff(unique(as.character(rows[[name]])), ""), collapse = " or ")
  })
  settings <- Filter(nzchar, unlist(settings))
  cut <- unique(caption_words[figures$in_text])
  absent <- shown_series(picture)$absent
  said <- c(
    if (!anyNA(cut)) sprintf("The text at hand has no more of it than %s; the axes follow that.", format_list(cut)),
    paste0("Ours: ", paste(settings, collapse = "; "), "."), picture$note,
    if (picture$kind != "stacked") "Lines: 95 % intervals (Student t over forks).",
    if (!is.null(picture$printed)) "Black diamonds: printed in the study.",
    if (length(absent) > 0) paste0("n/a: can't be had (", format_list(absent), ").")
  )
  paste(said, collapse = " ")
}

redrawn_figure <- function(picture, data) {
  drawn <- Filter(function(panel) panel$name %in% picture$rows$panel, picture$panels)
  names <- unique(unlist(lapply(drawn, function(panel) panel$figures)))
  figures <- data$layout$figures[study == picture$study & figure %in% names]
  ends <- picture$rows[c(which.min(value), which.max(value)), trimws(paste0(x, ", ", series, ", ", panel))]
  new_figure(
    paste("redrawn", picture$study, picture$id, sep = "-"), paste0("then-", picture$study),
    paste0(picture$title, ", as in the study's ", layout_figure_names(names)), redrawn_caption(picture, figures, data),
    sprintf(
      "%s of %s in %s: least %s; most %s.", c(bars = "Bars", dots = "Points", stacked = "Stacked bars")[[picture$kind]],
      format_plural(nrow(picture$rows), "value"), format_plural(length(drawn), "panel"), ends[1], ends[2]
    ),
    kinds[[picture$kind]](picture), panel_rows_mm(picture) + 28, picture_width(picture)
  )
}

figure_redrawn <- function(data) {
  unlist(unname(lapply(names(rerun_studies(data)), function(study) {
    pictures <- study_pictures(data, study)$pictures
    lapply(Filter(function(picture) picture$kind %in% names(kinds), pictures), redrawn_figure, data = data)
  })), recursive = FALSE)
}
