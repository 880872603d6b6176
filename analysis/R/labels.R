# Labels for cells, added to the tables once, and the properties that the cells of an experiment share.

#' The study that each experiment reruns: ids of studies, named by those of the experiments.
study_ids <- function(experiments) {
  unlist(lapply(unname(experiments), function(experiment) {
    setNames(as.character(experiment$study$id %||% experiment$id), experiment$id)
  }))
}

#' Columns that differ between the cells of one experiment, except the workload.
varying_columns <- function(cells) {
  columns <- c(factor_columns(cells), "provider", "cpu_profile")
  # Workloads without a factor have an empty level, which is not counted as a difference.
  columns[vapply(columns, function(name) length(unique(setdiff(cells[[name]], ""))) > 1, logical(1))]
}

#' Levels of one factor, of `provider` or of `workload` in words.
#'
#' @param words for each factor the words of its levels, where they are not the ids
#' @param levels texts; empty where a cell does not have the factor
level_words <- function(words, factor, levels) {
  levels <- fcoalesce(as.character(levels), "")
  known <- unlist(words[[factor]])
  if (is.null(known)) levels else fcoalesce(unname(known[levels]), levels)
}

#' The factor whose levels a column contains: `mode` of `factor.mode`, `cpu-profile` of `cpu_profile`.
factor_of <- function(columns) sub("_", "-", sub("^factor\\.", "", columns), fixed = TRUE)

#' The operations of cells, in words: `encryption: AES-GCM, 16 KB`.
#'
#' @param cells a table with `workload`
#' @param columns columns of the levels in the words
operation_words <- function(words, cells, columns = factor_columns(cells)) {
  if (nrow(cells) == 0) return(character())
  factors <- factor_of(columns)
  levels <- Map(function(factor, column) level_words(words, factor, cells[[column]]), factors, columns)
  rest <- apply(do.call(cbind, c(list(character(nrow(cells))), levels)), 1, function(row) {
    paste(row[nzchar(row)], collapse = ", ")
  })
  paste0(level_words(words, "workload", cells$workload), ifelse(nzchar(rest), ": ", ""), rest)
}

