# The claims that a run can't judge, with why; and those whose study is at odds with itself.

claim_entry <- function(data, id, claim_id) {
  claim <- data$experiments[[id]]$claims[[claim_id]]
  rows <- data$verdicts[experiment == id & claim_id == claim]
  figures <- published_figures(data, id, claim_id)
  reason <- c(claim$reason, rows$reason[rows$reason != ""], "no cell that it needs was measured in this run")[1]
  own <- study_of(data, id)
  list(
    id = claim_id, study = id, text = claim$text, published = describe_published(figures),
    own_table = describe_own_table(figures, claim), testable = !untestable(rows), reason = reason,
    elsewhere = study_claims(data)[study == own & claim == ledger_id(claim_id)]$judged
  )
}

#' A list: `claims` that have a verdict, and `untestable` ones, of which `elsewhere` are judged by another experiment.
table_claims <- function(data) {
  entries <- lapply(names(data$experiments), function(id) {
    lapply(names(data$experiments[[id]]$claims), function(claim_id) claim_entry(data, id, claim_id))
  })
  entries <- unlist(entries, recursive = FALSE)
  list(
    claims = Filter(function(entry) entry$testable, entries),
    untestable = Filter(function(entry) !entry$testable, entries)
  )
}
