# From raw rounds to tidy tables.

#' Directories of rounds: those that a list names, or else all below the raw directory that look like one. A stamp or
#' any of a round's main files identifies it. So a round without its round.json is refused instead of skipped. Hidden
#' directories contain unfinished and failed rounds.
#'
#' @return character, relative to `raw`, in C order
find_rounds <- function(raw, list_file = NULL) {
  if (is.null(list_file)) {
    files <- list.files(
      raw, "^(round\\.json|cells\\.csv|iterations\\.csv|manifest\\.sha256)$|\\.done$", recursive = TRUE
    )
    files <- files[!grepl("(^|/)\\.", files)]
    found <- unique(ifelse(endsWith(files, ".done"), sub("\\.done$", "", files), dirname(files)))
    if (length(found) == 0) refuse(raw, "holds no round", "experiment/environment/round/round.json", "run a tier first")
  } else {
    found <- trimws(readLines(list_file, warn = FALSE))
    found <- sub("/+$", "", found[nzchar(found)])
    if (length(found) == 0) refuse(list_file, "names no round", "one directory per line", "run a tier first")
    if (anyDuplicated(found)) {
      refuse(list_file, paste("names", found[duplicated(found)][1], "twice"), "each round once", "remove one")
    }
  }
  sort(found, method = "radix")
}

#' Read one round.
#'
#' @return list of data.tables `round`, `forks`, `iterations`, `pauses`, `reported`, `observations`, `offers`, `chain`,
#'   `compilations`. All but the first are keyed by `fork` within the round. The table `forks` has those that ran.
read_round <- function(raw, relative) {
  folder <- file.path(raw, relative)
  if (!dir.exists(folder)) refuse(folder, "is missing", "a round's directory", "run it again, or take it off the list")
  round <- read_round_description(folder)
  planned <- with_native(folder, with_offers(folder, read_cells_csv(folder)))
  ran <- planned[offered == "yes", !c("offered", "why", "answer", "asked"), with = FALSE]
  forks <- with_reruns(ran, read_interference_csv(folder))
  iterations <- read_iterations_csv(folder)
  observations <- read_observations_csv(folder)
  pauses <- read_pauses(folder, forks)
  reported <- copy(attr(pauses, "reported"))
  setorder(iterations, fork, iteration)
  setorder(pauses, fork, side, uptime_ms)
  scalar <- Filter(function(value) length(value) == 1 && !is.list(value), round)
  list(
    round = as.data.table(scalar)[, `:=`(
      forks = nrow(planned), path = relative, busy_programs = busy_programs(folder)
    )],
    offers = planned[asked == TRUE, intersect(offers_columns, names(planned)), with = FALSE],
    forks = forks, iterations = join_pauses(iterations, pauses[side == "fork"]), pauses = pauses,
    reported = reported, observations = observations, chain = read_chain(folder),
    compilations = read_compilations(folder)
  )
}

#' Other programs that ran during a round, as its audit names them; empty in rounds of earlier releases.
busy_programs <- function(folder) {
  audit <- read_json_strictly(file.path(folder, "audit.json"), "restore the round, or remove it and run it again")
  one_line(as.character(audit$busy_programs %||% ""))
}

#' The stops of a round's JVMs: of the forks (`side` is fork), and of the servers that some of them start (server). A
#' native program has none. The attribute `reported` has `fork` and `reported_ms`: the pauses of its collections, as
#' its collector reports them.
read_pauses <- function(folder, forks) {
  read <- function(number, name, side) {
    stops <- read_gc_log(file.path(folder, sprintf(name, as.integer(number))))
    set(stops, j = c("fork", "side"), value = list(number, side))
  }
  own <- forks$fork[!forks$native]
  server <- "gc/%03d-server.log"
  served <- own[file.exists(file.path(folder, sprintf(server, as.integer(own))))]
  none <- stops_table()[, `:=`(fork = numeric(), side = character())]
  logs <- lapply(own, read, "gc/%03d.log", "fork")
  reported <- data.table(fork = own, reported_ms = vapply(logs, attr, 0, "reported_ms"))
  setattr(rbindlist(c(list(none), logs, lapply(served, read, server, "server"))), "reported", reported)
}

