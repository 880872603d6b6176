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
  if (nrow(wrong) > 0) quit(status = 1, save = "no")
}

#' The table for a terminal: a line for each claim's part and number, in columns; then how many there are.
own_number_lines <- function(table) {
  verdict <- fifelse(nzchar(table$own_verdict), describe_verdict(table$own_verdict), "no number to compare")
  against <- nzchar(table$own_verdict) & table$expected == "does-not-hold"
  verdict <- paste0(verdict, fifelse(against, " (the study contradicts itself)", ""))
  columns <- list(
    study = table$study, claim = table$part, compares = table$quantity, target = table$target, published = table$own,
    "its own number" = verdict
  )
  widths <- c(16, 6, 44, 30, 24, 48)
  padded <- Map(function(name, values, width) {
    cut <- fifelse(nchar(values) > width, paste0(substr(values, 1, width - 3), "..."), values)
    formatC(c(name, cut), width = -width, flag = "-")
  }, names(columns), columns, widths)
  lines <- sub(" +$", "", unique(do.call(paste, unname(padded))))
  parts <- unique(table[, .(study, part)])
  c(lines, sprintf(
    "%d parts of %d claims; %d numbers hold, %d contradict their claim, as expected", nrow(parts),
    uniqueN(table, by = c("study", "claim")), sum(table$own_verdict == "holds"), sum(against)
  ))
}
