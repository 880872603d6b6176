# What a plan by open claims decides and costs against one of equal forks, replayed from a run's own forks.

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
