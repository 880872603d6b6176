# Figures, drawn one by one and written as SVG.

#' The functions that make figures, in the order of the report. A new figure is a function `figure_<name>(data)` in a
#' file of its own; it comes after those that have a place here.
report_figures <- function() {
  package_functions("figure", first = c(
    "front", "matrix", "redrawn", "iterations", "pauses", "bytes", "strength", "handshakes", "load", "pooling",
    "offers", "lengths"
  ))
}

#' The functions that make the tables of the report: a new one is a function `table_<name>(data)` in a file of its own.
report_tables <- function() package_functions("table")

#' Calls every figure function. What goes wrong in one is reported with its name.
draw_figures <- function(functions, data) {
  drawn <- lapply(names(functions), function(name) {
    tryCatch(functions[[name]](data), error = function(problem) {
      stop("figure ", name, ": ", conditionMessage(problem), call. = FALSE)
    })
  })
  figures <- unlist(drawn, recursive = FALSE)
  for (i in seq_along(figures)) {
    figures[[i]]$caption <- paste0(figures[[i]]$caption, unsettled_caption(figures[[i]]$plot$data))
  }
  for (i in seq_along(figures)) figures[[i]]$file <- paste0(gsub("[^A-Za-z0-9.-]", "-", figures[[i]]$id), ".svg")
  figures
}

#' Write a figure as SVG with its text as outlines, so that it looks the same without the fonts it was drawn with.
write_svg <- function(figure, dir) {
  drawn <- tempfile(fileext = ".svg")
  on.exit(unlink(drawn))
  grDevices::svg(drawn, width = figure$width_mm / 25.4, height = figure$height_mm / 25.4, bg = "white")
  tryCatch(print(figure$plot), finally = grDevices::dev.off())
  # A hundredth of a point is finer than any printer; the digits beyond make up half of the file.
  text <- readLines(drawn, encoding = "UTF-8", warn = FALSE)
  file <- file.path(dir, figure$file)
  # The graphics device does not report a full disk.
  if (!identical(text[length(text)], "</svg>")) {
    refuse(file, "can't be drawn whole", "free space in the temporary directory", "check its free space")
  }
  write_lines(gsub("([0-9]\\.[0-9]{2})[0-9]+", "\\1", text), file)
}

# The look of every figure: theme, palette, axes, and the record that a figure function returns.

page_width_mm <- 178
page_height_mm <- 222
# Two such figures stand beside each other.
half_width_mm <- 86

