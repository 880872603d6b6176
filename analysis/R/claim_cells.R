# Which cells a claim is about: filters, variants, and the columns that names of the YAML stand for.

#' The cells of a claim's experiment, one row each, as the claim sees them.
#'
#' @param forks the table `forks.csv`; `environments` of `environment_parts`
#' @return data.table: cell keys; `own_environment`, `own_image_id`, `own_profile`, where the cell was measured; the
#'   parts of its environment. What the claim frees is left out of `environment`, `image_id` and `cpu_profile`, so that
#'   cells which it compares have the same place.
claim_cells <- function(forks, claim, environments) {
  cells <- unique(
    forks[experiment == claim$experiment$id, cell_columns(forks), with = FALSE], by = c(place_columns, "cell")
  )
  cells[, `:=`(own_environment = environment, own_image_id = image_id, own_profile = cpu_profile)]
  parts <- environments[match(cells$environment, environments$environment)]
  for (name in c("system", "platform", "jdk", "system_label", "jdk_label")) set(cells, j = name, value = parts[[name]])
  if (!is.null(claim$on_platform)) cells <- cells[platform %in% claim$on_platform]
  if (!is.null(claim$off_platform)) cells <- cells[!platform %in% claim$off_platform]
  freed <- freed_parts(claim)
  if (any(c("system", "jdk") %in% freed)) {
    cells[, `:=`(environment = shared_environment(environment, system, jdk, freed), image_id = "")]
  }
  if ("cpu_profile" %in% freed) cells[, cpu_profile := ""]
  setorderv(cells, c(place_columns, "own_environment", "own_image_id", "own_profile", "cell"))
  # Factors in the order of the experiment file, which is the order of words in a sentence.
  factors <- intersect(column_of(names(claim$experiment$factors)), names(cells))
  setcolorder(cells, c(setdiff(names(cells), factors), factors))
  cells[]
}

#' The column of a name in a filter: a fixed one, or a factor's.
column_of <- function(name) {
  if (length(name) == 0) return(character())
  fixed <- c("environment", "workload", "protocol", "provider", "system", "platform", "jdk")
  column <- fifelse(name %in% fixed, name, paste0("factor.", name))
  fifelse(name %in% c("cpu-profile", "cpu_profile"), "own_profile", column)
}

#' Rows that a filter keeps: for every name, the column's value is one of those given. No filter keeps all.
matching <- function(cells, filter) {
  keep <- rep(TRUE, nrow(cells))
  for (name in names(filter)) {
    column <- column_of(name)
    if (!column %in% names(cells)) return(rep(FALSE, nrow(cells)))
    keep <- keep & cells[[column]] %in% as.character(unlist(filter[[name]]))
  }
  keep
}

#' Label of a variant, `rsa-bits=1024`, from the columns that `each` names; empty without `each`.
#'
#' @param tables one or two tables of cells side by side (numerator, denominator): the first that has the factor tells
variant_labels <- function(each, ...) {
  tables <- list(...)
  labels <- lapply(unlist(each), function(name) {
    values <- lapply(tables, function(table) table[[column_of(name)]] %||% rep(NA_character_, nrow(table)))
    value <- do.call(fcoalesce, values)
    fifelse(is.na(value), "", paste0(name, "=", value))
  })
  if (length(labels) == 0) return(rep("", nrow(tables[[1]])))
  joined <- do.call(paste, c(labels, sep = ", "))
  gsub("^(, )+|(, )+$", "", gsub("(, )+", ", ", joined))
}

#' A level as it reads in a sentence; a bare number needs its factor's name.
level_words <- function(factor, level) {
  if (length(level) == 0) return(character())
  bare <- grepl("^[0-9.]+$", level)
  fifelse(bare, paste(factor, level), level)
}

#' Words for rows of cells: workload, levels, provider, system, JDK, CPU profile, in this order, as far as `columns`
#' names them.
cell_words <- function(cells, columns) {
  last <- c("provider", "system_label", "jdk_label", "own_profile")
  ordered <- intersect(c("workload", factor_columns(cells), last), columns)
  parts <- lapply(ordered, function(column) {
    fifelse(is.na(cells[[column]]), "", level_words(sub("^factor\\.", "", column), cells[[column]]))
  })
  if (length(parts) == 0) return(rep("", nrow(cells)))
  gsub("^(, )+|(, )+$", "", gsub("(, )+", ", ", do.call(paste, c(parts, sep = ", "))))
}

#' Rows of cells that belong to a variant: every name of `each` has the variant's level, or does not apply to the cell.
in_variant_rows <- function(cells, each, variant) {
  told <- strsplit(variant, ", ", fixed = TRUE)[[1]]
  keep <- rep(TRUE, nrow(cells))
  for (name in unlist(each)) {
    values <- cells[[column_of(name)]] %||% rep(NA_character_, nrow(cells))
    keep <- keep & (is.na(values) | !nzchar(variant) | paste0(name, "=", values) %in% told)
  }
  keep
}
