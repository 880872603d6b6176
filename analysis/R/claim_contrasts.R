# The estimates of a claim's pairs.

#' Estimates of a claim's pairs.
#'
#' @param pairs of `claim_pairs`; `claim` of `listed_claims`; `form` of `claim_forms`; `long` of `forks_by_measure`,
#'   with what was observed; `estimator` as for `judge_claims`
#' @return `pairs` with their estimates; `used` where the pair's group is whole; `excluded` empty, see
#'   `with_comparable`; `p_alike` where the claim has `alike` and compares levels: small where the two are within that
#'   factor of each other
claim_contrasts <- function(pairs, claim, form, long, confidence, estimator = estimate_pairs) {
  if (is.null(pairs) || nrow(pairs) == 0) return(no_pairs())
  pairs <- by_measure(pairs, claim[["measures"]] %||% claim$measure)
  pairs[, `:=`(experiment = claim$experiment$id, claim = claim$id)]
  if (form$compares == "series") {
    pairs <- estimate_series(pairs, looked_at_once(long), claim$parameters, confidence)
  } else if (form$compares == "differences") {
    points <- claim$parameters$points %||% 1
    pairs <- estimate_pairs(
      pairs, copy(long)[, mean_ns := mean_ns * points], confidence, scale = pair_scales$difference
    )
  } else {
    pairs <- estimator(pairs, long, confidence)
  }
  by <- c(place_columns, "variant", "group")
  pairs[, used := uniqueN(item[!is.na(ratio)]) == needed, by = by]
  setorderv(pairs, c(
    place_columns, "variant", "joint_scope", "item", "scope", "numerator_environment", "denominator_environment",
    "numerator_cell", "denominator_cell"
  ))
  a_ratio <- form$compares != "differences" && is.null(claim$parameters$intercept)
  pairs[, `:=`(excluded = "", p_alike = NA_real_, alike = NA_real_, ratio_scale = a_ratio)]
  alike <- claim$parameters$alike
  if (form$compares == "levels" && !is.null(alike)) {
    near <- target_p_values(pairs$log_ratio, pairs$se_log, pairs$df, 1 / alike, alike)$p_support
    set(pairs, j = c("p_alike", "alike"), value = list(near, alike))
  }
  if (!form$across) return(pairs[, pair := as.character(.I)][])
  pairs[, pair := as.character(.GRP), by = c(place_columns, "variant", "pair")]
  limit <- if (form$compares == "steps") alike else 1
  pairs[, c("p_support", "p_refute") := kept_p_values(log_ratio, se_log, df, limit), by = pair]
  pairs[]
}

#' Forks of a number that was fixed before anything was seen: a curve has no test for each stage.
looked_at_once <- function(long) if (any(long$looks > 1L)) long[stage == 1L] else long

#' Pairs for every measure of a claim; those of one measure are a group, since each has cells of its own.
by_measure <- function(pairs, measures) {
  if (length(measures) == 1) return(copy(pairs)[, measure := measures])
  rbindlist(lapply(measures, function(name) {
    copy(pairs)[, `:=`(measure = name, group = paste(group, name, sep = "\r"), pair = paste(pair, name, sep = "\r"))]
  }))
}

#' The contrasts of a claim that has none: no row, all columns.
no_pairs <- function() {
  text <- c(
    "contrast", "experiment", "claim", "variant", place_columns, "measure", "scope", "numerator", "denominator",
    paste0("numerator_", side_columns), paste0("denominator_", side_columns), "setting", "own_profile",
    "excluded", "method"
  )
  all <- union(contrast_columns, text)
  columns <- lapply(all, function(name) if (name %in% text) character() else numeric())
  as.data.table(stats::setNames(columns, all))
}
