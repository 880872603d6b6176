# Draws every figure of the report: each file in figures/ defines one function figure_<name>(data), which returns a
# list of figures. Writes an SVG per figure and figures.json, in which their order, titles and alt texts stand.
# Usage: Rscript analysis/figures.R --tidy DIR --definitions FILE --published DIR --raw DIR --out DIR

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "rooms.R"), chdir = TRUE)

script(c("display", "draw"), function() {
  arguments <- read_arguments(
    report_arguments("raw", "figures.json and an SVG per figure"), "Draws every figure of the report."
  )
  validity <- file.path(analysis_dir, "validity.csv")
  data <- read_report_data(arguments$tidy, arguments$definitions, arguments$published, arguments$raw, validity)
  figures <- draw_figures(plug_ins(file.path(analysis_dir, "figures"), "figure"), data)
  dir.create(arguments$out, recursive = TRUE, showWarnings = FALSE)
  unlink(file.path(arguments$out, "*.svg"))
  for (figure in figures) write_svg(figure, arguments$out)
  described <- lapply(figures, function(figure) figure[setdiff(names(figure), "plot")])
  list_file <- file.path(arguments$out, "figures.json")
  jsonlite::write_json(described, list_file, auto_unbox = TRUE, pretty = TRUE, digits = NA)
})
