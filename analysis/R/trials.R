# Trials that compare the pipeline with plain JMH (bench/jcarerun/trials): the same cells measured both ways.

#' Relative difference up to which two means count as equivalent.
trial_margin <- 0.01

#' Forks of plain JMH, from plain.csv of a trial's folder and the results that it names: `cell`, `block`, `mean_ns`,
#' `wall_s`.
plain_forks <- function(folder) {
  table <- read_table(file.path(folder, "plain.csv"), c("cell", "block", "file", "wall_s"))
  read <- jmh_forks(read_jmh_directory(folder, table$file, cores = 1L), steady = FALSE, cores = 1L)
  found <- merge(table, read[metric == "", .(file, unit, mean_ns = mean)], by = "file", sort = FALSE)
  if (nrow(found) != nrow(table) || any(found$unit != "ns/op")) {
    refuse(folder, "has other results than plain.csv names", "one result in ns/op a file", "run the trial again")
  }
  found[, .(cell, block = as.integer(block), mean_ns, wall_s = as.numeric(wall_s))]
}

#' Whether two ways of measuring give the same mean: two one-sided tests that the ratio of our mean to plain JMH's is
#' within `trial_margin`.
#'
#' If both have a column `block`, the two conditions were interleaved block by block. The tests then use the
#' differences of logs within blocks, which removes the machine's drift between blocks. Otherwise they are Welch's.
#'
#' @param ours,plain data.tables with `cell`, `mean_ns`, and maybe `block`, a row per fork
#' @return data.table, a row per cell in the order of `ours`. The interval is a 90 % interval, which corresponds to two
#'   tests at 5 %. Column `alike` is yes, no (the interval is outside the margin) or open.
compare_arms <- function(ours, plain, margin = trial_margin) {
  moments <- function(forks) {
    forks[, .(n = .N, log = mean(log(mean_ns)), var = stats::var(log(mean_ns)), ns = mean(mean_ns)), by = cell]
  }
  both <- merge(moments(ours), moments(plain), by = "cell", sort = FALSE, suffixes = c(".our", ".plain"))
  ratio <- if ("block" %in% names(ours) && "block" %in% names(plain)) {
    arm_ratios(ours, plain)[both$cell, on = "cell"]
  } else {
    welch_ratio(both$log.our, both$var.our, both$n.our, both$log.plain, both$var.plain, both$n.plain)
  }
  bounds <- c(1 / (1 + margin), 1 + margin)
  narrow <- log_interval(ratio$log_ratio, ratio$se_log, ratio$df, 0.9)
  p <- target_p_values(ratio$log_ratio, ratio$se_log, ratio$df, bounds[1], bounds[2])$p_support
  data.table(
    cell = both$cell, our_forks = both$n.our, plain_forks = both$n.plain, our_ns = both$ns.our,
    plain_ns = both$ns.plain, ratio = ratio$ratio, lower = narrow$lower, upper = narrow$upper, p = p,
    alike = fifelse(p <= 0.05, "yes", fifelse(narrow$lower > bounds[2] | narrow$upper < bounds[1], "no", "open"))
  )
}

#' Relative difference that is allowed between a cell and plain JMH's forks of one minute.
fidelity_margin <- 0.02

#' Rounds of the pipeline in a block of the fidelity trial (bench/jcarerun/trials/methods.py).
fidelity_rounds <- 2L

#' Whether forks of plain JMH had compiled their operation before their measurement began (`in_time`), for forks with a
#' HotSpot log, from a trial's compiled.csv. `compiled_s` is NA if it was not compiled at the fork's end.
plain_compiled <- function(folder) {
  table <- read_table(file.path(folder, "compiled.csv"), c("cell", "block", "compiled_s", "in_time"))
  table[, .(cell, compiled_s = as.numeric(compiled_s), in_time = in_time == "yes")]
}

#' Compares every cell's mean with plain JMH's, and adds the pipeline's warm-up state.
#'
#' @param forks with `fidelity_rounds` rounds per block; `plain` of `plain_forks`, `compiled` of `plain_compiled`
#' @return the table of `compare_arms` with `plain_compiled_s`, `warm_up_state` (the worst of our forks) and `bar`. The
#'   latter is `marked` if the pipeline itself reports the cell as unproven. It is `unknown` if plain JMH's forks are
#'   not known to be compiled during their measurement. Otherwise it is `met`, `missed` or `open`, as `alike` is yes,
#'   no or open.
fidelity <- function(forks, plain, compiled) {
  ours <- forks[, .(cell, block = (number - 1L) %/% fidelity_rounds + 1L, mean_ns = wall_ns_per_op)]
  table <- compare_arms(ours, plain, fidelity_margin)
  states <- forks[, .(warm_up_state = worst_state(warm_up_state)), by = cell]
  table[states, warm_up_state := i.warm_up_state, on = "cell"]
  table[compiled, `:=`(plain_compiled_s = i.compiled_s, in_time = i.in_time), on = "cell"]
  table[, bar := fcase(
    !warm_up_state %in% c("proven", "by definition"), "marked", !(in_time %in% TRUE), "unknown",
    alike == "yes", "met", alike == "no", "missed", default = "open"
  )]
  table[, in_time := NULL][]
}

