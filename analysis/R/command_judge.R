# Claims to verdicts.

command_judge <- function(words) {
  arguments <- read_arguments(
    list(
      tidy = list(
        text = paste(
          "the tidy directory; contrasts.csv, verdicts.csv, machine_verdicts.csv, drifts.csv, ratios.csv, today.csv,",
          "pairs.csv, claim_list.csv, claim_summary.csv, departures.csv, published_ratios.csv, sensitivity.csv,",
          "calibration.csv, notes.csv are written there"
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
  cells <- read_table(tidy_file("cells.csv"), c("experiment", "environment", "measure", "forks"))
  offers <- read_table(tidy_file("offers.csv"), offers_columns)
  published <- published_values(arguments$published, definitions$experiments)
  notes <- rbind(
    data_notes(rounds, valid_forks(forks), cells, definitions, published, offers), interference_notes(forks),
    drift_notes(drifts), machine_verdict_notes(over)
  )
  judged$verdicts <- with_disturbers(judged$verdicts, pairs, forks, rounds)
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
