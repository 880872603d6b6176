# Basis of the validity table: simulated runs, analysed by the functions that the report itself uses.

#' The simulated properties, in the order of the table. The seed of each depends on its position, so a new one goes
#' last.
validity_properties <- function() {
  list(
    coverage = validity_coverage, differences = validity_differences, stein = validity_stein,
    verdicts = validity_verdicts, combination = validity_combination, rounds = validity_rounds, drift = validity_drift,
    machines = validity_machines, whole_runs = validity_whole_runs,
    steps = validity_steps
  )
}

#' One row of the table.
#'
#' @param hits number of occurrences in `runs` simulations
#' @param least,most limits in per cent, both ends included; NA if open. A row without any limit is only shown
#' @param below whether `most` itself already fails
validity_row <- function(property, setting, hits, runs, least = NA_real_, most = NA_real_, below = FALSE) {
  measured <- 100 * hits / runs
  met <- if (is.na(least) && is.na(most)) NA else (is.na(least) | measured >= least) & (
    is.na(most) | measured < most | (!below & measured == most)
  )
  data.table(
    property = property, setting = setting, bar = bar_words(least, most, below), measured_pct = measured,
    simulations = as.integer(runs), met = met
  )
}

bar_words <- function(least, most, below) {
  number <- function(x) format(x, digits = 4)
  if (is.na(most) && is.na(least)) return("shown")
  if (is.na(most)) return(sprintf("at least %s %%", number(least)))
  if (is.na(least)) return(sprintf(if (below) "below %s %%" else "at most %s %%", number(most)))
  sprintf("%s to %s %%", number(least), number(most))
}

#' Run simulations in chunks. The chunks and their seeds don't depend on the cores, so the result doesn't either.
#'
#' @param work function(count) that returns a data.table or vector for that many simulations
#' @return list of the chunks' results
simulate_chunks <- function(simulations, seed, cores, work, size = 500L) {
  counts <- rep(size, simulations %/% size)
  if (simulations %% size > 0) counts <- c(counts, simulations %% size)
  in_parallel(seq_along(counts), function(chunk) {
    set.seed(seed + chunk)
    work(counts[chunk])
  }, cores)
}

#' One row of the table, by counting over simulations.
#'
#' @param work function(count) that returns the number of occurrences in that many simulations
#' @param ... limits of `validity_row`
simulated_row <- function(property, setting, simulations, seed, cores, work, ...) {
  hits <- sum(unlist(simulate_chunks(simulations, seed, cores, work)))
  validity_row(property, setting, hits, simulations, ...)
}

#' How many intervals contain the true values.
containing <- function(intervals, truth) sum(intervals$lower <= truth & intervals$upper >= truth)

#' Keys of simulated cells, one cell per row.
simulated_keys <- function(cell, environment = "simulated") {
  data.table(
    experiment = "simulated", environment = environment, image_id = "image", machine_id = "machine", cell = cell,
    workload = "work", protocol = "steady-state", provider = "provider", cpu_profile = "native"
  )
}

#' Keys of pairs of simulated cells: `one`, `two`, and `both`, those of the first cells before those of the second.
pair_keys <- function(count) {
  one <- simulated_keys(sprintf("a%06d", seq_len(count)))
  two <- simulated_keys(sprintf("b%06d", seq_len(count)))
  list(one = one, two = two, both = rbind(one, two))
}

#' The table forks.csv of simulated cells, made from their fork means.
#'
#' @param means matrix, one column per cell, one row per fork; or the forks of one cell after the other
#' @param counts number of forks of each cell
forks_of_means <- function(keys, means, counts = rep(nrow(means), nrow(keys))) {
  forks <- keys[rep(seq_len(.N), counts)]
  number <- sequence(counts)
  forks[, `:=`(
    number = number, fork = number, round = as.character(number), steady = "flat", warm_up_state = "proven",
    warm_up_why = "", measured_iterations = 20L, wall_ns_per_op = c(means), cpu_ns_per_op = NA_real_,
    sd_within_wall_ns = 1, sd_within_cpu_ns = 1
  )][]
}

#' The table forks.csv of simulated cells, made from their iterations by the detection of steady states and by fork
#' means.
#'
#' @param times matrix, one column per fork (those of the first cell first), a row per iteration
#'
#' @param count forks per cell; `warmup` as in cells.csv
forks_of_iterations <- function(keys, times, count, warmup = "steady-state") {
  size <- nrow(times)
  iterations <- data.table(
    row = rep(seq_len(ncol(times)), each = size), iteration = rep(seq_len(size), ncol(times)), warmup = warmup,
    duration_ns = c(times), operations = 1, worker_cpu_ns = NA_real_, all_operations = 1, process_user_ns = NA_real_,
    process_system_ns = NA_real_
  )
  forks <- fork_means(mark_measured(iterations, "row"), "row")
  number <- (forks$row - 1L) %% count + 1L
  forks <- cbind(keys[(forks$row - 1L) %/% count + 1L], forks[, row := NULL])
  forks[, `:=`(
    number = number, fork = number, round = as.character(number), warm_up_state = "proven", warm_up_why = ""
  )][]
}

