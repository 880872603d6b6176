# The claims that the run can't judge, each with why.

#' A list: `id`, `study`, `text`, `published` in words, `reason`, and `elsewhere`, whether another experiment of the
#' study judges it.
untestable_entry <- function(data, id, claim_id) {
  claim <- data$experiments[[id]]$claims[[claim_id]]
  reasons <- data$verdicts[experiment == id & claim_id == claim & reason != ""]$reason
  own <- study_of(data, id)
  list(
    id = claim_id, study = id, text = claim$text, published = describe_published(published_figures(data, id, claim_id)),
    reason = c(claim$reason, reasons, "no cell that it needs was measured in this run")[1],
    elsewhere = study_claims(data)[study == own & claim == ledger_id(claim_id)]$judged
  )
}

#' A list of them, in the order of the definitions.
table_untestable <- function(data) {
  c(list(), unlist(lapply(names(data$experiments), function(id) {
    claims <- names(data$experiments[[id]]$claims)
    without <- Filter(function(wanted) untestable(data$verdicts[experiment == id & claim == wanted]), claims)
    lapply(without, function(claim_id) untestable_entry(data, id, claim_id))
  }), recursive = FALSE))
}