#' Okabe and Ito's colours, told apart by people with any colour vision; the shapes tell them apart in grey.
place_colours <- c("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
place_shapes <- c(16, 17, 15, 18, 8, 4, 3)

#' The shape of each of `count` places. Colours begin anew after the last, with other shapes than before: no two of 49
#' have both.
shapes_of <- function(count) {
  at <- seq_len(count) - 1
  kinds <- length(place_shapes)
  place_shapes[(at + at %/% kinds) %% kinds + 1]
}

#' The scales of places; the same colour and shape for a place in every figure of a study.
#'
#' @param shown labels that the legend has, if not all of `places`; those that are no place (ratios between
#'   environments) are black with open shapes
scale_place <- function(places, shown = unique(places$label)) {
  own <- unique(places$label)
  shared <- setdiff(shown, own)
  colours <- c(rep_len(place_colours, length(own)), rep("#000000", length(shared)))
  shapes <- c(shapes_of(length(own)), rep_len(c(5, 0, 2, 6), length(shared)))
  kept <- c(own, shared) %in% shown
  labels <- c(own, shared)[kept]
  take <- function(values) setNames(values[kept], labels)
  guide <- guide_legend(ncol = min(legend_columns(labels), max(length(labels), 1)), byrow = TRUE)
  list(
    scale_colour_manual(NULL, values = take(colours), limits = labels, drop = FALSE, guide = guide),
    scale_shape_manual(NULL, values = take(shapes), limits = labels, drop = FALSE, guide = guide)
  )
}

#' As many columns as the longest label lets stand beside each other. A legend is centred under the panels, which may
#' leave nearly half of the page to the labels of rows.
legend_columns <- function(labels) max(1, floor(page_width_mm * 0.55 / (7 + 1.2 * max(nchar(labels), 1))))

#' The height of the legend of places.
legend_mm <- function(labels) 4 + 4 * ceiling(length(unique(labels)) / legend_columns(labels))

theme_report <- function() {
  theme_bw(base_size = 7.5, base_family = "sans") +
    theme(
      panel.grid.minor = element_blank(),
      panel.grid.major = element_line(colour = "grey90", linewidth = 0.25),
      panel.border = element_rect(colour = "grey55", linewidth = 0.3, fill = NA),
      axis.ticks = element_line(linewidth = 0.25),
      axis.title = element_text(size = 7),
      strip.background = element_rect(fill = "grey93", colour = NA),
      strip.text = element_text(size = 7, margin = margin(2, 2, 2, 2)),
      legend.position = "bottom",
      legend.key.size = unit(3.2, "mm"),
      legend.margin = margin(0, 0, 0, 0),
      legend.text = element_text(size = 7),
      plot.title = element_text(size = 7.5, face = "bold", margin = margin(0, 0, 2, 0)),
      plot.title.position = "plot",
      plot.margin = margin(2, 5, 2, 2)
    )
}

#' Breaks for a log axis: 1, 10, 100 over decades, 1-2-5 within a few, evenly spaced within one.
log_breaks <- function(limits, wanted = 4) {
  limits <- sort(limits[is.finite(limits) & limits > 0])
  if (length(limits) < 2 || limits[1] == limits[2]) return(unique(limits))
  series <- list(c(1), c(1, 3), c(1, 2, 5))
  decades <- seq(floor(log10(limits[1])), ceiling(log10(limits[2])))
  for (steps in series) {
    breaks <- sort(as.vector(outer(steps, 10^decades)))
    breaks <- breaks[breaks >= limits[1] & breaks <= limits[2]]
    if (length(breaks) >= 3) return(breaks[seq(1, length(breaks), by = ceiling(length(breaks) / (wanted + 2)))])
  }
  breaks <- pretty(limits, wanted)
  breaks[breaks >= limits[1] & breaks <= limits[2]]
}

#' Labels of times on an axis, and of plain numbers. An axis drops the digits that say nothing.
label_time <- function(ns) {
  vapply(ns, function(x) {
    if (!is.finite(x)) return("")
    unit <- time_unit(x)
    paste(format_plain(unname(x / unit), 4), names(unit))
  }, "")
}
label_number <- function(x) {
  vapply(x, function(value) {
    if (!is.finite(value)) return("")
    if (abs(value) >= 1e4) format_count(value) else format_plain(value, 4)
  }, "")
}

#' The record of one figure. `section` is an experiment's id or "appendix"; the alt text is for those who can't see it.
new_figure <- function(id, section, title, caption, alt, plot, height_mm, width_mm = page_width_mm) {
  list(
    id = id, section = section, title = title, caption = caption, alt = alt, plot = plot,
    width_mm = width_mm, height_mm = min(height_mm, page_height_mm)
  )
}

#' A figure that says in words why there is nothing to draw.
empty_figure <- function(id, section, title, words) {
  plot <- ggplot() + annotate("text", x = 0, y = 0, label = words, size = 3, family = "sans") + theme_void()
  new_figure(id, section, title, paste0(words, "."), paste0("An empty figure: ", words, "."), plot, 18)
}

#' Splits weighted items into as few runs of at most `most` as do, the fullest of which is as small as can be, without
#' breaking the order: the run of every item.
paginate <- function(weights, most) {
  pages <- runs_of(weights, most)
  for (limit in seq(min(sum(weights) / max(pages, 1), most), most, length.out = 50)) {
    even <- runs_of(weights, limit)
    if (max(even, 1) == max(pages, 1)) return(even)
  }
  pages
}

runs_of <- function(weights, most) {
  page <- integer(length(weights))
  filled <- 0
  number <- 1L
  for (i in seq_along(weights)) {
    if (filled > 0 && filled + weights[i] > most) {
      number <- number + 1L
      filled <- 0
    }
    filled <- filled + weights[i]
    page[i] <- number
  }
  page
}

#' " (1 of 3)" where there are several pages, nothing where there is one.
page_mark <- function(page, pages) if (pages > 1) sprintf(" (%d of %d)", page, pages) else ""

#' Where a figure of an experiment stands that belongs to its study's own pages; in the appendix where it has none.
then_section <- function(data, id) {
  study <- study_of(data, id)
  if (study %in% names(rerun_studies(data))) paste0("then-", study) else "details"
}

#' A title in the appendix, with the experiment it is of.
title_of <- function(title, id) paste0(title, ": ", id)

# Draws every figure of the report: each function figure_<name>(data) returns a list of figures. Writes an SVG per
command_figures <- function(words) {
  arguments <- read_arguments(
    report_arguments("raw", "figures.json and an SVG per figure"), "Draws every figure of the report.",
    words
  )
  validity <- analysis_path("validity.csv")
  data <- read_report_data(arguments$tidy, arguments$definitions, arguments$published, arguments$raw, validity)
  figures <- draw_figures(report_figures(), data)
  dir.create(arguments$out, recursive = TRUE, showWarnings = FALSE)
  unlink(file.path(arguments$out, "*.svg"))
  for (figure in figures) write_svg(figure, arguments$out)
  described <- lapply(figures, function(figure) figure[setdiff(names(figure), "plot")])
  write_json(described, file.path(arguments$out, "figures.json"))
}
