# The command lines of tables.R and figures.R.

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
