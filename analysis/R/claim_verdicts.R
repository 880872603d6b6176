# The verdict rows of one claim: every variant in every place that was measured.

#' Verdict rows of a claim, before Holm.
#'
#' @param claim of `listed_claims`; `form` its form; `contrasts` its estimates; `cells` of `claim_cells`; `environments`
#'   of `environment_parts`
#' @return data.table, one row per variant and place; one row without place for a claim that can't be tested at all. A
#'   claim that compares across places has rows only for those that have something to compare.
claim_verdicts <- function(claim, form, contrasts, cells, environments) {
  labels <- list(experiment = claim$experiment$id, claim = claim$id, measure = claim$measure, form = claim$form)
  nowhere <- stats::setNames(as.list(rep(NA_character_, length(place_columns) + 1)), c(place_columns, "variant"))
  if (form$compares == "nothing") return(untestable_row(labels, nowhere, claim$reason))
  # A claim with another clock on one platform has nothing to say of it where it was not measured.
  if (nrow(cells) == 0 && !is.null(claim$on_platform)) return(no_verdicts())
  if (nrow(cells) == 0) {
    return(untestable_row(labels, nowhere, "no round of this experiment was measured, or gates broke every fork"))
  }
  places <- unique(cells[, place_columns, with = FALSE])
  protocols <- claim_protocols(claim)
  if (!is.null(protocols)) places <- places[protocol %in% protocols]
  if (length(freed_parts(claim)) > 0) {
    places <- unique(contrasts[, place_columns, with = FALSE])[places, on = place_columns, nomatch = NULL]
    if (nrow(places) == 0) return(untestable_row(labels, nowhere, nowhere_reason(cells, claim, environments)))
  }
  variants <- claim_variants(claim, contrasts, cells)
  keyed <- function(table, ...) {
    split(table, do.call(paste, c(table[, c(place_columns, ...), with = FALSE], sep = "\r")))
  }
  of_variant <- keyed(contrasts, "variant")
  of_place <- keyed(cells)
  rows <- lapply(seq_len(nrow(places)), function(i) {
    key <- do.call(paste, c(places[i], sep = "\r"))
    lapply(variants, function(label) {
      here <- of_variant[[paste(key, label, sep = "\r")]] %||% contrasts[0]
      place <- c(as.list(places[i]), list(variant = label))
      verdict_row(claim, form, labels, place, here, of_place[[key]], environments)
    })
  })
  rbindlist(unlist(rows, recursive = FALSE), use.names = TRUE, fill = TRUE)
}

#' The verdict of a variant in a place.
#'
#' @param here its contrasts; `cells` all that the claim has in this place, of other variants too
verdict_row <- function(claim, form, labels, place, here, cells, environments) {
  measured <- unique(cells$workload)
  cells <- cells[in_variant_rows(cells, claim$each, place$variant)]
  usable <- if (nrow(here) == 0) here else here[used == TRUE & !is.na(ratio)]
  if (nrow(usable) == 0) {
    caveat <- caveats_of(environments, unique(cells$own_environment))
    return(untestable_row(labels, place, lacking_reason(claim, here, cells), caveat))
  }
  comparable <- usable[!nzchar(excluded)]
  featured <- if (form$featured) usable[nzchar(featured)] else usable[0]
  if (form$featured) comparable <- comparable[!nzchar(featured)]
  both <- c("numerator", "denominator")
  used <- rbindlist(lapply(both, function(which) side_of(usable, which)[, side_columns, with = FALSE]))[nzchar(cell)]
  rest <- cells[used, on = c(own_environment = "environment", own_image_id = "image_id", cell = "cell"), mult = "first"]
  scope <- scope_words(claim$experiment, claim, rest, measured, form$partial, environments)
  covers <- c(scope, featured_sentence(featured))
  told <- list(
    verdict = "inconclusive", reason = "", covers = paste(covers[nzchar(covers)], collapse = "; "),
    caveat = caveats_of(environments, unique(used$environment))
  )
  summary <- summarise_contrasts(if (nrow(comparable) > 0) comparable else usable)
  if (form$reversed) summary$direction <- setdiff(c("supported", "refuted"), summary$direction)
  if (!form$judged || nrow(comparable) == 0) {
    told[c("verdict", "reason")] <- unjudged(claim, form, usable, summary)
    summary[c("p", "unsettled")] <- list(NA_real_, FALSE)
  }
  as.data.table(c(labels, place, summary, told))
}