#' Labels of cells: the workload and the levels that differ. `order` sorts them in the order of the definitions.
label_cells <- function(cells, experiment, words) {
  varying <- varying_columns(cells)
  label <- operation_words(words, cells, varying)
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

#' The levels of claims' variants: `mode=ECB, bytes=16` is `c(mode = "ECB", bytes = "16")`.
#'
#' @param variant texts; NA where a claim has none
variant_levels <- function(variant) {
  parts <- strsplit(fcoalesce(as.character(variant), ""), ",\\s*(?=[a-z-]+=)", perl = TRUE)
  lapply(parts, function(part) setNames(sub("^[^=]*=", "", part), sub("=.*", "", part)))
}

#' A claim's variant, without the factors that have only one level in the experiment's cells. Such levels are shown with
#' the cells. `rsa-bits=1024, mode=ECB` is "1024-bit key" where all cells use ECB.
#'
#' @param variant as in `variant_levels`
variant_words <- function(data, id, variant) {
  cells <- cells_of(data, id)
  alike <- function(name) {
    column <- if (name %in% names(cells)) name else paste0("factor.", name)
    length(setdiff(unique(cells[[column]]), c("", NA))) == 1
  }
  vapply(variant_levels(variant), function(levels) {
    differing <- Filter(Negate(alike), names(levels))
    paste(Map(function(name) level_words(data$words, name, levels[[name]]), differing), collapse = ", ")
  }, "")
}

#' Adds `place` to every table and `label` (a factor) to forks, cells and observed means; numbers the rows of cells for
#' reference.
label_data <- function(data) {
  data$cells[, row := .I]
  data$places <- find_places(data)
  for (name in c("rounds", "forks", "cells", "contrasts", "verdicts", "sensitivity", "calibration", "drifts",
                 "observed_means", "reference_forks")) {
    data[[name]][, place := place_of(.SD, data$places, data$parts)]
  }
  where <- unique(data$rounds[, .(experiment, environment, round, image_id, machine_id)])
  for (name in intersect(c("iterations", "pauses"), names(data))) {
    data[[name]] <- merge(data[[name]], where, by = c("experiment", "environment", "round"), all.x = TRUE, sort = FALSE)
    data[[name]][, place := place_of(.SD, data$places)]
  }
  for (name in c("forks", "cells", "reference_forks")) {
    data[[name]][, label := ""]
    levels <- character()
    for (id in unique(data[[name]]$experiment)) {
      labelled <- label_cells(data[[name]][experiment == id], data$experiments[[id]] %||% data$calibrated, data$words)
      marked <- mark_unproven(labelled$label, data[[name]][experiment == id, warm_up_state])
      data[[name]][experiment == id, label := marked]
      levels <- c(levels, unique(marked[labelled$order]))
    }
    data[[name]][, label := factor(label, levels = unique(levels))]
  }
  data$observed_means[, label := data$cells[data$observed_means, on = shown_cell_key, label, mult = "first"]]
  data
}

#' The protocols of an experiment in their order; the first is the study's, the last is the rerun's.
protocols_of <- function(experiment) names(experiment$protocols)

#' The cells of an experiment in the measure that its claims are about.
cells_of <- function(data, id) {
  wanted <- data$experiments[[id]]$measure %||% "wall"
  data$cells[experiment == id & measure == wanted]
}

# Labels for places: an environment with its image and machine, or the part that a claim's environments share.

#' Labels of environments; an environment that is not in the definitions has its id.
environment_label <- function(data, ids) {
  labels <- vapply(data$environments, function(each) as.character(each$label %||% each$id), "")
  fcoalesce(labels[match(ids, environment_ids(data$environments))], ids)
}

#' The ids of environments, in the order of the definitions.
environment_ids <- function(environments) vapply(environments, function(entry) as.character(entry$id), "")

#' One row per environment, image and machine that has results, in the order of the definitions. Results of different
#' images or machines are never pooled, so each is a separate place. Its label includes the image or the machine where
#' an environment's name has several.
find_places <- function(data) {
  keys <- c("environment", "image_id", "machine_id")
  seen <- unique(data.table::rbindlist(lapply(
    c("rounds", "forks", "cells"), function(name) data[[name]][, keys, with = FALSE]
  )))
  seen <- seen[environment != ""]
  ids <- environment_ids(data$environments)
  seen[, rank := match(environment, ids, nomatch = length(ids) + 1L)]
  data.table::setorderv(seen, c("rank", keys))
  # Environments of kits may share a name.
  seen[, name := environment_label(data, environment)]
  seen[, label := paste0(
    name,
    if (uniqueN(image_id) > 1) paste0(", image ", short_id(image_id)),
    if (uniqueN(machine_id) > 1) paste0(", machine ", substr(machine_id, 1, 6))
  ), by = name]
  seen[, c("rank", "name") := NULL][]
}

#' The first hexadecimal digits of a digest, as people quote it.
short_id <- function(id) substr(sub("^sha256:", "", id), 1, 12)

#' The place of every row of a table, as a factor in the order of the places. Places that environments share come last.
place_of <- function(table, places, parts = environment_parts(list())) {
  key <- function(x) paste(x$environment, x$image_id, x$machine_id)
  label <- places$label[match(key(table), key(places))]
  shared <- which(is_shared(table$environment))
  if (length(shared) > 0) {
    main <- places$machine_id[1]
    other <- table$machine_id[shared] != main
    suffix <- ifelse(other, paste(", other machine", substr(table$machine_id[shared], 1, 6)), "")
    label[shared] <- paste0(shared_label(table$environment[shared], parts), suffix)
  }
  factor(label, levels = c(unique(places$label), sort(unique(label[shared]), method = "radix")))
}

#' Whether a name is the part that the compared environments of a claim share.
is_shared <- function(environment) grepl("^\\*|-\\*$", environment)

#' `across systems, Temurin 21.0.8`, `across JDKs, Debian 13`, `across systems and JDKs`.
shared_label <- function(environment, parts) {
  system <- sub("-\\*$", "", environment)
  jdk <- sub("^\\*-", "", environment)
  label <- ifelse(
    startsWith(environment, "*"), paste0("across systems, ", part_words(parts, "jdk", jdk)),
    paste0("across JDKs, ", part_words(parts, "system", system))
  )
  ifelse(environment == "*", "across systems and JDKs", label)
}

#' A row's place, with its CPU profile where that is not `native`.
where_words <- function(data, place, profile) {
  named <- length(data$profiles) > 1 & !profile %in% c("", "native")
  paste0(as.character(place), ifelse(named, paste0(", ", level_words(data$words, "cpu-profile", profile)), ""))
}

# The parts of environments (system, platform and JDK), and the caveats on their results.

#' The parts of every environment, from definitions.json.
#'
#' An environment may have a system or JDK that is not in the definitions: a registry image, the host, or another
#' machine. Such a system or JDK counts as different from all others.
#'
#' @param measured ids of environments that must have a row
environment_parts <- function(definitions, measured = character()) {
  entries <- definitions$environments
  strangers <- lapply(setdiff(measured, environment_ids(entries)), function(id) list(id = id))
  rows <- lapply(c(entries, strangers), function(entry) {
    known <- function(value) if (is.null(value) || identical(value, "image")) entry$id else as.character(value)
    list(
      environment = entry$id, system = known(entry$system), platform = entry$platform %||% "",
      jdk = known(entry$jdk_id), system_label = if (is.null(entry$system)) entry$id else entry$os %||% entry$system,
      jdk_label = if (is.null(entry$jdk_id)) entry$id else entry$jdk %||% entry$jdk_id, caveat = entry$caveat %||% ""
    )
  })
  blank <- data.table(
    environment = character(), system = character(), platform = character(), jdk = character(),
    system_label = character(), jdk_label = character(), caveat = character()
  )
  rbindlist(c(list(blank), rows), use.names = TRUE)
}

#' Caveats of environments, each once, as one text.
caveats_of <- function(environments, ids) {
  texts <- environments$caveat[environments$environment %in% ids]
  paste(unique(texts[nzchar(texts)]), collapse = "; ")
}

#' Labels of systems and JDKs by their ids.
part_words <- function(environments, factor, levels) {
  labels <- environments[[paste0(factor, "_label")]][match(levels, environments[[factor]])]
  fcoalesce(labels, levels)
}

#' The CPU profiles that were measured: `native` first, then in the order of the definitions. Names are ids.
measured_profiles <- function(seen, defined) {
  seen <- setdiff(unique(seen), c("", NA))
  known <- names(defined)
  ordered <- seen[order(seen != "native", match(seen, known, nomatch = length(known) + 1L), seen, method = "radix")]
  setNames(vapply(ordered, function(id) as.character(defined[[id]]$label %||% ""), ""), ordered)
}
