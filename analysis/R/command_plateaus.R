# Settled times against those of a long JVM.

command_plateaus <- function(words) {
  arguments <- read_arguments(
    list(
      raw = list(text = "the raw directory", required = TRUE, folder = TRUE),
      rounds = list(text = "file that names the trial's rounds", required = TRUE, file = TRUE),
      out = list(text = "directory for plateaus.csv", required = TRUE)
    ),
    "Says for each cell how far its forks are from the end of long ones, by whether they are proved settled.",
    words
  )
  tables <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))
  table <- plateaus(tables$forks, tables$iterations, tables$chain, tables$compilations)
  write_table(table, out_file(arguments$out, "plateaus.csv"))
  print_table(table)
  print_table(plateau_summary(table))
}
