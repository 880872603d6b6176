# Claims as they are encoded, with the studies' own numbers.

command_claims <- function(words) {
  arguments <- read_arguments(
    list(
      definitions = list(text = "JSON file with the experiments", required = TRUE, file = TRUE),
      published = list(text = "directory of the studies' own numbers", required = TRUE, folder = TRUE),
      out = list(text = "directory for claims.csv", required = TRUE)
    ),
    "Puts the studies' own numbers through their claims' encoding. Exit status 1 where one does not give what it must.",
    words
  )
  definitions <- read_json_strictly(arguments$definitions, "make the definitions anew from the experiment files")
  table <- claims_table(definitions, published_values(arguments$published, definitions$experiments))
  write_table(table, out_file(arguments$out, "claims.csv"))
  wrong <- table[nzchar(own_verdict) & own_verdict != expected]
  cat(sprintf(
    "%s %s: the study's own number, %s, gives %s, not %s\n", wrong$experiment, wrong$part, wrong$own, wrong$own_verdict,
    wrong$expected
  ), sep = "")
  if (nrow(wrong) > 0) quit(status = 1, save = "no")
}
