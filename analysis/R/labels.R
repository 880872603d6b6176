# Labels for cells, added to the tables once, and what the cells of an experiment have in common.

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
    levels <- switch(name,
      provider = unlist(experiment$providers),
      cpu_profile = c("", "native", setdiff(cells$cpu_profile, c("", "native"))),
      names(experiment$factors[[factor]])
    )
    match(cells[[name]], levels, nomatch = 0L)
  }
  ranks <- c(list(match(cells$workload, names(experiment$workloads), nomatch = 99L)), lapply(varying, rank))
  list(label = label, order = do.call(order, c(ranks, list(label))))
}

#' A statement's variant, without the factors of which the experiment's cells have one level only: those stand with the
#' cells. `rsa-bits=1024, mode=ECB` is "rsa-bits 1024" where all is ECB.
#'
#' @param variant texts; NA where a claim has none
variant_words <- function(data, id, variant) {
  cells <- cells_of(data, id)
  alike <- function(part) {
    name <- sub("=.*", "", part)
    column <- if (name %in% names(cells)) name else paste0("factor.", name)
    length(setdiff(unique(cells[[column]]), c("", NA))) == 1
  }
  vapply(strsplit(fcoalesce(as.character(variant), ""), ",\\s*(?=[a-z-]+=)", perl = TRUE), function(parts) {
    format_variant(paste(Filter(Negate(alike), parts), collapse = ", "))
  }, "")
}

#' What all cells of an experiment have in common, in words: "mode ECB, content random, provider sunjce". What only some
#' workloads have is followed by their names: "size 16 KB (payload)".
describe_common <- function(cells) {
  columns <- setdiff(c(factor_columns(cells), "provider", "cpu_profile"), varying_columns(cells))
  said <- vapply(columns, function(name) {
    level <- setdiff(unique(cells[[name]]), "")
    if (length(level) != 1) return("")
    having <- unique(cells$workload[cells[[name]] == level])
    some <- length(having) < length(unique(cells$workload))
    named <- sub("cpu_profile", "CPU profile", sub("^factor\\.", "", name))
    paste0(named, " ", level, if (some) paste0(" (", paste(having, collapse = ", "), ")"))
  }, "")
  format_list(said[said != ""])
}

#' Adds `place` to every table and `label` (a factor) to forks, cells and observed means; numbers the rows of cells for
#' reference.
label_data <- function(data) {
  data$cells[, row := .I]
  data$places <- find_places(data)
  for (name in c("rounds", "forks", "cells", "contrasts", "verdicts", "sensitivity", "calibration", "drifts",
                 "observed_means", "pilots")) {
    data[[name]][, place := place_of(.SD, data$places, data$parts)]
  }
  where <- unique(data$rounds[, .(experiment, environment, round, image_id, machine_id)])
  for (name in c("iterations", "pauses")) {
    data[[name]] <- merge(data[[name]], where, by = c("experiment", "environment", "round"), all.x = TRUE, sort = FALSE)
    data[[name]][, place := place_of(.SD, data$places)]
  }
  for (name in c("forks", "cells", "pilots")) {
    data[[name]][, label := ""]
    levels <- character()
    for (id in unique(data[[name]]$experiment)) {
      labelled <- label_cells(data[[name]][experiment == id], data$experiments[[id]] %||% data$calibrated)
      marked <- mark_unsettled(labelled$label, data[[name]][experiment == id, settled])
      data[[name]][experiment == id, label := marked]
      levels <- c(levels, unique(marked[labelled$order]))
    }
    data[[name]][, label := factor(label, levels = unique(levels))]
  }
  data$observed_means[, label := data$cells[data$observed_means, on = shown_cell_key, label, mult = "first"]]
  data
}

#' The protocols of an experiment in their order; the first is the study's, the last is ours.
protocols_of <- function(experiment) names(experiment$protocols)

#' The protocols under which some cell of some experiments was measured, in their order, by their names unshortened;
#' all of them where nothing was measured.
measured_protocols <- function(data, ids) {
  every <- unique(base_protocol(unlist(lapply(data$experiments[ids], protocols_of))))
  found <- intersect(every, base_protocol(data$cells[experiment %in% ids]$protocol))
  if (length(found) > 0) found else every
}

#' The cells of an experiment in the measure that its claims are about.
cells_of <- function(data, id) {
  wanted <- data$experiments[[id]]$measure %||% "wall"
  data$cells[experiment == id & measure == wanted]
}

#' "time" or "CPU time", as the experiment measures it.
measure_words <- function(experiment) {
  if (identical(experiment$measure, "cpu")) "CPU time per operation" else "time per operation"
}
