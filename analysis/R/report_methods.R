# The basis of the report: the run, its environments, machines and protocols.

#' The parsed JSON file of a round, or NULL if it is missing or broken (notes.csv reports that).
read_record <- function(data, path, name) {
  file <- file.path(data$raw, path, name)
  if (!file.exists(file)) return(NULL)
  tryCatch(jsonlite::fromJSON(file, simplifyVector = FALSE), error = function(problem) NULL)
}

#' Nested lists as one named vector: a.b.c = value. NULL becomes NA.
flatten_json <- function(value, name = "") {
  if (is.null(value)) return(setNames(NA_character_, name))
  if (!is.list(value)) return(setNames(paste(as.character(value), collapse = ", "), name))
  if (length(value) == 0) return(setNames("none", name))
  if (is.null(names(value)) && !any(vapply(value, is.list, TRUE))) {
    return(setNames(paste(unlist(lapply(value, function(x) x %||% "not exposed")), collapse = ", "), name))
  }
  keys <- if (is.null(names(value))) as.character(seq_along(value)) else names(value)
  if (nzchar(name)) keys <- paste(name, keys, sep = ".")
  unlist(unname(Map(flatten_json, value, keys)))
}

#' An environment that was measured, and how many packages drifted from its lock.
environment_entry <- function(data, i) {
  spot <- data$places[i]
  rounds <- data$rounds[place == spot$label][order(started_at, path)]
  record <- if (nrow(rounds) > 0) read_record(data, rounds$path[1], "environment.json")
  drifted <- vapply(record$drift, function(entry) {
    if (is.list(entry)) as.character(entry$package %||% entry$name) else as.character(entry)
  }, "")
  list(
    label = spot$label, image = if (grepl("^host", spot$image_id)) spot$image_id else short_id(spot$image_id),
    rounds = format_count(nrow(rounds)), packages = format_count(length(record$packages)), recorded = !is.null(record),
    drift = format_some(unname(drifted), 6),
    caveat = data$parts$caveat[match(spot$environment, data$parts$environment)] %||% ""
  )
}

# The facts that a reader wants to know about a machine, each with the pattern of its keys in audit.json.
machine_facts <- c(
  "CPU" = "(cpu_model|model_name)$", "cores" = "(cpus_online|logical)$", "SMT" = "smt(_active)?$",
  "kernel" = "kernel(_release)?$", "virtualisation" = "virtuali[sz]ation$|hypervisor$", "governor" = "governor$",
  "turbo" = "(turbo|boost)$", "clock source" = "clock_?source$", "memory (bytes)" = "mem(ory)?_total(_bytes)?$"
)

#' Each machine with its facts in one line. Facts that the host does not expose are named as such.
machine_entries <- function(data) {
  rounds <- data$rounds[order(started_at, path)]
  lapply(unique(rounds$machine_id), function(machine) {
    own <- rounds[machine_id == machine]
    record <- read_record(data, own$path[1], "audit.json")
    flat <- if (is.null(record)) character() else flatten_json(record)
    facts <- vapply(machine_facts, function(pattern) {
      found <- flat[grepl(pattern, names(flat), ignore.case = TRUE)]
      if (length(found) == 0) "" else fcoalesce(unname(found[1]), "not exposed")
    }, "")
    facts <- facts[nzchar(facts)]
    list(
      id = substr(machine, 1, 12), rounds = format_count(nrow(own)),
      facts = if (length(facts) == 0) "no audit was recorded" else paste0(names(facts), " ", facts, collapse = "; ")
    )
  })
}

#' One line per protocol of an experiment: what a fork does under it in this tier.
describe_protocol <- function(protocol) {
  if (identical(protocol$mode, "programme")) {
    return(sprintf(
      "one JVM for all operations, each for at least %s ms and %s times", protocol$least_ms, protocol$least_times
    ))
  }
  warmup <- protocol$warmup
  paste0(
    if (identical(protocol$mode, "single-shot")) {
      paste(protocol$iterations, "single calls")
    } else {
      paste0(protocol$iterations, " iterations of ", protocol$iteration_ms, " ms")
    },
    if (identical(warmup, "steady-state")) {
      ", warm-up found in the data"
    } else if (suppressWarnings(as.numeric(warmup)) %in% 0) {
      ", every call counts"
    } else {
      paste0(", the first ", warmup, " left out")
    }
  )
}

