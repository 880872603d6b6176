# The parts of the report that are found by listing a directory (figures/, tables/), and the writing of SVG.

#' What tables.R and figures.R are given; they differ in the name of the raw directory's option and in what they write.
report_arguments <- function(raw, written) {
  arguments <- list(
    tidy = list(text = "the tidy tables", required = TRUE, folder = TRUE),
    definitions = list(text = "definitions.json", required = TRUE, file = TRUE),
    published = list(text = "the studies' own numbers", required = TRUE, folder = TRUE),
    raw = list(text = "the raw directory that rounds.csv is relative to", required = TRUE),
    out = list(text = paste("directory for", written), required = TRUE)
  )
  setNames(arguments, replace(names(arguments), 4, raw))
}

#' Sources every file of a directory and returns its function `<prefix>_<name>`, where the file is `NN-<name>.R`.
load_parts <- function(dir, prefix) {
  files <- sort(list.files(dir, pattern = "\\.R$", full.names = TRUE))
  names <- gsub("-", "_", sub("^[0-9]+-", "", sub("\\.R$", "", basename(files))))
  parts <- Map(function(file, name) {
    space <- new.env(parent = globalenv())
    sys.source(file, envir = space)
    wanted <- paste0(prefix, "_", name)
    if (!exists(wanted, space, inherits = FALSE)) {
      refuse(file, "does not define the function that its name promises", paste0(wanted, "()"), "define it")
    }
    get(wanted, space)
  }, files, names)
  setNames(parts, names)
}

#' Calls every figure function. What goes wrong in one is reported with its name.
draw_figures <- function(functions, data) {
  drawn <- lapply(names(functions), function(name) {
    tryCatch(functions[[name]](data), error = function(problem) {
      stop("figure ", name, ": ", conditionMessage(problem), call. = FALSE)
    })
  })
  figures <- unlist(drawn, recursive = FALSE)
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
