# The studies' own figures and their layout (data/published/layout): which of them this run can redraw.

#' The layouts in a folder; none where it has no such file.
#'
#' @return list: `pictures` of pictures.json, with their named axes put in; `figures`, `systems`,
#'   `studies` (the question of each, and its headline numbers) of the CSV files
read_layout <- function(folder) {
  table <- function(name, columns) {
    file <- file.path(folder, name)
    with_columns(if (file.exists(file)) read_csv_strictly(file) else data.table(), typed("c", columns))
  }
  file <- file.path(folder, "pictures.json")
  read <- if (file.exists(file)) jsonlite::fromJSON(file, simplifyVector = FALSE)
  pictures <- lapply(read$pictures, function(picture) {
    if (is.character(picture$series)) picture$series <- read$axes[[picture$series]]
    picture
  })
  list(
    pictures = pictures, figures = table("figures.csv", c("study", "figure", "shows", "known_from", "in_text", "note")),
    systems = table("systems.csv", c("study", "system", "kind", "version", "available", "why", "ours")),
    studies = table("studies.csv", c("study", "question", "headline"))
  )
}

#' The run's studies that have printed numbers or layouts, and the experiments of each.
#'
#' @return named list of experiments' ids, in the order of the definitions
rerun_studies <- function(data) {
  ids <- names(data$experiments)
  studies <- study_of(data, ids)
  known <- unique(c(data$published$study, data$layout$figures$study))
  lapply(setNames(nm = intersect(unique(studies), known)), function(study) ids[studies == study])
}

#' The pictures of a study that this run has numbers for, each with `rows` and `printed`, and the study's figures that
#' it has none for.
#'
#' @return list: `pictures`; `left_out`, their names in the study's order
study_pictures <- function(data, study) {
  own <- Filter(function(picture) picture$study == study, data$layout$pictures)
  values <- measured_values(data, rerun_studies(data)[[study]])
  own <- lapply(own, function(picture) {
    picture$rows <- picture_values(picture, values, data)
    if (!is.null(picture$rows)) picture$printed <- printed_values(picture, picture$rows, data)
    picture
  })
  of_panels <- function(picture) {
    lapply(Filter(function(panel) panel$name %in% picture$rows$panel, picture$panels), function(panel) panel$figures)
  }
  wanted <- unique(unlist(lapply(own, function(picture) lapply(picture$panels, function(panel) panel$figures))))
  list(
    pictures = Filter(function(picture) !is.null(picture$rows), own),
    left_out = setdiff(wanted, unlist(lapply(own, of_panels)))
  )
}

#' `figures 7 to 9`, `figure 4`, `tables 7 and 8` from names that end with a number; others as they are.
layout_figure_names <- function(names) {
  kinds <- sub(" [0-9]+$", "", names)
  numbers <- suppressWarnings(as.integer(sub("^.* ", "", names)))
  said <- vapply(unique(kinds), function(kind) {
    own <- sort(unique(numbers[kinds == kind]))
    if (length(own) == 0) return(kind)
    runs <- split(own, cumsum(c(1, diff(own) != 1)))
    words <- unlist(lapply(runs, function(run) if (length(run) > 2) paste(run[1], "to", run[length(run)]) else run))
    paste0(kind, if (length(own) > 1) "s", " ", format_list(words))
  }, "")
  format_list(said)
}

#' `, as in the study's figures 1 and 2` for a figure of this report that stands for them; empty for others.
drawn_as <- function(data, figure) {
  panels <- unlist(lapply(data$layout$pictures, function(picture) picture$panels), recursive = FALSE)
  own <- Filter(function(panel) panel$name == figure, panels)
  if (length(own) == 0) "" else paste(", as in the study's", layout_figure_names(unlist(own[[1]]$figures)))
}