#' Relative difference that is allowed between our benchmark and an external benchmark of the same operation.
others_margin <- 0.03

#' Compares our cells with those of external benchmarks. Rounds of both alternate, and one of each is a block.
#'
#' @param forks of the experiments ours and theirs, whose workloads have the same names
#' @return the table of `compare_arms` by workload, with `their` in place of `plain`. It adds the worst state of each
#'   side's forks (`our_warm_up`, `their_warm_up`).
same_operations <- function(forks) {
  # An operation on several JDKs counts as a separate operation for each.
  forks <- copy(forks)
  if (uniqueN(forks$environment) > 1) forks[, workload := paste(workload, environment)]
  side <- function(name) {
    valid_forks(forks)[experiment == name, .(cell = workload, block = number, mean_ns = wall_ns_per_op)]
  }
  states <- function(name) {
    forks[experiment == name, .(warm_up_state = worst_state(warm_up_state)), by = .(cell = workload)]
  }
  table <- compare_arms(side("ours"), side("theirs"), others_margin)
  table[states("ours"), our_warm_up := i.warm_up_state, on = "cell"]
  table[states("theirs"), their_warm_up := i.warm_up_state, on = "cell"]
  setnames(table, c("cell", "plain_forks", "plain_ns"), c("workload", "their_forks", "their_ns"))[]
}

#' How many times as long each operation takes in the first environment as in each later one, by either side's
#' benchmark. Environments are in the order of their names. Their rounds are not paired, so the intervals are Welch's.
#'
#' @param forks as for `same_operations`
#' @return data.table; `forks` is the smaller number, the interval that of 95 %. It has no rows if there is one
#'   environment.
environment_ratios <- function(forks) {
  means <- valid_forks(forks)[, .(
    n = .N, log = mean(log(wall_ns_per_op)), var = stats::var(log(wall_ns_per_op))
  ), by = .(workload, side = experiment, environment)]
  first <- means[environment == min(environment)]
  both <- merge(first, means[environment > min(environment)], by = c("workload", "side"), suffixes = c(".1", ".2"))
  ratios <- welch_ratio(both$log.1, both$var.1, both$n.1, both$log.2, both$var.2, both$n.2)
  cbind(
    both[, .(workload, side, first = environment.1, second = environment.2, forks = pmin(n.1, n.2))],
    ratios[, .(ratio, lower, upper)]
  )
}

#' The ratio of our mean to plain JMH's from the differences within blocks, a row per cell. A block without valid forks
#' of both conditions is left out.
arm_ratios <- function(ours, plain) {
  by_block <- function(forks) forks[, .(log = mean(log(mean_ns))), by = .(cell, block)]
  pairs <- merge(by_block(ours), by_block(plain), by = c("cell", "block"), suffixes = c(".our", ".plain"))
  differences <- pairs[, .(
    mean = mean(log.our - log.plain), se = stats::sd(log.our - log.plain) / sqrt(.N),
    df = if (.N > 1) .N - 1 else NA_real_
  ), by = cell]
  cbind(differences[, .(cell)], differences[, log_interval(mean, se, df, 0.95)])
}

#' The fewest forks for which Student's interval of log fork means with that spread is as narrow as wanted. This
#' assumes that the spread is known beforehand, which favours plain JMH. Vectorised.
#'
#' @param sd standard deviation of log fork means; `half_width` on the log scale; `least` forks
forks_for <- function(sd, half_width, least, confidence = 0.95) {
  widths <- function(sd, n) stats::qt((1 + confidence) / 2, n - 1) * sd / sqrt(n)
  vapply(seq_along(sd), function(i) {
    n <- least
    while (widths(sd[i], n) > half_width[i]) n <- n + 1
    n
  }, 0)
}

