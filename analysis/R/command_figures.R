# Draws every figure of the report: each function figure_<name>(data) returns a list of figures. Writes an SVG per
# figure and figures.json, in which their order, titles and alt texts stand.

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
  list_file <- file.path(arguments$out, "figures.json")
  jsonlite::write_json(described, list_file, auto_unbox = TRUE, pretty = TRUE, digits = NA)
}
