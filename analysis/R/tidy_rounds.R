# From raw rounds to tidy tables.

#' Directories of rounds: those a list names, else all below the raw directory that look like one. A stamp, or any of a
#' round's main files is enough, so that a round that lost its round.json is refused rather than overlooked. Hidden
#' directories hold unfinished and failed rounds.
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
#' @return list of data.tables `round`, `forks`, `iterations`, `pauses`, `observations`, `offers`, `chain`,
#'   `compilations`, all but the first keyed by `fork` within the round; `forks` has those that ran
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
  setorder(iterations, fork, iteration)
  setorder(pauses, fork, side, uptime_ms)
  scalar <- Filter(function(value) length(value) == 1 && !is.list(value), round)
  list(
    round = as.data.table(scalar)[, `:=`(forks = nrow(planned), path = relative)],
    offers = planned[asked == TRUE, intersect(offers_columns, names(planned)), with = FALSE],
    forks = forks, iterations = join_pauses(iterations, pauses[side == "fork"]), pauses = pauses,
    observations = observations, chain = read_chain(folder), compilations = read_compilations(folder)
  )
}

#' The stops of a round's JVMs: of the forks' own (`side` is fork), and of the servers' that some of them start
#' (server). A native program has none.
read_pauses <- function(folder, forks) {
  read <- function(number, name, side) {
    stops <- read_gc_log(file.path(folder, sprintf(name, as.integer(number))))
    set(stops, j = c("fork", "side"), value = list(number, side))
  }
  own <- forks$fork[!forks$native]
  server <- "gc/%03d-server.log"
  served <- own[file.exists(file.path(folder, sprintf(server, as.integer(own))))]
  none <- stops_table()[, `:=`(fork = numeric(), side = character())]
  rbindlist(c(list(none), lapply(own, read, "gc/%03d.log", "fork"), lapply(served, read, server, "server")))
}

#' All tables of the first step.
#'
#' @param raw directory; `rounds` directories relative to it
#' @return list of data.tables `rounds`, `plans`, `iterations`, `pauses`, `forks`, `offers`, `observations`, `counts`,
#'   `observed`, `chain`, `compilations`, each as the dictionary has it
tidy_rounds <- function(raw, rounds) {
  parts <- lapply(rounds, function(relative) {
    part <- read_round(raw, relative)
    where <- part$round[, .(experiment, environment, round)]
    for (name in setdiff(names(part), "round")) {
      set(part[[name]], j = names(where), value = where)
      setcolorder(part[[name]], names(where))
    }
    part
  })
  bind <- function(name) rbindlist(lapply(parts, `[[`, name), use.names = TRUE, fill = TRUE)
  by <- c("experiment", "environment", "round", "fork")
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
  forks <- tidy_forks(rounds, planned, iterations, pauses, by)
  settled <- settled_forks(planned, iterations, chain, compilations, by)
  forks <- merge(forks, settled, by = by, sort = FALSE)
  setcolorder(forks, c(cell_columns(forks), "round", "number", "fork"))
  observations <- bind("observations")
  observed <- observed_values(observations, iterations)
  iterations[, c("warmup", "steady", "cell", "planned") := NULL]
  setcolorder(pauses, c(by, "uptime_ms", "pause_ms", "kind", "cause", "side"))
  list(
    rounds = rounds, plans = plans, iterations = iterations, pauses = pauses, forks = forks,
    offers = setcolorder(bind("offers"), offers_columns),
    observations = observations[!nzchar(counts)][, counts := NULL][], counts = long_counts(observations),
    observed = observed, chain = chain, compilations = compilations
  )
}

tidy_forks <- function(rounds, planned, iterations, pauses, by) {
  place <- c("experiment", "environment", "round")
  forks <- merge(
    planned, rounds[, c(place, "image_id", "machine_id", "number"), with = FALSE], by = place, sort = FALSE
  )
  keys <- c(cell_columns(forks), "round", "number", "fork")
  forks <- merge(forks[, keys, with = FALSE], fork_means(iterations, by), by = by, sort = FALSE)
  stops <- pauses[side == "fork", .(pauses = .N, pause_ms = sum(pause_ms)), by = by]
  forks <- merge(forks, stops, by = by, all.x = TRUE, sort = FALSE)
  forks[is.na(pauses), `:=`(pauses = 0L, pause_ms = 0)]
  forks <- with_plan(forks, rounds, iterations, by)
  forks <- merge(forks, planned[, c(by, gate_columns), with = FALSE], by = by, sort = FALSE)
  setcolorder(forks, keys)
  setorderv(forks, c(place, "fork"))
  forks[]
}
