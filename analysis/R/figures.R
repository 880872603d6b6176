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

#' Writes a figure as SVG with its text as outlines, so that it looks the same without the fonts it was drawn with.
write_svg <- function(figure, dir) {
  file <- file.path(dir, figure$file)
  grDevices::svg(file, width = figure$width_mm / 25.4, height = figure$height_mm / 25.4, bg = "white")
  tryCatch(print(figure$plot), finally = grDevices::dev.off())
  # A hundredth of a point is finer than any printer; the digits beyond make up half of the file.
  text <- readLines(file, encoding = "UTF-8")
  writeLines(gsub("([0-9]\\.[0-9]{2})[0-9]+", "\\1", text), file, useBytes = TRUE)
}
