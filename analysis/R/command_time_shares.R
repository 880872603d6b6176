# Where the time of a run went.

command_time_shares <- function(words) {
  arguments <- read_arguments(
    list(
      raw = list(text = "the raw directory", required = TRUE, folder = TRUE),
      rounds = list(text = "file that names the rounds; all of the raw directory if left out", file = TRUE),
      out = list(text = "directory for time_shares.csv", required = TRUE)
    ),
    "Says which part of a run's time went into iterations and which into everything else, of forks by protocol.",
    words
  )
  tidy <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))
  table <- rbind(
    time_shares(tidy$rounds, tidy$forks, tidy$iterations)[, protocol := "all"],
    fork_shares(tidy$forks, tidy$iterations), use.names = TRUE
  )
  write_table(table, out_file(arguments$out, "time_shares.csv"))
  print_table(table)
}
