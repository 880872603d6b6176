# Draws every figure of the report: each file in figures/ defines one function figure_<name>(data), which returns a
# list of figures. Writes an SVG per figure and figures.json, in which their order, titles and alt texts stand.
# Usage: Rscript analysis/figures.R --tidy DIR --definitions FILE --published DIR --raw DIR --out DIR

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
analysis_dir <- dirname(script)
source(file.path(analysis_dir, "load.R"))

run_script(function() {
  suppressPackageStartupMessages(library(ggplot2))
  arguments <- read_arguments(
    report_arguments("raw", "figures.json and an SVG per figure"), "Draws every figure of the report."
  )
  data <- read_report_data(arguments$tidy, arguments$definitions, arguments$published, arguments$raw)
  figures <- draw_figures(load_parts(file.path(analysis_dir, "figures"), "figure"), data)
  dir.create(arguments$out, recursive = TRUE, showWarnings = FALSE)
  unlink(file.path(arguments$out, "*.svg"))
  for (figure in figures) write_svg(figure, arguments$out)
  described <- lapply(figures, function(figure) figure[setdiff(names(figure), "plot")])
  list_file <- file.path(arguments$out, "figures.json")
  jsonlite::write_json(described, list_file, auto_unbox = TRUE, pretty = TRUE, digits = NA)
})
