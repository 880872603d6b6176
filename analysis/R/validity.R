# What the validity table is made of: simulated runs, taken through the functions that the report itself uses.

#' What is simulated, in the order of the table. The seed of each comes from its position, so a new one goes last.
validity_properties <- function() {
  list(
    coverage = validity_coverage, differences = validity_differences, stein = validity_stein,
    verdicts = validity_verdicts, combination = validity_combination, rounds = validity_rounds, drift = validity_drift,
    machines = validity_machines, whole_runs = validity_whole_runs
  )
}

#' One row of the table.
#'
#' @param property,setting what is measured, and where; `hits` how often it happened in `runs` simulations
#' @param least,most bar in per cent, both ends included; NA where open; without any the row is only shown
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

#' Run simulations in chunks: the chunks and their seeds don't depend on the cores, so the result doesn't either.
#'
#' @param simulations how many in all; `seed` of this property
#' @param work function(count) that returns a data.table or vector for that many simulations
#' @return list of what the chunks returned
simulate_chunks <- function(simulations, seed, cores, work, size = 500L) {
  counts <- rep(size, simulations %/% size)
  if (simulations %% size > 0) counts <- c(counts, simulations %% size)
  in_parallel(seq_along(counts), function(chunk) {
    set.seed(seed + chunk)
    work(counts[chunk])
  }, cores)
}

#' Keys of simulated cells, one cell per row.
simulated_keys <- function(cell, environment = "simulated") {
  data.table(
    experiment = "simulated", environment = environment, image_id = "image", machine_id = "machine", cell = cell,
    workload = "work", protocol = "modern", provider = "provider", cpu_profile = "native"
  )
}

#' The table forks.csv of simulated cells from their fork means.
#'
#' @param keys of `simulated_keys`; `means` matrix, one column per cell, one row per fork; or those of the cells one
#'   after the other, of which each has `counts`
forks_of_means <- function(keys, means, counts = rep(nrow(means), nrow(keys))) {
  forks <- keys[rep(seq_len(.N), counts)]
  number <- sequence(counts)
  forks[, `:=`(
    number = number, fork = number, round = as.character(number), steady = "flat", settled = "proved",
    settled_why = "", measured_iterations = 20L, wall_ns_per_op = c(means), cpu_ns_per_op = NA_real_,
    sd_within_wall_ns = 1, sd_within_cpu_ns = 1
  )][]
}

#' The table forks.csv of simulated cells from their iterations, through steady states and fork means.
#'
#' @param keys of `simulated_keys`; `times` matrix, one column per fork (those of the first cell first), a row per
#'   iteration; `count` forks a cell; `warmup` as in cells.csv
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
    number = number, fork = number, round = as.character(number), settled = "proved", settled_why = ""
  )][]
}

#' Ratios of pairs of simulated cells, as the report estimates them: cell i of the first keys to cell i of the second.
#' Forks of the same number are of the same round; `paired` as for `estimate_pairs`.
simulated_ratios <- function(forks, numerator, denominator, paired = TRUE) {
  pairs <- data.table(
    experiment = "simulated", machine_id = "machine", protocol = "modern", measure = "wall",
    numerator_environment = numerator$environment, numerator_image_id = "image", numerator_cell = numerator$cell,
    denominator_environment = denominator$environment, denominator_image_id = "image",
    denominator_cell = denominator$cell, target_lower = 1, target_upper = 1
  )
  estimate_pairs(pairs, forks_by_measure(forks), paired = paired)
}

#' The whole table, property by property; each row is printed as soon as it is known.
#'
#' @param properties the functions of validity/; `forms` of `claim_forms`; `say` function(line)
#' @return data.table: `property`, `setting`, `bar`, `measured_pct`, `simulations`, `met`
validity_table <- function(properties, forms, simulations, seed, cores, say) {
  rbindlist(lapply(seq_along(properties), function(part) {
    rows <- properties[[part]](simulations, seed + 10000000 * part, cores, forms = forms)
    for (row in seq_len(nrow(rows))) say(validity_words(rows[row]))
    rows
  }))
}

validity_words <- function(row) {
  met <- if (is.na(row$met)) "-" else if (row$met) "yes" else "NO"
  sprintf("%-3s  %6.2f %%  (%s)  %s: %s", met, row$measured_pct, row$bar, row$property, row$setting)
}
