# The next stage's wants from the rounds so far.

command_plan_claims <- function(words) {
  arguments <- read_arguments(
    list(
      raw = list(text = "the raw directory", required = TRUE, folder = TRUE),
      rounds = list(text = "file that names the rounds that were measured", required = TRUE, file = TRUE),
      definitions = list(text = "definitions.json: the run's settings and claims", required = TRUE, file = TRUE),
      most = list(text = "most forks of a cell in the stage", required = TRUE),
      wants = list(text = "the CSV of cells and forks that open claims need", required = TRUE),
      states = list(text = "the CSV of how many claims are decided, open or given up", required = TRUE)
    ),
    "Says what the next stage of measuring must hold so that open claims are likely to be decided.",
    words
  )
  most <- number_argument("most", arguments$most, 3, 1e6, "a whole number from 3 on")
  definitions <- read_json_strictly(arguments$definitions, "make the definitions anew from the experiment files")
  forms <- claim_forms()
  tables <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))
  judged <- judge_claims(
    valid_forks(tables$forks), definitions, forms, tables$observed, visits = tables$observations
  )
  planned <- claim_wants(judged, max(tables$forks$looks), definitions$settings$alpha, most)
  write_table(planned$wants, arguments$wants)
  write_table(planned$states, arguments$states)
}
