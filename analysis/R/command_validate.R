# Measures what the intervals and verdicts promise. Every property is a function validity_<name>(simulations, seed,
# cores, forms). Prints the table, writes it as CSV. Exit status 1 when a bar is not met.

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
  # Read before the simulations, which take minutes, so that a table that can't be read is reported at once.
  real <- if (is.null(arguments$tidy)) {
    earlier_real_pairs_row(arguments$out)
  } else {
    real_pairs_row(valid_forks(read_table(file.path(arguments$tidy, "forks.csv"), fork_columns)))
  }
  forms <- claim_forms()
  properties <- validity_properties()
  say <- function(line) cat(line, "\n", sep = "")
  table <- validity_table(properties, forms, simulations, seed, cores, say)
  if (!is.null(real)) cat(validity_words(real), if (is.null(arguments$tidy)) " (measured before)", "\n", sep = "")
  table <- rbind(table, real)
  write_table(table, out_file(dirname(arguments$out), basename(arguments$out)))
  if (!all(table$met, na.rm = TRUE)) quit(status = 1, save = "no")
}
