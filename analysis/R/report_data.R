# Reads the data of the report: the tidy tables, the definitions and the published numbers. All columns that the
# dictionary promises exist, even if a table is empty or missing. Display labels are added.

#' Tables that the report shows. The large ones have a row for each iteration or value: only figures show them.
shown_tables <- c(
  "rounds", "forks", "reference_forks", "observed_means", "ratios", "published_ratios", "cells", "contrasts",
  "verdicts", "sensitivity", "drifts", "calibration", "notes", "pauses"
)
large_tables <- c("iterations", "counts")

#' Reads `<dir>/<name>.csv` or `.csv.gz`. A file that is missing or empty gives an empty table.
read_tidy <- function(dir, name) {
  files <- file.path(dir, paste0(name, c(".csv", ".csv.gz")))
  file <- files[file.exists(files) & file.size(files) > 0]
  types <- column_types(paste0(name, ".csv"))
  with_columns(if (length(file) == 0) data.table() else read_table(file[1]), types)
}

#' Default locations of rounds, tables and page, in the checkout, for a run that does not name them.
own_folders <- list(raw = "data/raw", tidy = "data/tidy", report = "report/report.html")

#' All data from which tables and figures are made. `rounds.csv` is relative to the directory `raw`. The directory
#' `reference` has the project's published results. A run that measures few things also shows these.
#'
#' @param tables names of the tables that are read
read_report_data <- function(
  tidy, definitions, published, raw, reference = NULL, tables = c(shown_tables, large_tables)
) {
  data <- lapply(setNames(nm = tables), function(name) read_tidy(tidy, name))
  read <- jsonlite::fromJSON(definitions, simplifyVector = FALSE)
  data$settings <- read$settings
  data$kept <- read$kept %||% own_folders
  data$experiments <- setNames(read$experiments, vapply(read$experiments, function(x) x$id, ""))
  data$calibrated <- read$calibration
  data$words <- read$words
  data$environments <- read$environments
  data$parts <- environment_parts(read, unique(data$forks$environment))
  data$profiles <- measured_profiles(c(data$forks$cpu_profile, data$cells$cpu_profile), read$cpu_profiles)
  data$providers <- names(read$providers)
  data$left_out <- read$left_out
  data$claim_minutes <- with_columns(
    rbindlist(read$claim_minutes), c(typed("c", "experiment", "claim", "protocol"), typed("n", "minutes"))
  )
  data$published <- published_values(published, read$experiments)[, published_id := paste(study, quantity)]
  data$layout <- read_layout(file.path(published, "layout"))
  data$raw <- raw
  if (!is.null(reference)) data$own_results <- read_own_results(reference, data$rounds)
  label_data(name_shortened(data))
}

#' The project's published results: of the studies, of today's providers and of developers' claims. Each has `rounds`,
#' `today`, `calibration`, `changes` (the entries of `table_changes`) and `studies` (those of `table_answer`). Results
#' of this run's own `rounds` are left out.
read_own_results <- function(folder, rounds) {
  parts <- c(studies = "tables", today = "today/tables", "jdk-claims" = "jdk-claims/tables")
  runs <- lapply(parts, function(part) {
    tables <- file.path(folder, part)
    read <- function(name) {
      file <- file.path(tables, name)
      if (file.exists(file)) jsonlite::fromJSON(file, simplifyVector = FALSE)
    }
    list(
      rounds = read_tidy(tables, "rounds"), today = read_tidy(tables, "today"),
      calibration = read_tidy(tables, "calibration"), changes = read("changes.json"),
      studies = read("answer.json")$studies
    )
  })
  Filter(function(run) !any(run$rounds$started_at %in% rounds$started_at), runs)
}

#' `From the project's own run of 2026-11-27 on another machine`, or `on 4 machines`, for the rounds of that run.
reference_words <- function(data, rounds) {
  machines <- unique(rounds$machine_id)
  where <- if (all(machines %in% data$rounds$machine_id)) {
    "this machine"
  } else if (length(machines) == 1) {
    "another machine"
  } else {
    format_plural(length(machines), "machine")
  }
  sprintf("From the project's own run of %s on %s", substr(min(rounds$started_at), 1, 10), where)
}

