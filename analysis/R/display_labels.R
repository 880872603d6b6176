# Labels for places (an environment, its image and machine) and for cells, added to the tables once.

#' One row per environment, image and machine that has results, in the order of the definitions. Results of
#' different images or machines are never pooled, so each is a place of its own, and its label says which.
find_places <- function(data) {
  keys <- c("environment", "image_id", "machine_id")
  seen <- unique(data.table::rbindlist(lapply(
    c("rounds", "forks", "cells", "verdicts"), function(name) data[[name]][, keys, with = FALSE]
  )))
  seen <- seen[environment != ""]
  ids <- vapply(data$environments, function(x) x$id, "")
  labels <- setNames(vapply(data$environments, function(x) as.character(x$label %||% x$id), ""), ids)
  seen[, rank := match(environment, ids, nomatch = length(ids) + 1L)]
  data.table::setorderv(seen, c("rank", keys))
  seen[, label := ifelse(environment %in% ids, labels[environment], environment)]
  seen[, several := .N > 1, by = label]
  seen[several == TRUE, label := sprintf(
    "%s (image %s, machine %s)", label, short_id(image_id), substr(machine_id, 1, 6)
  )]
  seen[, c("rank", "several") := NULL]
  seen[]
}

#' The first hexadecimal digits of a digest, as people quote it.
short_id <- function(id, digits = 12) substr(sub("^sha256:", "", id), 1, digits)

#' The place of every row of a table, as a factor in the order of the places.
place_of <- function(table, places) {
  key <- function(x) paste(x$environment, x$image_id, x$machine_id)
  factor(places$label[match(key(table), key(places))], levels = unique(places$label))
}

#' The factors of all experiments, as columns of the tidy tables.
factor_columns <- function(table) grep("^factor\\.", names(table), value = TRUE)

#' What differs between the cells of one experiment (columns), besides the workload.
varying_columns <- function(cells) {
  columns <- c(factor_columns(cells), "provider", "cpu_profile")
  # A factor that only some workloads have differs within the workloads that have it, or not at all.
  columns[vapply(columns, function(name) length(unique(setdiff(cells[[name]], ""))) > 1, logical(1))]
}

#' Labels of cells: the workload and the levels of what differs. `order` puts them in the order of the definitions.
label_cells <- function(cells, experiment) {
  varying <- varying_columns(cells)
  words <- lapply(varying, function(name) cells[[name]])
  label <- trimws(gsub("\\s+", " ", do.call(paste, c(list(cells$workload), words))))
  rank <- function(name) {
    factor <- sub("^factor\\.", "", name)
    levels <- if (name == "provider") unlist(experiment$providers) else names(experiment$factors[[factor]])
    match(cells[[name]], levels, nomatch = 0L)
  }
  ranks <- c(list(match(cells$workload, names(experiment$workloads), nomatch = 99L)), lapply(varying, rank))
  list(label = label, order = do.call(order, c(ranks, list(label))))
}

#' What all cells of an experiment have in common, in words: "mode ECB, content random, provider sunjce".
describe_common <- function(cells) {
  columns <- setdiff(c(factor_columns(cells), "provider", "cpu_profile"), varying_columns(cells))
  said <- vapply(columns, function(name) {
    level <- setdiff(unique(cells[[name]]), "")
    if (length(level) == 1) paste(sub("cpu_profile", "CPU profile", sub("^factor\\.", "", name)), level) else ""
  }, "")
  format_list(said[said != ""])
}

#' Adds `place` to every table and `label` (a factor) to forks and cells; numbers the rows of cells for reference.
label_data <- function(data) {
  data$cells[, row := .I]
  data$places <- find_places(data)
  for (name in c("rounds", "forks", "cells", "contrasts", "verdicts")) {
    data[[name]][, place := place_of(.SD, data$places)]
  }
  where <- unique(data$rounds[, .(experiment, environment, round, image_id, machine_id)])
  for (name in c("iterations", "pauses")) {
    data[[name]] <- merge(data[[name]], where, by = c("experiment", "environment", "round"), all.x = TRUE, sort = FALSE)
    data[[name]][, place := place_of(.SD, data$places)]
  }
  for (name in c("forks", "cells")) {
    data[[name]][, label := ""]
    levels <- character()
    for (id in unique(data[[name]]$experiment)) {
      labelled <- label_cells(data[[name]][experiment == id], data$experiments[[id]])
      data[[name]][experiment == id, label := labelled$label]
      levels <- c(levels, unique(labelled$label[labelled$order]))
    }
    data[[name]][, label := factor(label, levels = unique(levels))]
  }
  data
}

#' The protocols of an experiment in their order; the first is the study's, the last is ours.
protocols_of <- function(experiment) names(experiment$protocols)

#' The cells of an experiment in the measure that its claims are about.
cells_of <- function(data, id) {
  wanted <- data$experiments[[id]]$measure %||% "wall"
  data$cells[experiment == id & measure == wanted]
}

#' "time" or "CPU time", as the experiment measures it.
measure_words <- function(experiment) {
  if (identical(experiment$measure, "cpu")) "CPU time per operation" else "time per operation"
}
