# What the next stage must hold, from the rounds so far.

command_plan_stage <- function(words) {
  arguments <- read_arguments(
    list(
      raw = list(text = "the raw directory", required = TRUE, folder = TRUE),
      rounds = list(text = "file that names the rounds that were measured", required = TRUE, file = TRUE),
      definitions = list(text = "definitions.json: the run's settings and claims", required = TRUE, file = TRUE),
      pairs = list(text = "claim_pairs.csv: the cells that claims compare", required = TRUE, file = TRUE),
      most = list(text = "most forks of a cell that a claim may demand in the stage", required = TRUE),
      demands = list(text = "the CSV of cells and forks that claims or widths demand", required = TRUE),
      states = list(text = "the CSV of how many claims are decided, undecided or given up", required = TRUE)
    ),
    "Says which forks undecided claims demand (goal verdicts), or wanted half-widths (goal intervals).",
    words
  )
  most <- number_argument("most", arguments$most, 3, 1e6, "a whole number from 3 on")
  definitions <- read_json_strictly(arguments$definitions, "make the definitions anew from the experiment files")
  tables <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))
  planned <- if (definitions$settings$goal == "verdicts") {
    pairs <- read_claim_pairs(arguments$pairs)
    judged <- judge_claims(
      valid_forks(tables$forks), definitions, pairs, tables$observed, visits = tables$observations
    )
    claim_demands(judged, max(tables$forks$looks), definitions$settings$alpha, most, pairs)
  } else {
    list(demands = width_demands(tables$forks, tables$iterations, definitions), states = no_states())
  }
  write_table(planned$demands, arguments$demands)
  write_table(planned$states, arguments$states)
}
