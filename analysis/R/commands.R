# Claims to verdicts.

command_judge <- function(words) {
  arguments <- read_arguments(
    list(
      tidy = list(
        text = paste(
          "the tidy directory; cells.csv, contrasts.csv, verdicts.csv, machine_verdicts.csv, drifts.csv, ratios.csv,",
          "today.csv, pairs.csv, claim_list.csv, claim_summary.csv, departures.csv, published_ratios.csv,",
          "sensitivity.csv, calibration.csv, notes.csv are written there"
        ), required = TRUE, folder = TRUE
      ),
      definitions = list(
        text = "definitions.json: settings, experiments with their claims, environments", required = TRUE, file = TRUE
      ),
      published = list(text = "directory of the studies' own numbers", required = TRUE, folder = TRUE)
    ),
    "Judges every claim in every environment and protocol that was measured.",
    words
  )
  tidy_file <- function(name) file.path(arguments$tidy, name)
  definitions <- read_json_strictly(arguments$definitions, "make the definitions anew from the experiment files")
  forks <- read_table(tidy_file("forks.csv"), c(fork_columns, "wall_ns_per_op_unpaused", "cpu_ns_per_op_unpaused"))
  pairs <- read_claim_pairs(tidy_file("claim_pairs.csv"))
  observed <- read_table(tidy_file("observed.csv"), observed_columns)
  calls <- read_table(tidy_file("call_checks.csv"), names(no_call_checks()))
  visits <- read_table(tidy_file("observations.csv.gz"), c(fork_key, "iteration", "measure", "value"))
  judged <- judge_claims(shown_forks(forks), definitions, pairs, observed, calls, visits)
  sensitivity <- sensitivity_table(forks, definitions, pairs, judged$verdicts, observed, calls, visits)
  calibration <- calibration_table(
    valid_forks(forks), definitions$calibration, definitions$settings$confidence %||% 0.95
  )
  over <- machine_verdicts(judged$open, definitions, pairs)
  rounds <- read_table(
    tidy_file("rounds.csv"),
    c("experiment", "environment", "round", "image_id", "machine_id", "started_at", "finished_at", "busy_programs")
  )
  drifts <- drift_table(valid_forks(forks), rounds, definitions$settings$confidence %||% 0.95)
  plans <- read_table(tidy_file("plans.csv"), names(no_plans()))
  cells <- cell_means(with_programmes(shown_forks(forks), observed, definitions$experiments), plans)
  offers <- read_table(tidy_file("offers.csv"), offers_columns)
  published <- published_values(arguments$published, definitions$experiments)
  notes <- rbind(
    data_notes(rounds, valid_forks(forks), cells, definitions, published, offers),
    interference_notes(forks, definitions$words), drift_notes(drifts), machine_verdict_notes(over)
  )
  judged$verdicts <- with_disturbers(judged$verdicts, pairs, forks, rounds, definitions$words)
  write_table(cells, tidy_file("cells.csv"))
  write_table(judged$contrasts, tidy_file("contrasts.csv"))
  write_table(with_drifts(judged$verdicts, judged$open$contrasts, drifts), tidy_file("verdicts.csv"))
  write_table(over, tidy_file("machine_verdicts.csv"))
  write_table(drifts, tidy_file("drifts.csv"))
  ratios <- ratio_table(valid_forks(forks), definitions, observed)
  write_table(ratios, tidy_file("ratios.csv"))
  means <- read_table(tidy_file("observed_means.csv"), c("measure", "mean", "lower", "upper"))
  write_table(today_table(cells, means, ratios, offers, definitions), tidy_file("today.csv"))
  write_table(pair_table(valid_forks(forks), definitions), tidy_file("pairs.csv"))
  ratios <- published_ratios(definitions, published)
  write_table(ratios, tidy_file("published_ratios.csv"))
  claims <- claim_list(definitions, published, ratios)
  write_table(claims, tidy_file("claim_list.csv"))
  write_table(claim_summary(claims, judged$verdicts, definitions), tidy_file("claim_summary.csv"))
  write_table(departures_table(definitions), tidy_file("departures.csv"))
  write_table(sensitivity, tidy_file("sensitivity.csv"))
  write_table(calibration, tidy_file("calibration.csv"))
  write_table(notes, tidy_file("notes.csv"))
}

# The forks that the next stage must have, from the rounds so far.

command_plan_stage <- function(words) {
  arguments <- read_arguments(
    list(
      raw = list(text = "the raw directory", required = TRUE, folder = TRUE),
      rounds = list(text = "file that names the rounds that were measured", required = TRUE, file = TRUE),
      definitions = list(text = "definitions.json: the run's settings and claims", required = TRUE, file = TRUE),
      pairs = list(text = "claim_pairs.csv: the cells that claims compare", required = TRUE, file = TRUE),
      most = list(text = "most forks of a cell that a claim may demand in the stage", required = TRUE),
      demands = list(text = "the CSV of cells and forks that claims or widths demand", required = TRUE),
      states = list(text = "the CSV of how many claims are decided, undecided or given up", required = TRUE)
    ),
    "Says which forks undecided claims demand (goal verdicts), or wanted half-widths (goal intervals).",
    words
  )
  most <- number_argument("most", arguments$most, 3, 1e6, "a whole number from 3 on")
  definitions <- read_json_strictly(arguments$definitions, "make the definitions anew from the experiment files")
  tables <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))
  planned <- if (definitions$settings$goal == "verdicts") {
    pairs <- read_claim_pairs(arguments$pairs)
    judged <- judge_claims(
      valid_forks(tables$forks), definitions, pairs, tables$observed, visits = tables$observations
    )
    claim_demands(judged, max(tables$forks$looks), definitions$settings$alpha, most, pairs)
  } else {
    list(demands = width_demands(tables$forks, tables$iterations, definitions), states = no_states())
  }
  write_table(planned$demands, arguments$demands)
  write_table(planned$states, arguments$states)
}

