# Claims to verdicts: Rscript analysis/judge.R --tidy DIR --definitions FILE --published DIR

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
analysis_dir <- dirname(script)
source(file.path(analysis_dir, "load.R"))

run_script(function() {
  arguments <- read_arguments(
    list(
      tidy = list(
        text = "the tidy directory; contrasts.csv, verdicts.csv, notes.csv are written there", required = TRUE,
        folder = TRUE
      ),
      definitions = list(
        text = "definitions.json: settings, experiments with their claims, environments", required = TRUE, file = TRUE
      ),
      published = list(text = "directory of the studies' own numbers", required = TRUE, folder = TRUE)
    ),
    "Judges every claim in every environment and protocol that was measured."
  )
  tidy_file <- function(name) file.path(arguments$tidy, name)
  definitions <- read_json_strictly(arguments$definitions, "make the definitions anew from the experiment files")
  forks <- read_table(tidy_file("forks.csv"), fork_columns)
  forms <- claim_forms(file.path(analysis_dir, "forms"))
  checks <- read_table(tidy_file("iteration_checks.csv"), c(iteration_places, "variation", "maximum_ratio"))
  judged <- judge_claims(forks, definitions, forms, checks)
  rounds <- read_table(tidy_file("rounds.csv"), c("experiment", "environment", "image_id", "machine_id"))
  cells <- read_table(tidy_file("cells.csv"), c("experiment", "environment", "measure", "forks"))
  offers <- read_table(tidy_file("offers.csv"), offers_columns)
  notes <- data_notes(rounds, forks, cells, definitions, published_values(arguments$published), forms, offers)
  write_table(judged$contrasts, tidy_file("contrasts.csv"))
  write_table(judged$verdicts, tidy_file("verdicts.csv"))
  write_table(notes, tidy_file("notes.csv"))
})
