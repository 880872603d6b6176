# The verdict rows of one claim: every variant in every place that was measured.

#' Verdict rows of a claim, before Holm.
#'
#' @param claim of `listed_claims`; `contrasts` its estimates; `cells` its experiment's cells
#' @return data.table, one row per variant and place; one row without place for a claim that can't be tested at all
claim_verdicts <- function(claim, contrasts, cells) {
  labels <- list(experiment = claim$experiment$id, claim = claim$id, measure = claim$measure, form = claim$form)
  nowhere <- stats::setNames(as.list(rep(NA_character_, 5)), c(place_columns, "variant"))
  if (is.null(claim$compare) && is.null(claim$ratios)) return(untestable_row(labels, nowhere, claim$reason))
  if (nrow(cells) == 0) return(untestable_row(labels, nowhere, "no round of this experiment was measured"))

  places <- unique(cells[, place_columns, with = FALSE])
  variants <- claim_variants(claim, contrasts, cells)
  rows <- lapply(seq_len(nrow(places)), function(i) {
    lapply(variants, function(label) {
      place <- c(as.list(places[i]), list(variant = label))
      here <- contrasts[as.data.table(place), on = names(place), nomatch = NULL]
      local <- cells[places[i], on = place_columns]
      local <- local[in_variant_rows(local, claim$each, label)]
      verdict_row(claim, labels, place, here, local)
    })
  })
  rbindlist(unlist(rows, recursive = FALSE), use.names = TRUE)
}

verdict_row <- function(claim, labels, place, here, cells) {
  usable <- if (nrow(here) == 0) here else here[used == TRUE & !is.na(ratio)]
  if (nrow(usable) == 0) return(untestable_row(labels, place, lacking_reason(claim, here, cells)))
  rest <- cells[cell %in% c(usable$numerator_cell, usable$denominator_cell)]
  note <- scope_words(claim$experiment, claim, rest)
  as.data.table(
    c(labels, place, summarise_contrasts(usable), list(verdict = "inconclusive", reason = "", covers = note))
  )
}

untestable_row <- function(labels, place, reason) {
  as.data.table(
    c(labels, place, no_contrasts, list(verdict = "not testable here", reason = reason %||% "", covers = ""))
  )
}

lacking_reason <- function(claim, here, cells) {
  absent <- absent_words(cells, claim)
  if (nzchar(absent)) return(sprintf("no cell of %s was measured here in this tier", absent))
  if (nrow(here) > 0 && any(here$forks_min < 2)) return("some cell has fewer than 2 forks, so no interval")
  "no setting has all the cells that the claim compares"
}

#' Variants of a claim that the data has anywhere; a single one without name if none.
claim_variants <- function(claim, contrasts, cells) {
  found <- contrasts$variant
  if (!is.null(claim$compare)) {
    compared <- stats::setNames(list(claim$compare$levels), claim$compare$factor)
    found <- c(found, variant_labels(claim$each, cells[matching(cells, claim$among) & matching(cells, compared)]))
  }
  found <- sort(unique(found), method = "radix")
  if (length(found) == 0) "" else found
}
