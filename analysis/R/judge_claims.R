# Contrasts and verdicts of all claims of all experiments, from the forks.

verdict_columns <- columns_of("verdicts.csv")
contrast_columns <- columns_of("contrasts.csv")

#' Judge all claims.
#'
#' @param forks the table `forks.csv`, of forks that count
#' @param definitions of definitions.json
#' @param pairs of `read_claim_pairs`
#'
#' @param observed the table `observed.csv`, for claims about other measures than time
#' @param calls the table `call_checks.csv`, for claims about single calls
#'
#' @param visits the table `observations.csv.gz`, for claims about counts
#' @param estimator function(pairs, forks of `forks_by_measure`, confidence) that estimates ratios as `estimate_pairs`
#'
#' @return list of data.tables `contrasts`, `verdicts` as the dictionary has them, and `open`.
#'
#'   `open` is for the next stage's plan: the verdicts with their `answer` and `tests`, and the contrasts in the strata
#'   of their verdicts
judge_claims <- function(
  forks, definitions, pairs, observed = NULL, calls = no_call_checks(), visits = NULL, estimator = estimate_pairs
) {
  alpha <- definitions$settings$alpha %||% 0.05
  confidence <- definitions$settings$confidence %||% 0.95
  forks <- with_programmes(forks, observed, definitions$experiments)
  long <- with_observed(forks_by_measure(forks), observed)
  claims <- listed_claims(definitions, pairs)
  environments <- environment_parts(definitions, unique(forks$environment))
  # Only times are shown of disturbed forks. Other measures have no state that would keep such forks from deciding.
  marked <- which(forks[["disturbed"]] %in% TRUE)
  counted <- forks
  if (length(marked) > 0) {
    lost <- unique(forks[marked, setdiff(cell_id, "measure"), with = FALSE])
    long <- rbind(long[measure %in% measures], long[!measure %in% measures][!lost, on = setdiff(cell_id, "measure")])
    counted <- forks[-marked]
  }
  cells <- unique(forks[, cell_columns(forks), with = FALSE], by = setdiff(cell_id, "measure"))
  states <- cell_states(forks)
  contrasts <- claim_contrasts(claims, long, cells, confidence, estimator)
  contrasts <- Map(function(claim, rows) with_comparable(rows, claim, long), claims, contrasts)
  contrasts <- rbindlist(if (length(claims) > 0) contrasts else list(no_pairs()), idcol = "claim_number", fill = TRUE)
  contrasts <- with_warm_up(contrasts, states)[, contrast := sprintf("c%d", .I)]
  of_claim <- split(seq_len(nrow(contrasts)), factor(contrasts$claim_number, seq_along(claims)))
  verdicts <- Map(function(claim, own) {
    switch(claim$decision$compares,
      calls = call_verdicts(claim, calls),
      counts = count_verdicts(claim, counted, observed, visits, environments),
      claim_verdicts(claim, contrasts[own], cells, environments)
    )
  }, claims, of_claim)
  contrasts[, claim_number := NULL]
  # Both tables have their columns even without any claim.
  verdicts <- rbindlist(c(list(no_verdicts()), verdicts), use.names = TRUE, fill = TRUE)
  # Verdicts on disturbed forks decide nothing, so they take no part in Holm's correction either.
  verdicts[unproven %in% TRUE & warm_up_why %in% disturbed_words, p := NA_real_]
  verdicts <- with_direction(adjust_holm(with_family(verdicts, definitions), alpha), alpha)
  verdicts <- with_agreement(with_causes(verdicts, alpha), claims)
  verdicts[, reason := vapply(seq_len(.N), function(row) verdict_reason(verdicts[row]), "")]
  verdicts[, verdict_id := sprintf("v%d", .I)]
  open <- list(verdicts = verdicts, contrasts = copy(contrasts))
  list(contrasts = stored_contrasts(contrasts), verdicts = verdicts[, verdict_columns, with = FALSE], open = open)
}

#' Verdicts with `family` and `family_tests`. Holm's adjustment is made within a family, which is a study and a
#' protocol. `family_tests` is its number of verdicts.
with_family <- function(verdicts, definitions) {
  studies <- study_ids(definitions$experiments)
  verdicts[, family := sprintf("%s, %s", studies[experiment], protocol)]
  verdicts[is.na(p), family := ""]
  verdicts[, family_tests := fifelse(is.na(p), 0L, .N), by = family][]
}

#' Contrasts in the form of contrasts.csv. Open ends of targets are empty. The environment and the CPU profile are those
#' of both cells. Where these differ, the values of the stratum stay.
stored_contrasts <- function(contrasts) {
  if (nrow(contrasts) == 0) return(as.data.table(sapply(contrast_columns, function(column) character())))
  contrasts[target_lower == 0 & ratio_scale, target_lower := NA][is.infinite(target_upper), target_upper := NA]
  contrasts[numerator_environment == denominator_environment & numerator_image_id == denominator_image_id, `:=`(
    environment = numerator_environment, image_id = numerator_image_id
  )]
  contrasts[!is.na(setting) & nzchar(setting), cpu_profile := own_profile]
  for (name in setdiff(c("intercept", "slope"), names(contrasts))) set(contrasts, j = name, value = NA_real_)
  contrasts[, contrast_columns, with = FALSE]
}