#' The verdict and the reason of what is estimated and not judged: a question, pairs that the claim excepts, or what
#' can't be held against the study's number.
unjudged <- function(claim, form, usable, summary) {
  here <- sprintf(
    "Here: %s, interval %s to %s%s%s", summary$sentence, format_plain(summary$lower), format_plain(summary$upper),
    if (nrow(usable) > 1) sprintf("; %d estimates in all", nrow(usable)) else "",
    if (summary$unsettled) sprintf("; not settled (%s)", summary$settled_why) else ""
  )
  if (!form$judged) {
    asked <- claim$reason %||% "a question, without a number to hold against"
    return(list("not testable here", paste0(asked, ". ", here)))
  }
  excluded <- usable$excluded[nzchar(usable$excluded)]
  if (length(excluded) > 0) return(list("not comparable", paste0(excluded[1], ". ", here)))
  list("not testable here", "every pair uses features of the CPU, which the claim excepts")
}

untestable_row <- function(labels, place, reason, caveat = "") {
  told <- list(verdict = "not testable here", reason = reason %||% "", covers = "", caveat = caveat)
  as.data.table(c(labels, place, no_contrasts, told))
}

#' The rows of no claim at all.
no_verdicts <- function() {
  labels <- stats::setNames(as.list(rep("", 4)), c("experiment", "claim", "measure", "form"))
  nowhere <- stats::setNames(as.list(rep("", length(place_columns) + 1)), c(place_columns, "variant"))
  blank <- untestable_row(labels, nowhere, "")[0]
  numbers <- c("gap", "spread", "df", "reach", "tests")
  blank[, c(numbers) := numeric()][, c("close", "misfit") := logical()][]
}

lacking_reason <- function(claim, here, cells) {
  absent <- absent_words(cells, claim)
  if (nzchar(absent)) return(sprintf("no cell of %s was measured here in this tier", absent))
  observed <- setdiff(claim[["measures"]], names(measures))
  if (length(observed) > 0 && nrow(here) > 0 && all(here$forks_min == 0)) {
    return(sprintf("no fork of the cells observed %s", format_list(observed, "or")))
  }
  if (nrow(here) > 0 && any(here$forks_min < 2)) return("some cell has fewer than 2 forks, so no interval")
  "no setting has all the cells that the claim compares"
}

#' Variants of a claim that the data has anywhere, in the order of the definitions; a single one without name if none.
claim_variants <- function(claim, contrasts, cells) {
  found <- contrasts$variant
  if (!is.null(claim$compare)) {
    compared <- stats::setNames(list(claim$compare$levels), claim$compare$factor)
    found <- c(found, variant_labels(claim$each, cells[matching(cells, claim$among) & matching(cells, compared)]))
  }
  found <- unique(found)
  if (length(found) == 0) "" else found[variant_order(found, claim$experiment)]
}

#' Order of variants (`provider=sunjce, size=1 MB`): by the places of their levels in the experiment's lists, then by
#' their text.
variant_order <- function(variants, experiment) {
  ranks <- lapply(strsplit(variants, ", ", fixed = TRUE), function(parts) {
    vapply(parts, function(part) {
      name <- sub("=.*", "", part)
      levels <- if (name == "provider") unlist(experiment$providers) else names(experiment$factors[[name]])
      match(sub("^[^=]*=", "", part), levels, nomatch = 0L)
    }, 0L)
  })
  columns <- lapply(seq_len(max(lengths(ranks), 0L)), function(i) {
    vapply(ranks, function(rank) if (length(rank) < i) 0L else rank[[i]], 0L)
  })
  do.call(order, c(unname(columns), list(variants), method = "radix"))
}