#' Gives protocols their names in the report. It is `as-published, shortened` if the tier's iterations are fewer or
#' shorter than the experiment's.
name_shortened <- function(data) {
  for (id in names(data$experiments)) {
    protocols <- data$experiments[[id]]$protocols
    short <- names(Filter(function(protocol) isTRUE(protocol$shortened), protocols))
    called <- function(name) fifelse(name %in% short & name == study_protocol, paste0(name, shortened_words), name)
    names(data$experiments[[id]]$protocols) <- called(names(protocols))
    for (table in shown_tables) {
      columns <- grep("^((numerator|denominator)_)?protocol$", names(data[[table]]), value = TRUE)
      for (column in columns) data[[table]][experiment == id, (column) := called(get(column))]
    }
  }
  data
}

# What a study did itself. Only for this protocol does it matter that a tier does less.
study_protocol <- "as-published"
shortened_words <- ", shortened"

#' A protocol's name without the suffix for a shortened one.
base_protocol <- function(name) sub(paste0(shortened_words, "$"), "", name)

# The command lines of tables.R and figures.R.

#' The arguments of tables.R and figures.R. They differ in the name of the raw directory's option and in their output.
report_arguments <- function(raw, written) {
  arguments <- list(
    tidy = list(text = "the tidy tables", required = TRUE, folder = TRUE),
    definitions = list(text = "definitions.json", required = TRUE, file = TRUE),
    published = list(text = "the studies' own numbers", required = TRUE, folder = TRUE),
    raw = list(text = "the raw directory that rounds.csv is relative to", required = TRUE),
    out = list(text = paste("directory for", written), required = TRUE)
  )
  arguments <- setNames(arguments, replace(names(arguments), 4, raw))
  reference <- list(text = "the project's own published results", folder = TRUE)
  c(arguments, list(reference = reference))
}

# Rows of the tidy tables with the labels of their cells, for figures and tables.

#' Columns that identify a cell in its experiment.
shown_cell_key <- c("experiment", "environment", "image_id", "machine_id", "cell")

#' The ratios of a kind in an experiment.
#'
#' @return data.table: rows of ratios.csv, and columns of the numerator. These are `environment`, `image_id`, `cell`,
#'   `protocol`, `label`, `place`, `workload`, `provider`, `cpu_profile` and factors. Column `other` is the provider of
#'   the denominator.
ratios_of <- function(data, id, which) {
  rows <- data$ratios[experiment == id & kind == which]
  cells <- unique(data$cells[experiment == id], by = shown_cell_key)
  cells <- cells[, c(
    shown_cell_key, "label", "place", "workload", "provider", "cpu_profile", factor_columns(cells)
  ), with = FALSE]
  own <- shown_cell_key %in% c("environment", "image_id", "cell")
  side <- function(which) stats::setNames(paste0(ifelse(own, which, ""), shown_cell_key), shown_cell_key)
  rows[, other := cells[rows, on = side("denominator_"), provider]]
  cells[rows, on = side("numerator_"), nomatch = NULL][, protocol := numerator_protocol][]
}

#' Makes every number and text of the report: writes the result of each function `table_<name>(data)` to a JSON file.
command_tables <- function(words) {
  options <- report_arguments("rounds", "a JSON file per table")
  arguments <- read_arguments(options, "Makes every number of the report.", words)
  data <- read_report_data(arguments$tidy, arguments$definitions, arguments$published, arguments$rounds,
                           arguments$reference, shown_tables)
  dir.create(arguments$out, recursive = TRUE, showWarnings = FALSE)
  tables <- report_tables()
  for (name in names(tables)) write_json(tables[[name]](data), file.path(arguments$out, paste0(name, ".json")))
}