#' All tables of the first step.
#'
#' @param raw directory; `rounds` directories relative to it
#'
#' @return list of data.tables `rounds`, `plans`, `iterations`, `pauses`, `forks`, `offers`, `observations`, `counts`,
#'   `calls`, `observed`, `chain`, `compilations`, each as the dictionary defines it
tidy_rounds <- function(raw, rounds) {
  parts <- in_parallel(rounds, function(relative) {
    part <- read_round(raw, relative)
    where <- part$round[, .(experiment, environment, round)]
    for (name in setdiff(names(part), "round")) {
      set(part[[name]], j = names(where), value = where)
      setcolorder(part[[name]], names(where))
    }
    part
  })
  bind <- function(name) rbindlist(lapply(parts, `[[`, name), use.names = TRUE, fill = TRUE)
  by <- fork_key
  rounds <- with_stages(bind("round"))
  planned <- bind("forks")
  pauses <- bind("pauses")
  plans <- read_plans(raw, rounds)
  iterations <- mark_measured(
    merge(bind("iterations"), planned[, c(by, "warmup", "cell"), with = FALSE], by = by, sort = FALSE), by
  )
  chain <- bind("chain")
  compilations <- bind("compilations")
  iterations <- count_disturbed(iterations, chain, by)
  iterations <- await_compilers(await_chain(iterations, compilations, by), by)
  iterations <- apply_windows(iterations, plans)
  forks <- tidy_forks(rounds, planned, iterations, pauses, plans, by)
  warm_up_state <- fork_warm_up_states(planned, iterations, chain, compilations, by)
  forks <- merge(forks, warm_up_state, by = by, sort = FALSE)
  setcolorder(forks, c(cell_columns(forks), "round", "number", "fork"))
  observations <- bind("observations")
  observed <- rbind(observed_values(observations, iterations), stopped_values(pauses, bind("reported")))
  setorderv(observed, c(fork_key, "measure"))
  iterations[, c("warmup", "steady", "cell", "planned") := NULL]
  setcolorder(pauses, c(by, "uptime_ms", "pause_ms", "kind", "cause", "side"))
  list(
    rounds = rounds, plans = plans, iterations = iterations, pauses = pauses, forks = forks,
    offers = setcolorder(bind("offers"), offers_columns),
    observations = observations[!nzchar(counts)][, counts := NULL][], counts = long_counts(observations),
    calls = single_calls(observations), observed = observed, chain = chain, compilations = compilations
  )
}

tidy_forks <- function(rounds, planned, iterations, pauses, plans, by) {
  place <- c("experiment", "environment", "round")
  forks <- merge(
    planned, rounds[, c(place, "image_id", "machine_id", "number"), with = FALSE], by = place, sort = FALSE
  )
  keys <- c(cell_columns(forks), "round", "number", "fork")
  forks <- merge(forks[, keys, with = FALSE], fork_means(iterations, by), by = by, sort = FALSE)
  stops <- pauses[side == "fork", .(pauses = .N, pause_ms = sum(pause_ms)), by = by]
  forks <- merge(forks, stops, by = by, all.x = TRUE, sort = FALSE)
  forks[is.na(pauses), `:=`(pauses = 0L, pause_ms = 0)]
  forks <- with_plan(forks, rounds, iterations, plans, by)
  forks <- merge(forks, planned[, c(by, gate_columns), with = FALSE], by = by, sort = FALSE)
  setcolorder(forks, keys)
  setorderv(forks, c(place, "fork"))
  forks[]
}

# The files of a round as tables. Their contents were checked when the round was stamped (bench/rounds), and are not
# checked again.

iterations_columns <- columns_of("iterations.csv", "raw")

#' round.json as a list.
read_round_description <- function(folder) {
  read_json_strictly(file.path(folder, "round.json"), "restore the round, or remove it and run it again")
}

#' cells.csv, one row per fork. Everything except the counts is text: `1024` is a level, not a number.
read_cells_csv <- function(folder) {
  forks <- read_csv_strictly(file.path(folder, "cells.csv"), types = "character")
  for (column in c("fork", "iterations", "iteration_ms")) set(forks, j = column, value = as.numeric(forks[[column]]))
  forks
}

#' Which forks are native programs, and so have no GC log. forks.tsv says this of their provider.
#'
#' @param forks of `read_cells_csv`
#' @return `forks` with `native`
with_native <- function(folder, forks) {
  text <- readLines(file.path(folder, "forks.tsv"), warn = FALSE)
  marked <- grep("-Djcarerun\\.provider\\.[^=\t]+=native:", text, value = TRUE)
  forks[, native := as.character(fork) %in% sub("\t.*", "", marked)][]
}

