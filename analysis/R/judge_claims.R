# All claims of all experiments against the forks: contrasts and verdicts.

verdict_columns <- c(
  "verdict_id", "experiment", "claim", "variant", place_columns, "measure", "form", "verdict", "reason", "covers",
  "contrast", "estimate",
  "lower", "upper", "contrasts", "forks_min", "p", "p_holm"
)
contrast_columns <- c(
  "contrast", "experiment", "claim", "variant", place_columns, "measure", "scope", "numerator", "denominator",
  "numerator_cell", "denominator_cell", "ratio", "lower", "upper", "log_ratio", "se_log", "df", "paired_ratio",
  "paired_lower",
  "paired_upper", "blocks", "target_lower", "target_upper", "p_support", "p_refute"
)

#' Judge.
#'
#' @param forks the table `forks.csv`; `definitions` of definitions.json; `forms` of `claim_forms`
#' @return list of data.tables `contrasts`, `verdicts` as the dictionary has them
judge_claims <- function(forks, definitions, forms) {
  alpha <- definitions$settings$alpha %||% 0.05
  confidence <- definitions$settings$confidence %||% 0.95
  long <- forks_by_measure(forks)
  claims <- listed_claims(definitions, forms)
  contrasts <- lapply(claims, function(claim) {
    cells <- claim_cells(forks, claim)
    claim_contrasts(claim_pairs(cells, claim, forms[[claim$form]]), claim, long, confidence)
  })
  ends <- cumsum(vapply(contrasts, nrow, 0L))
  contrasts <- Map(function(rows, end) rows[, contrast := sprintf("c%d", end - .N + .I)], contrasts, ends)
  verdicts <- Map(function(claim, rows) claim_verdicts(claim, rows, claim_cells(forks, claim)), claims, contrasts)
  verdicts <- settle(rbindlist(verdicts, use.names = TRUE), alpha)
  verdicts[, reason := vapply(seq_len(.N), function(row) verdict_reason(verdicts[row]), "")]
  verdicts[, verdict_id := sprintf("v%d", .I)]
  contrasts <- rbindlist(contrasts, use.names = TRUE, fill = TRUE)
  contrasts[target_lower == 0, target_lower := NA][is.infinite(target_upper), target_upper := NA]
  list(contrasts = contrasts[, contrast_columns, with = FALSE], verdicts = verdicts[, verdict_columns, with = FALSE])
}

#' Every claim of every experiment in the order of the files, with its id, measure and experiment added.
listed_claims <- function(definitions, forms) {
  claims <- list()
  for (experiment in definitions$experiments) {
    for (id in names(experiment$claims)) {
      claim <- experiment$claims[[id]]
      if (!isTRUE(claim$form %in% names(forms))) {
        refuse(
          "definitions.json", sprintf("claim %s has form '%s'", id, claim$form %||% ""), some_of(names(forms)),
          "correct the claim"
        )
      }
      claim$measure <- claim$measure %||% experiment$measure
      claims[[length(claims) + 1]] <- c(claim, list(id = id, experiment = experiment))
    }
  }
  claims
}

#' The cells of a claim's experiment, one row each.
claim_cells <- function(forks, claim) {
  cells <- unique(
    forks[experiment == claim$experiment$id, cell_columns(forks), with = FALSE], by = c(place_columns, "cell")
  )
  setorderv(cells, c(place_columns, "cell"))
  # Factors in the order of the experiment file, which is the order of words in a sentence.
  factors <- intersect(column_of(names(claim$experiment$factors)), names(cells))
  setcolorder(cells, c(setdiff(names(cells), factors), factors))
  cells[]
}

#' Estimates of a claim's pairs; `used` where the pair's group is whole.
claim_contrasts <- function(pairs, claim, long, confidence) {
  if (is.null(pairs) || nrow(pairs) == 0) return(no_pairs())
  pairs[, `:=`(experiment = claim$experiment$id, claim = claim$id, measure = claim$measure)]
  pairs <- estimate_pairs(pairs, long, confidence)
  by <- c(place_columns, "variant", "group")
  pairs[, used := uniqueN(item[!is.na(ratio)]) == needed, by = by]
  setorderv(pairs, c(place_columns, "variant", "scope", "item", "numerator_cell", "denominator_cell"))
  pairs[]
}

#' The contrasts of a claim that has none: no row, all columns.
no_pairs <- function() {
  text <- c(
    "contrast", "experiment", "claim", "variant", place_columns, "measure", "scope", "numerator", "denominator",
    "numerator_cell", "denominator_cell"
  )
  columns <- lapply(contrast_columns, function(name) if (name %in% text) character() else numeric())
  as.data.table(stats::setNames(columns, contrast_columns))
}
