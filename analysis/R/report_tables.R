# Makes every number and word of the report that depends on data: the result of each function
command_tables <- function(words) {
  options <- report_arguments("rounds", "a JSON file per table")
  arguments <- read_arguments(options, "Makes every number of the report.", words)
  validity <- analysis_path("validity.csv")
  data <- read_report_data(arguments$tidy, arguments$definitions, arguments$published, arguments$rounds, validity)
  dir.create(arguments$out, recursive = TRUE, showWarnings = FALSE)
  tables <- report_tables()
  for (name in names(tables)) write_json(tables[[name]](data), file.path(arguments$out, paste0(name, ".json")))
}

# The environments that were measured: what they hold, and where they drifted from their locks.

drift_rows <- function(record) {
  lapply(record$drift, function(entry) {
    if (!is.list(entry)) return(list(package = as.character(entry), locked = dash, found = dash))
    text <- function(value) {
      if (length(value) == 0 || identical(value, "")) dash else paste(unlist(value), collapse = " ")
    }
    list(package = text(entry$package %||% entry$name), locked = text(entry$locked), found = text(entry$found))
  }) |> unname()
}

environment_entry <- function(data, i) {
  spot <- data$places[i]
  rounds <- data$rounds[place == spot$label][order(started_at, path)]
  defined <- Filter(function(x) x$id == spot$environment, data$environments)
  defined <- if (length(defined) > 0) defined[[1]] else list()
  record <- if (nrow(rounds) > 0) read_record(data, rounds$path[1], "environment.json")
  packages <- record$packages
  list(
    label = spot$label, id = spot$environment, os = paste(defined$os %||% record$system %||% dash),
    jdk = paste(defined$jdk %||% dash),
    java = paste(defined$java %||% dash),
    image = if (grepl("^host", spot$image_id)) spot$image_id else short_id(spot$image_id),
    machine = spot$machine_id, rounds = format_count(nrow(rounds)),
    packages = if (is.null(packages)) "not recorded" else format_count(length(packages)), drift = drift_rows(record),
    recorded = !is.null(record), caveat = data$parts$caveat[match(spot$environment, data$parts$environment)] %||% ""
  )
}

table_environments <- function(data) lapply(seq_len(nrow(data$places)), function(i) environment_entry(data, i))

# The claims that the run can't judge, each with why.

#' A list: `id`, `study`, `text`, `published` in words, `reason`, and `elsewhere`, whether another experiment of the
#' study judges it.
untestable_entry <- function(data, id, claim_id) {
  claim <- data$experiments[[id]]$claims[[claim_id]]
  reasons <- data$verdicts[experiment == id & claim_id == claim & reason != ""]$reason
  own <- study_of(data, id)
  list(
    id = claim_id, study = id, text = claim$text, published = describe_published(published_figures(data, id, claim_id)),
    reason = c(claim$reason, reasons, "no cell that it needs was measured in this run")[1],
    elsewhere = study_claims(data)[study == own & claim == ledger_id(claim_id)]$judged
  )
}

#' A list of them, in the order of the definitions.
table_untestable <- function(data) {
  c(list(), unlist(lapply(names(data$experiments), function(id) {
    claims <- names(data$experiments[[id]]$claims)
    without <- Filter(function(wanted) untestable(data$verdicts[experiment == id & claim == wanted]), claims)
    lapply(without, function(claim_id) untestable_entry(data, id, claim_id))
  }), recursive = FALSE))
}

# What the reader must know about the data: errors first, then warnings, as the analysis wrote them.

table_notes <- function(data) {
  notes <- data$notes[order(match(level, c("error", "warning"), nomatch = 3L))]
  lapply(seq_len(nrow(notes)), function(i) as.list(notes[i, .(level, where, message)]))
}