#' iterations.csv, all columns double. Rounds that were measured before the compilers' time was recorded have no
#' `jit_ms`.
read_iterations_csv <- function(folder) {
  rows <- read_csv_strictly(file.path(folder, "iterations.csv"))
  if (!"jit_ms" %in% names(rows)) rows[, jit_ms := NA_real_]
  for (column in iterations_columns) set(rows, j = column, value = as.numeric(rows[[column]]))
  rows[, iterations_columns, with = FALSE]
}

# Assigns pauses to iterations by the JVM's uptime, the clock that both share.

#' Add to every iteration the time for which its fork was paused during it.
#'
#' A pause across the border of two iterations is split between them by overlap, and counted in both.
#'
#' @param iterations data.table with `fork`, `start_uptime_ms`, `end_uptime_ms`
#'
#' @param pauses data.table with `fork`, `uptime_ms`, `pause_ms`
#'
#' @return `iterations` with `pause_ms` (0 without a pause) and `pauses` (their number)
join_pauses <- function(iterations, pauses) {
  spans <- iterations[, .(row = .I, fork, from = start_uptime_ms, to = end_uptime_ms)]
  stops <- pauses[, .(fork, from = uptime_ms, to = uptime_ms + pause_ms)]
  overlaps <- stops[
    spans, .(row = i.row, ms = pmin(x.to, i.to) - pmax(x.from, i.from)),
    on = .(fork, from < to, to > from), nomatch = NULL
  ]
  sums <- overlaps[, .(ms = sum(ms), count = .N), by = row]
  iterations[, `:=`(pause_ms = 0, pauses = 0L)]
  iterations[sums$row, `:=`(pause_ms = round(sums$ms, 6), pauses = sums$count)]
  iterations[]
}

# How the code of each fork's hot call path runs, and what happened to that code: chain.csv and compilations.csv of a
# round. A round that was measured before they were recorded has neither, and so has one without a JVM.

read_chain <- function(folder) read_optional_table(folder, "chain.csv")

read_compilations <- function(folder) read_optional_table(folder, "compilations.csv")

#' A table of a round that may be missing. It then has no rows.
read_optional_table <- function(folder, name) {
  types <- column_types(name, "raw")
  types[] <- ifelse(types == "c", "character", "numeric")
  file <- file.path(folder, name)
  if (!file.exists(file)) return(as.data.table(lapply(types, vector, length = 0)))
  rows <- read_csv_strictly(file, types = split(names(types), types))
  for (column in names(types)[types == "character"]) set(rows, j = column, value = fcoalesce(rows[[column]], ""))
  rows
}

# What the providers of a round offer: offered.csv, of rounds whose workloads compare providers.

offers_columns <- columns_of("offers.csv")

#' The forks of a round with the availability of their algorithm. Column `offered` is yes, no, wrong or differs. It is
#' yes for all if no check was made.
#'
#' @param folder of the round; `forks` of `read_cells_csv`
#' @return `forks` with columns `offered`, `why`, `answer`, `asked`
with_offers <- function(folder, forks) {
  file <- file.path(folder, "offered.csv")
  if (!file.exists(file)) return(copy(forks)[, `:=`(offered = "yes", why = "", answer = "", asked = FALSE)][])
  rows <- read_csv_strictly(file, types = "character")
  found <- match(forks$fork, as.numeric(rows$fork))
  copy(forks)[, `:=`(
    offered = fcoalesce(rows$offered[found], "yes"), why = fcoalesce(rows$why[found], ""),
    answer = fcoalesce(rows$answer[found], ""), asked = !is.na(found)
  )][]
}

# Disturbances of a round's forks (interference.csv): which forks count, and which were run again.

gate_columns <- c(
  "valid", "invalid_cause", "rerun_of", "steal_share", "others_share", "throttled", "involuntary_per_s", "gc_share",
  "spin_ratio", "elapsed_ms"
)

#' Forks that count, for the main analysis: first runs and reruns that all gates accepted.
valid_forks <- function(forks) forks[valid == TRUE]

#' The reason why times of disturbed forks prove nothing, as `warm_up_why` of `shown_forks`.
disturbed_words <- "every run was disturbed"

#' Forks that count. For a cell without any, all of its first runs, which were disturbed. Their numbers are shown and
#' decide nothing: they are unproven, and have no times of reference forks.
#'
#' @param forks the table `forks.csv`
#' @return the forks with `disturbed`: whether the cell has disturbed forks only
shown_forks <- function(forks) {
  shown <- copy(forks)[, disturbed := !any(valid), by = c(setdiff(cell_id, "measure"))]
  shown <- shown[valid | (disturbed & is.na(rerun_of))]
  shown[disturbed == TRUE, `:=`(warm_up_state = warm_up_states[4], warm_up_why = disturbed_words)]
  reference_forks <- intersect(c("reference_ns", "early_ns"), names(shown))
  if (length(reference_forks) > 0) set(shown, which(shown$disturbed), reference_forks, NA_real_)
  shown[]
}

