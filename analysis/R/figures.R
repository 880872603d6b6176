# Figures: their style, and how they are drawn and written as SVG.

#' The functions that make figures. A new figure is a function `figure_<name>(data)` in a new file.
report_figures <- function() {
  package_functions("figure", first = c("choose", "forest", "redrawn", "bytes", "changes", "iterations", "pauses"))
}

#' The functions that make the tables of the report. A new table is a function `table_<name>(data)`.
report_tables <- function() package_functions("table")

#' Calls every figure function. An error in one of them is reported with its name.
draw_figures <- function(functions, data) {
  drawn <- lapply(names(functions), function(name) {
    tryCatch(functions[[name]](data), error = function(problem) {
      stop("figure ", name, ": ", conditionMessage(problem), call. = FALSE)
    })
  })
  lapply(unlist(drawn, recursive = FALSE), function(figure) {
    figure$caption <- paste0(figure$caption, unproven_caption(figure$plot$data))
    figure$file <- paste0(gsub("[^A-Za-z0-9.-]", "-", figure$id), ".svg")
    figure
  })
}

#' Write a figure as SVG with its text as outlines, so that it looks the same without the fonts of this machine.
write_svg <- function(figure, dir) {
  drawn <- tempfile(fileext = ".svg")
  on.exit(unlink(drawn))
  grDevices::svg(drawn, width = figure$width_mm / 25.4, height = figure$height_mm / 25.4, bg = "white")
  tryCatch(print(figure$plot), finally = grDevices::dev.off())
  # A hundredth of a point is finer than any printer. The further digits would make up half of the file.
  text <- readLines(drawn, encoding = "UTF-8", warn = FALSE)
  file <- file.path(dir, figure$file)
  # The graphics device does not report a full disk.
  if (!identical(text[length(text)], "</svg>")) {
    refuse(file, "can't be drawn whole", "free space in the temporary directory", "check its free space")
  }
  write_lines(gsub("([0-9]\\.[0-9]{2})[0-9]+", "\\1", text), file)
}

# Style.

page_width_mm <- 178
page_height_mm <- 222

#' Okabe and Ito's colours, and four more of Paul Tol's muted ones: distinguishable with any colour vision.
palette_colours <- c(
  "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#882255", "#999933", "#332288", "#AA4499",
  "#117733",
  "#6F6F6F"
)

#' All providers: those of the definitions in their order, then others that were seen.
known_providers <- function(data, seen) {
  unique(c(data$providers, unlist(lapply(data$experiments, `[[`, "providers")), sort(unique(seen))))
}

#' Providers in the order of the definitions.
in_provider_order <- function(data, seen) intersect(known_providers(data, seen), unique(as.character(seen)))

#' The colour of every provider: the same in every figure of every report.
provider_colours <- function(data, seen = character()) {
  known <- known_providers(data, seen)
  setNames(rep_len(palette_colours, length(known)), known)
}

#' Letters in a row of the legend of providers, each mark counted as six: about the width of a page.
legend_letters <- 100

#' The colour scale of providers, with those in its legend that are drawn.
scale_provider <- function(data, seen) {
  shown <- in_provider_order(data, seen)
  labels <- level_words(data$words, "provider", shown)
  scale_colour_manual(
    NULL, values = provider_colours(data, seen)[shown], limits = shown, labels = labels,
    guide = guide_legend(nrow = ceiling(sum(nchar(labels) + 6) / legend_letters))
  )
}

theme_report <- function() {
  theme_bw(base_size = 7.5, base_family = "sans") +
    theme(
      panel.grid.minor = element_blank(),
      panel.grid.major = element_line(colour = "grey90", linewidth = 0.25),
      panel.border = element_rect(colour = "grey55", linewidth = 0.3, fill = NA),
      axis.ticks = element_line(linewidth = 0.25),
      axis.title = element_text(size = 7),
      strip.background = element_rect(fill = "grey93", colour = NA),
      strip.text = element_text(size = 6.5, margin = margin(1.5, 2, 1.5, 2)),
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
  decades <- seq(floor(log10(limits[1])), ceiling(log10(limits[2])))
  for (steps in list(1, c(1, 3), c(1, 2, 5))) {
    breaks <- sort(as.vector(outer(steps, 10^decades)))
    breaks <- breaks[breaks >= limits[1] & breaks <= limits[2]]
    if (length(breaks) >= 3) return(breaks[seq(1, length(breaks), by = ceiling(length(breaks) / (wanted + 2)))])
  }
  breaks <- pretty(limits, wanted)
  breaks[breaks >= limits[1] & breaks <= limits[2]]
}

#' Labels of times on an axis, and of plain numbers, without superfluous digits.
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

#' The record of one figure. `section` is the report's section that shows it. The alt text describes it to readers who
#' can't see it.
new_figure <- function(id, section, title, caption, alt, plot, height_mm, width_mm = page_width_mm) {
  list(
    id = id, section = section, title = title, caption = caption, alt = alt, plot = plot,
    width_mm = width_mm, height_mm = min(height_mm, page_height_mm)
  )
}

#' Draws every figure of the report and writes figures.json and an SVG for each.
command_figures <- function(words) {
  arguments <- read_arguments(
    report_arguments("raw", "figures.json and an SVG per figure"), "Draws every figure of the report.",
    words
  )
  data <- read_report_data(arguments$tidy, arguments$definitions, arguments$published, arguments$raw)
  figures <- draw_figures(report_figures(), data)
  dir.create(arguments$out, recursive = TRUE, showWarnings = FALSE)
  unlink(file.path(arguments$out, "*.svg"))
  in_parallel(figures, function(figure) write_svg(figure, arguments$out))
  described <- lapply(figures, function(figure) figure[setdiff(names(figure), "plot")])
  write_json(described, file.path(arguments$out, "figures.json"))
}