#' The cost of the same half-width both ways.
#'
#' The cost of a cell is the time of its forks, and a part of the other time of its rounds. Plain JMH's cost is the
#' mean time of a fork, times the number of forks it needs.
#'
#' @param ours data.table, a row per fork: `cell`, `mean_ns`, `cost_s`
#' @param widths data.table: `cell`, `half_width_pct` that the pipeline reached
#' @param plain of `plain_forks`; `wanted_pct` the wanted half-width; `least` JMH's default number of forks
#' @return data.table. The half-width is the wanted one, or the reached one if that is wider.
cost_of_width <- function(ours, widths, plain, wanted_pct = 1, least = 5L) {
  costs <- ours[, .(our_forks = .N, our_s = sum(cost_s)), by = cell]
  spread <- plain[, .(plain_sd = stats::sd(log(mean_ns)), fork_s = mean(wall_s)), by = cell]
  rows <- merge(merge(costs, widths, by = "cell", sort = FALSE), spread, by = "cell", sort = FALSE)
  rows[, half_width_pct := pmax(half_width_pct, wanted_pct)]
  rows[, plain_forks_needed := forks_for(plain_sd, half_width_pct / 100, least)]
  rows[, plain_s := plain_forks_needed * fork_s]
  rows[, .(
    cell, half_width_pct, our_forks, our_s, plain_sd_pct = 100 * plain_sd, plain_forks_needed, plain_s,
    times_less = plain_s / our_s
  )]
}

#' Cost of every fork of rounds in seconds: its elapsed time, and an equal part of the time of its round outside forks.
fork_costs <- function(forks, rounds) {
  own <- forks[, .(inside = sum(elapsed_ms) / 1000, n = .N), by = round]
  own <- merge(own, rounds, by = "round")
  own[, share := (elapsed_s - inside) / n]
  forks$elapsed_ms / 1000 + own$share[match(forks$round, own$round)]
}

trial_options <- function(table) {
  list(
    raw = list(text = "the raw directory", required = TRUE, folder = TRUE),
    rounds = list(text = "file that names the pipeline's rounds", required = TRUE, file = TRUE),
    plain = list(text = "the trial's folder, with plain.csv", required = TRUE, folder = TRUE),
    out = list(text = paste("directory for", table), required = TRUE)
  )
}

#' Print a table for a terminal, numbers to four digits.
print_table <- function(table) {
  shown <- table[, lapply(.SD, function(column) if (is.double(column)) format(signif(column, 4)) else column)]
  print(shown, row.names = FALSE)
}

command_efficiency <- function(words) {
  purpose <- "Says for each cell what its half-width costs both ways."
  arguments <- read_arguments(trial_options("efficiency.csv"), purpose, words)
  tidy <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))
  forks <- tidy$forks
  forks[, cost_s := fork_costs(forks, tidy$rounds[, .(round, elapsed_s)])]
  cells <- cell_means(valid_forks(forks))[measure == "wall", .(cell, half_width_pct)]
  plain <- plain_forks(arguments$plain)
  ours <- forks[, .(cell, mean_ns = wall_ns_per_op, cost_s)]
  # Invalid forks cost time too, but their means are not used.
  alike <- compare_arms(valid_forks(forks)[, .(cell, mean_ns = wall_ns_per_op)], plain)
  table <- merge(cost_of_width(ours, cells, plain), alike[, .(cell, ratio, lower, upper, alike)], by = "cell")
  write_table(table, out_file(arguments$out, "efficiency.csv"))
  print_table(table)
  same <- identical(alike[order(our_ns)]$cell, alike[order(plain_ns)]$cell)
  cat(sprintf(
    "in all: %.0f s against %.0f s, %.1f times less; the least of a cell %.1f; ranking of the means: %s\n",
    sum(table$our_s), sum(table$plain_s), sum(table$plain_s) / sum(table$our_s), min(table$times_less),
    if (same) "the same" else "not the same"
  ))
}

command_fidelity <- function(words) {
  purpose <- "Says for each cell whether both ways give the same mean."
  arguments <- read_arguments(trial_options("fidelity.csv"), purpose, words)
  forks <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))$forks
  table <- fidelity(valid_forks(forks), plain_forks(arguments$plain), plain_compiled(arguments$plain))
  write_table(table, out_file(arguments$out, "fidelity.csv"))
  print_table(table)
}

command_micros <- function(words) {
  arguments <- read_arguments(
    list(
      raw = list(text = "the raw directory", required = TRUE, folder = TRUE),
      rounds = list(text = "file that names the trial's rounds; all of the directory without it", file = TRUE),
      out = list(text = "directory for micros.csv, and environments.csv if there are several", required = TRUE)
    ),
    "Says for each operation whether ours and theirs give the same mean, and how much either differs between JDKs.",
    words
  )
  forks <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))$forks
  table <- same_operations(forks)
  write_table(table, out_file(arguments$out, "micros.csv"))
  print_table(table)
  between <- environment_ratios(forks)
  if (nrow(between) > 0) {
    write_table(between, out_file(arguments$out, "environments.csv"))
    print_table(between)
  }
}