#' Every cell's first run in each round, whether a gate rejected it or not. For the second analysis.
first_forks <- function(forks) forks[is.na(rerun_of)]

#' interference.csv: `broken` is text, all other columns are numeric or missing.
read_interference_csv <- function(folder) {
  rows <- read_csv_strictly(file.path(folder, "interference.csv"), types = list(character = "broken"))
  for (column in setdiff(names(rows), "broken")) set(rows, j = column, value = as.numeric(rows[[column]]))
  rows
}

#' A round's forks and the reruns, with the results of the gates for each.
#'
#' @param planned of `read_cells_csv`; `interference` of `read_interference_csv`
#' @return `planned` with a row for every rerun, and `gate_columns`
with_reruns <- function(planned, interference) {
  repeats <- fcoalesce(interference$rerun_of, interference$fork)
  forks <- planned[match(repeats, fork)][, fork := interference$fork]
  cbind(forks, interference[, .(
    valid = is.na(broken), invalid_cause = fcoalesce(broken, ""), rerun_of = rerun_of, steal_share = steal_ms / cpu_ms,
    others_share = others_ms / cpu_ms, throttled = throttled,
    involuntary_per_s = 1000 * involuntary_switches / window_ms, gc_share = gc_ms / window_ms,
    spin_ratio = pmax(spin_before_ns, spin_after_ns) / spin_reference_ns, elapsed_ms = elapsed_ms
  )])
}

command_tidy <- function(words) {
  arguments <- read_arguments(
    list(
      raw = list(text = "the raw directory", required = TRUE, folder = TRUE),
      rounds = list(
        text = "file that names the rounds, one directory relative to --raw per line; all rounds if left out",
        file = TRUE
      ),
      reference_forks = list(text = "the directory of reference forks"),
      reference_rounds = list(text = "file that names those of this run, as --rounds does; may be empty", file = TRUE),
      cpu_apart = list(text = "experiments, commas between, whose CPU time is kept as user and system time apart too"),
      out = list(text = "directory for rounds.csv, forks.csv, iterations.csv.gz and the others", required = TRUE)
    ),
    "Checks raw rounds and writes them as tidy tables (data/README.md).",
    words
  )
  tables <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))
  listed <- if (is.null(arguments$reference_rounds)) character() else readLines(arguments$reference_rounds)
  reference_forks <- read_reference_forks(arguments$reference_forks, listed)
  tables$forks <- with_reference_forks(tables$forks, reference_forks)
  apart <- strsplit(arguments$cpu_apart %||% "", ",", fixed = TRUE)[[1]]
  tables$observed <- with_cpu_parts(tables$observed, tables$iterations, tables$forks, apart)
  valid <- valid_forks(tables$forks)
  checks <- call_checks(tables$calls, tables$iterations, tables$pauses, valid)
  means <- observed_means(valid, tables$observed)
  dir.create(arguments$out, recursive = TRUE, showWarnings = FALSE)
  write_table(tables$rounds, file.path(arguments$out, "rounds.csv"))
  write_table(reference_forks, file.path(arguments$out, "reference_forks.csv"))
  write_table(tables$plans, file.path(arguments$out, "plans.csv"))
  write_table(tables$iterations, file.path(arguments$out, "iterations.csv.gz"))
  write_table(tables$pauses, file.path(arguments$out, "pauses.csv.gz"))
  write_table(tables$forks, file.path(arguments$out, "forks.csv"))
  write_table(tables$observations, file.path(arguments$out, "observations.csv.gz"))
  write_table(tables$counts, file.path(arguments$out, "counts.csv.gz"))
  write_table(tables$calls, file.path(arguments$out, "calls.csv.gz"))
  write_table(checks, file.path(arguments$out, "call_checks.csv"))
  write_table(tables$observed, file.path(arguments$out, "observed.csv"))
  write_table(means, file.path(arguments$out, "observed_means.csv"))
  write_table(tables$offers, file.path(arguments$out, "offers.csv"))
  write_table(tables$chain, file.path(arguments$out, "chain.csv.gz"))
  write_table(tables$compilations, file.path(arguments$out, "compilations.csv.gz"))
}