#' Ratios of pairs of simulated cells, as the report estimates them. Cell i of the first keys is compared with cell i
#' of the second. Forks of the same number are of the same round; `paired` as for `estimate_pairs`.
simulated_ratios <- function(forks, numerator, denominator, paired = TRUE) {
  pairs <- data.table(
    experiment = "simulated", machine_id = "machine", protocol = "steady-state", measure = "wall",
    numerator_environment = numerator$environment, numerator_image_id = "image", numerator_cell = numerator$cell,
    denominator_environment = denominator$environment, denominator_image_id = "image",
    denominator_cell = denominator$cell, target_lower = 1, target_upper = 1
  )
  estimate_pairs(pairs, forks_by_measure(forks), paired = paired)
}

#' Rows of claim_pairs.csv for simulated cells, which have the names of their levels.
#'
#' @param rows data.table: `claim`, `form`, `numerator`, `denominator`, targets, and other columns of the table
simulated_pairs <- function(rows) {
  rows <- copy(rows)[, `:=`(
    experiment = "simulated", measures = "wall", measure = "wall", machine_id = "machine", protocol = "steady-state",
    cpu_profile = "native", own_profile = "native", image_id = "image", numerator_image_id = "image",
    denominator_image_id = "image", numerator_environment = environment, denominator_environment = environment,
    pair = .I
  )]
  if (is.null(rows[["variant"]])) rows[, variant := ""]
  if (is.null(rows[["numerator_cell"]])) rows[, `:=`(numerator_cell = numerator, denominator_cell = denominator)]
  rows[, verdict := .GRP, by = .(claim, environment, variant)]
  with_columns(rows, pair_types())
}

#' The decision rule of simulated claims, in the form that definitions.json has.
simulated_decision <- function(compares, partial = FALSE) {
  list(
    compares = compares, partial = partial, across = FALSE, reversed = FALSE, judged = TRUE, cpu_features = FALSE,
    neutral = 1, targets = list(), dimensions = list(), scope = list(
      factors = list(), workloads = list(), each_workload = FALSE, factor = "", levels = list(), words = list()
    )
  )
}

#' The whole table, property by property. Each row is printed as soon as it is known.
#'
#' @param properties the functions `validity_<name>`; `say` function(line)
validity_table <- function(properties, simulations, seed, cores, say) {
  rbindlist(lapply(seq_along(properties), function(part) {
    rows <- properties[[part]](simulations, seed + 10000000 * part, cores)
    for (row in seq_len(nrow(rows))) say(validity_words(rows[row]))
    rows
  }))
}

validity_words <- function(row) {
  met <- if (is.na(row$met)) "-" else if (row$met) "yes" else "NO"
  sprintf("%-3s  %6.2f %%  (%s)  %s: %s", met, row$measured_pct, row$bar, row$property, row$setting)
}

# Measures whether intervals and verdicts have their nominal error rates. Every property is a function
# validity_<name>(simulations, seed, cores, ...).
command_validate <- function(words) {
  arguments <- read_arguments(
    list(
      out = list(text = "the CSV to write: property, setting, bar, measured_pct, simulations, met", required = TRUE),
      simulations = list(text = "simulations a row, 10000 if left out"),
      cores = list(text = "processor cores to use, all if left out"),
      tidy = list(
        text = "tidy directory of a run, whose cells are taken as A/A pairs; else the table keeps the row it has",
        folder = TRUE
      ),
      seed = list(text = "seed of the simulations, 20260101 if left out")
    ),
    "Measures in simulation what the report's intervals and verdicts promise. Exit status 1 when a bar is not met.",
    words
  )
  simulations <- number_argument("simulations", arguments$simulations %||% "10000", 1, 1e7, "a number from 1 on")
  cores <- number_argument("cores", arguments$cores %||% as.character(usable_cores()), 1, 1000, "a number from 1 on")
  seed <- number_argument("seed", arguments$seed %||% "20260101", 0, 1e9, "a whole number from 0 on")
  # Read before the simulations, which take minutes, so that an unreadable table is reported at once.
  real <- if (is.null(arguments$tidy)) {
    earlier_real_pairs_row(arguments$out)
  } else {
    real_pairs_row(valid_forks(read_table(file.path(arguments$tidy, "forks.csv"), fork_columns)))
  }
  properties <- validity_properties()
  say <- function(line) cat(line, "\n", sep = "")
  table <- validity_table(properties, simulations, seed, cores, say)
  if (!is.null(real)) cat(validity_words(real), if (is.null(arguments$tidy)) " (measured before)", "\n", sep = "")
  table <- rbind(table, real)
  write_table(table, out_file(dirname(arguments$out), basename(arguments$out)))
  write_table(forks_table(20 * simulations, seed), out_file(dirname(arguments$out), "forks_needed.csv"))
  if (!all(table$met, na.rm = TRUE)) leave(1)
}
