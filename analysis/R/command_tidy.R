# Raw rounds to tidy tables.

command_tidy <- function(words) {
  arguments <- read_arguments(
    list(
      raw = list(text = "the raw directory", required = TRUE, folder = TRUE),
      rounds = list(
        text = "file that names the rounds, one directory relative to --raw per line; all rounds if left out",
        file = TRUE
      ),
      pilots = list(text = "the directory of pilots"),
      pilot_rounds = list(text = "file that names those of this run, as --rounds does; may be empty", file = TRUE),
      cpu_apart = list(text = "experiments, commas between, whose CPU time is kept as user and system time apart too"),
      out = list(text = "directory for rounds.csv, forks.csv, iterations.csv.gz and the others", required = TRUE)
    ),
    "Checks raw rounds and writes them as tidy tables (data/README.md).",
    words
  )
  tables <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))
  listed <- if (is.null(arguments$pilot_rounds)) character() else readLines(arguments$pilot_rounds)
  pilots <- read_pilots(arguments$pilots, listed)
  tables$forks <- with_pilots(tables$forks, pilots)
  apart <- strsplit(arguments$cpu_apart %||% "", ",", fixed = TRUE)[[1]]
  tables$observed <- with_cpu_parts(tables$observed, tables$iterations, tables$forks, apart)
  dir.create(arguments$out, recursive = TRUE, showWarnings = FALSE)
  write_table(tables$rounds, file.path(arguments$out, "rounds.csv"))
  write_table(pilots, file.path(arguments$out, "pilots.csv"))
  write_table(tables$plans, file.path(arguments$out, "plans.csv"))
  write_table(tables$iterations, file.path(arguments$out, "iterations.csv.gz"))
  write_table(tables$pauses, file.path(arguments$out, "pauses.csv.gz"))
  write_table(tables$forks, file.path(arguments$out, "forks.csv"))
  write_table(tables$observations, file.path(arguments$out, "observations.csv.gz"))
  write_table(tables$counts, file.path(arguments$out, "counts.csv.gz"))
  write_table(tables$observed, file.path(arguments$out, "observed.csv"))
  write_table(tables$offers, file.path(arguments$out, "offers.csv"))
  write_table(tables$chain, file.path(arguments$out, "chain.csv.gz"))
  write_table(tables$compilations, file.path(arguments$out, "compilations.csv.gz"))
}