# Maximum number of protocols in the report. The others are in definitions.json.
most_protocols <- 8L

#' The protocols of all experiments. Experiments with the same protocol share a line.
protocol_lines <- function(data) {
  rows <- rbindlist(lapply(names(data$experiments), function(id) {
    study <- data$experiments[[id]]
    data.table(
      experiment = id, protocol = protocol_words(protocols_of(study)),
      text = vapply(study$protocols, describe_protocol, "")
    )
  }))
  rows <- rows[, .(experiments = paste(experiment, collapse = ", ")), by = .(protocol, text)]
  lines <- rows[order(protocol), sprintf("%s: %s (%s)", protocol, text, experiments)]
  more <- length(lines) - most_protocols
  c(head(lines, most_protocols), if (more > 0) sprintf("%s more in definitions.json", format_count(more)))
}

run_warnings <- function(data) {
  engines <- unique(c(data$rounds$engine, data$settings$engine))
  tiers <- unique(c(data$rounds$tier, data$settings$tier))
  c(
    if ("smoke" %in% tiers) "Smoke tier: two short JVM runs per benchmark. It tries everything and decides nothing.",
    if ("host" %in% engines) {
      "Engine host: measured without containers, with the machine's own Java. Nothing is isolated or pinned."
    },
    if (sum(data$forks$valid %in% FALSE) > 0.2 * nrow(data$forks)) {
      paste(gate_sentence(data), "Measure again on a quieter machine.")
    },
    if (length(tiers) > 1) paste0("Rounds of several tiers are mixed: ", format_list(tiers), "."),
    if (nrow(data$cells) == 0) "No benchmark has been measured."
  )
}

#' Counts of the rounds, benchmarks, JVM runs, iterations and pauses that the report is based on.
extent_words <- function(data) {
  cells <- unique(data$cells[, c("experiment", "place", "cell", "protocol"), with = FALSE])
  format_list(c(
    format_plural(nrow(data$rounds), "round"), format_plural(nrow(cells), "benchmark"),
    format_plural(nrow(data$forks), "JVM run"), format_plural(sum(data$forks$iterations, na.rm = TRUE), "iteration"),
    format_plural(nrow(data$pauses), "pause of the JVM", "pauses of the JVM")
  ))
}

#' The run's settings in one line.
settings_words <- function(settings) {
  flat <- flatten_json(Filter(function(value) !is.list(value) || length(value) > 0, settings))
  paste0(gsub("_", " ", names(flat)), " ", flat, collapse = "; ")
}

table_meta <- function(data) {
  settings <- data$settings
  stamps <- data$rounds[nzchar(finished_at), .(began = substr(started_at, 1, 10), ended = substr(finished_at, 1, 10))]
  ended <- suppressWarnings(max(data$rounds$finished_at[nzchar(data$rounds$finished_at)], ""))
  stamp <- floor(utc_seconds(ended))
  dates <- if (nrow(stamps) > 0) unique(range(c(stamps$began, stamps$ended)))
  tiers <- if (nrow(data$rounds) > 0) unique(data$rounds$tier) else settings$tier
  list(
    project = trimws(paste("jca-rerun", settings$project_version)), tier = format_list(tiers), engine = settings$engine,
    alpha = format_significant_plain(settings$alpha %||% 0.05), timestamp = if (is.finite(stamp)) stamp else 0,
    measured = if (nrow(stamps) == 0) "nothing measured" else paste("measured", paste(dates, collapse = " to ")),
    kept = data$kept, warnings = as.list(run_warnings(data))
  )
}

table_methods <- function(data) {
  list(
    extent = extent_words(data), settings = settings_words(data$settings), protocols = as.list(protocol_lines(data)),
    environments = lapply(seq_len(nrow(data$places)), function(i) environment_entry(data, i)),
    machines = machine_entries(data)
  )
}