# Claims as they are encoded, with the studies' own numbers.

command_claims <- function(words) {
  arguments <- read_arguments(
    list(
      definitions = list(text = "JSON file with the experiments", required = TRUE, file = TRUE),
      published = list(text = "directory of the studies' own numbers", required = TRUE, folder = TRUE),
      out = list(text = "directory for own_numbers.csv", required = TRUE)
    ),
    "Puts the studies' own numbers through their claims' encoding. Exit status 1 where one does not give what it must.",
    words
  )
  definitions <- read_json_strictly(arguments$definitions, "make the definitions anew from the experiment files")
  table <- claims_table(definitions, published_values(arguments$published, definitions$experiments))
  write_table(table, out_file(arguments$out, "own_numbers.csv"))
  cat(own_number_lines(table), sep = "\n")
  wrong <- table[nzchar(own_verdict) & (own_verdict == "holds") != (expected == "holds")]
  cat(sprintf(
    "%s %s: the study's own number, %s, gives %s, not %s\n", wrong$experiment, wrong$part, wrong$own, wrong$own_verdict,
    wrong$expected
  ), sep = "")
  if (nrow(wrong) > 0) leave(1)
}

# Verdicts and costs of a plan by undecided claims, compared with a plan of equal forks. Both are replayed from a run's
# forks.

command_replay <- function(words) {
  arguments <- read_arguments(
    list(
      tidy = list(text = "tidy directory of the run", required = TRUE, folder = TRUE),
      out = list(text = "directory for replay.csv", required = TRUE),
      runs = list(text = "replays of each plan, 20 if left out"),
      cores = list(text = "processor cores to use, all if left out"),
      seed = list(text = "seed of the replays, 20260101 if left out")
    ),
    "Replays stages that are planned from open claims, and plans of equal forks, from the forks of one run.",
    words
  )
  runs <- number_argument("runs", arguments$runs %||% "20", 1, 1e5, "a number from 1 on")
  cores <- number_argument("cores", arguments$cores %||% as.character(usable_cores()), 1, 1000, "a number from 1 on")
  seed <- number_argument("seed", arguments$seed %||% "20260101", 0, 1e9, "a whole number from 0 on")
  forks <- valid_forks(read_table(file.path(arguments$tidy, "forks.csv"), fork_columns))
  definitions <- read_json_strictly(file.path(arguments$tidy, "definitions.json"), "make the report again")
  pairs <- read_claim_pairs(file.path(arguments$tidy, "claim_pairs.csv"))
  each <- in_parallel(seq_len(runs), function(run) {
    set.seed(seed + run)
    replay_plans(forks, definitions, pairs, c(5L, 10L, 20L, 40L, 80L))
  }, cores)
  table <- rbindlist(each)[, lapply(.SD, mean), by = plan]
  write_table(table, out_file(arguments$out, "replay.csv"))
  print_table(table)
  fixed <- seconds_for_as_many(table)
  staged <- table[plan == "stages", fork_s]
  first <- table[plan != "stages"][which.min(fork_s)]
  cat(sprintf(
    "means of %d replays; equal forks take %s of fork time for as many verdicts as the stages, which take %.0f s: %s\n",
    as.integer(runs), if (is.finite(fixed)) sprintf("%.0f s", fixed) else "more than these plans",
    staged, if (is.finite(fixed)) sprintf("%.1f times as much", fixed / staged) else "none of them decides as many"
  ))
  if (is.finite(fixed)) {
    cat(sprintf(
      "%s forks of every cell, with which each begins, take %.0f s: if all after them cost nothing: %.1f times\n",
      first$plan, first$fork_s, fixed / first$fork_s
    ))
  }
}

# Stops of the application threads from any GC log of HotSpot.
# Exit status 3 where the log has pauses that are not in the table.

command_gc_pauses <- function(words) {
  arguments <- read_arguments(
    list(
      log = list(
        text = "a GC log of HotSpot, or the files of a rotated one", required = TRUE, file = TRUE, many = TRUE
      ),
      out = list(text = "the CSV to write: uptime_ms, kind, cause, pause_ms, one row per stop", required = TRUE)
    ),
    "Writes one row for every stop of the application threads in a GC log. Exit status 3: some are lost.",
    words
  )
  stops <- read_gc_pauses(arguments$log)
  name <- format_list(arguments$log)
  for (remark in attr(stops, "remarks")) message(sprintf("%s: %s", name, remark))
  rows <- stops[, .(uptime_ms, kind, cause, pause_ms)]
  written <- write_table(rows, out_file(dirname(arguments$out), basename(arguments$out)))
  message(sprintf("%s: %s", written, pause_summary(stops)))
  lost <- attr(stops, "lost")
  for (words in lost) message(sprintf("%s: %s", name, words))
  if (length(lost) > 0) leave(3)
}
