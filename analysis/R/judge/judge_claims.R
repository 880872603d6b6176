# All claims of all experiments against the forks: contrasts and verdicts.

verdict_columns <- c(
  "verdict_id", "experiment", "claim", "variant", place_columns, "measure", "form", "verdict", "reason", "covers",
  "caveat", "contrast", "estimate", "lower", "upper", "contrasts", "forks_min", "settled", "turning", "p", "p_holm"
)
contrast_columns <- c(
  "contrast", "experiment", "claim", "variant", place_columns, "measure", "scope", "numerator", "denominator",
  "numerator_environment", "denominator_environment", "numerator_image_id", "denominator_image_id",
  "numerator_cell", "denominator_cell", "ratio", "lower", "upper", "log_ratio", "se_log", "df", "paired_ratio",
  "paired_lower", "paired_upper", "blocks", "target_lower", "target_upper", "settled", "turning", "pilot_reach",
  "p_support", "p_refute", "intercept", "slope"
)

#' Judge.
#'
#' @param forks the table `forks.csv`, of forks that count; `definitions` of definitions.json; `forms` of `claim_forms`
#' @param observed the table `observed.csv`, for claims about other measures than time; `checks` the table
#'   `iteration_checks.csv`, for claims about iterations
#' @param restate function(contrasts, forks of `forks_by_measure`, confidence) that makes the intervals of ratios anew
#' @return list of data.tables `contrasts`, `verdicts` as the dictionary has them
judge_claims <- function(
  forks, definitions, forms, observed = NULL, checks = data.table(experiment = character()), restate = NULL
) {
  alpha <- definitions$settings$alpha %||% 0.05
  confidence <- definitions$settings$confidence %||% 0.95
  long <- with_observed(forks_by_measure(forks), observed)
  claims <- listed_claims(definitions, forms)
  environments <- environment_parts(definitions, unique(forks$environment))
  cells <- lapply(claims, function(claim) claim_cells(forks, claim, environments))
  states <- cell_states(forks)
  contrasts <- Map(function(claim, cells) {
    form <- forms[[claim$form]]
    with_settled(claim_contrasts(claim_pairs(cells, claim, form), claim, form, long, confidence, restate), states)
  }, claims, cells)
  ends <- cumsum(vapply(contrasts, nrow, 0L))
  contrasts <- Map(function(rows, end) rows[, contrast := sprintf("c%d", end - .N + .I)], contrasts, ends)
  verdicts <- Map(function(claim, rows, cells) {
    form <- forms[[claim$form]]
    if (form$compares == "iterations") return(iteration_verdicts(claim, form, checks))
    claim_verdicts(claim, form, rows, cells, environments)
  }, claims, contrasts, cells)
  # Without any claim too both tables have their columns.
  verdicts <- settle(rbindlist(c(list(no_verdicts()), verdicts), use.names = TRUE), alpha)
  verdicts[, reason := vapply(seq_len(.N), function(row) verdict_reason(verdicts[row]), "")]
  verdicts[, verdict_id := sprintf("v%d", .I)]
  contrasts <- stored_contrasts(rbindlist(contrasts, use.names = TRUE, fill = TRUE))
  list(contrasts = contrasts, verdicts = verdicts[, verdict_columns, with = FALSE])
}

#' Contrasts as contrasts.csv has them: open targets empty; the environment and the CPU profile are those of both cells,
#' and what a claim leaves open where they differ.
stored_contrasts <- function(contrasts) {
  if (nrow(contrasts) == 0) return(as.data.table(sapply(contrast_columns, function(column) character())))
  contrasts[target_lower == 0, target_lower := NA][is.infinite(target_upper), target_upper := NA]
  contrasts[numerator_environment == denominator_environment & numerator_image_id == denominator_image_id, `:=`(
    environment = numerator_environment, image_id = numerator_image_id
  )]
  contrasts[!is.na(setting) & nzchar(setting), cpu_profile := own_profile]
  for (name in setdiff(c("intercept", "slope"), names(contrasts))) set(contrasts, j = name, value = NA_real_)
  contrasts[, contrast_columns, with = FALSE]
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
      claim$each <- open_parts(claim)
      claims[[length(claims) + 1]] <- c(claim, list(id = id, experiment = experiment))
    }
  }
  claims
}

#' Estimates of a claim's pairs; `used` where the pair's group is whole.
claim_contrasts <- function(pairs, claim, form, long, confidence, restate = NULL) {
  if (is.null(pairs) || nrow(pairs) == 0) return(no_pairs())
  pairs[, `:=`(experiment = claim$experiment$id, claim = claim$id, measure = claim$measure)]
  if (form$compares == "series") {
    pairs <- estimate_series(pairs, long, claim$parameters, confidence)
  } else {
    pairs <- estimate_pairs(pairs, long, confidence)
    if (!is.null(restate)) pairs <- restate(pairs, long, confidence)
  }
  by <- c(place_columns, "variant", "group")
  pairs[, used := uniqueN(item[!is.na(ratio)]) == needed, by = by]
  setorderv(pairs, c(
    place_columns, "variant", "joint_scope", "item", "scope", "numerator_environment", "denominator_environment",
    "numerator_cell", "denominator_cell"
  ))
  if (!form$across) return(pairs[, pair := as.character(.I)][])
  pairs[, pair := as.character(.GRP), by = c(place_columns, "variant", "pair")]
  pairs[, c("p_support", "p_refute") := order_p_values(log_ratio, se_log, df), by = pair]
  pairs[]
}

#' The contrasts of a claim that has none: no row, all columns.
no_pairs <- function() {
  text <- c(
    "contrast", "experiment", "claim", "variant", place_columns, "measure", "scope", "numerator", "denominator",
    paste0("numerator_", side_columns), paste0("denominator_", side_columns), "setting", "own_profile"
  )
  all <- union(contrast_columns, text)
  columns <- lapply(all, function(name) if (name %in% text) character() else numeric())
  as.data.table(stats::setNames(columns, all))
}

#' A claim's `each` without the parts of a place that every verdict has anyway.
open_parts <- function(claim) {
  each <- as.character(unlist(claim$each))
  told <- part_named(each)
  each[is.na(told) | told %in% freed_parts(claim)]
}
