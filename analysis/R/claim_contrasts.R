# The estimates of a claim's pairs.

#' Estimates of a claim's pairs.
#'
#' @param claim of `listed_claims`; `long` of `forks_by_measure`, with what was observed; `cells` those that have forks;
#'   `estimator` as for `judge_claims`
#' @return the claim's rows with their estimates; `used` where all pairs of the group have one; `p_alike` where the
#'   claim has `alike` and compares levels: small where the two are within that factor of each other
claim_contrasts <- function(claim, long, cells, confidence, estimator = estimate_pairs) {
  pairs <- pairs_with_forks(claim, cells)
  if (nrow(pairs) == 0 || claim$decision$compares %in% c("calls", "counts")) return(no_pairs())
  compares <- claim$decision$compares
  if (compares == "series") {
    pairs <- estimate_series(pairs, looked_at_once(long), claim$parameters, confidence)
  } else if (compares == "differences") {
    points <- claim$parameters$points %||% 1
    pairs <- estimate_pairs(
      pairs, copy(long)[, mean_ns := mean_ns * points], confidence, scale = pair_scales$difference
    )
  } else {
    pairs <- estimator(pairs, long, confidence)
  }
  pairs[, used := uniqueN(item[!is.na(ratio)]) == needed, by = .(verdict, group)]
  a_ratio <- compares != "differences" && is.null(claim$parameters$intercept)
  pairs[, `:=`(p_alike = NA_real_, alike = NA_real_, ratio_scale = a_ratio)]
  alike <- claim$parameters$alike
  if (compares == "levels" && !is.null(alike)) {
    near <- target_p_values(pairs$log_ratio, pairs$se_log, pairs$df, 1 / alike, alike)$p_support
    set(pairs, j = c("p_alike", "alike"), value = list(near, alike))
  }
  if (!claim$decision$across) return(pairs[])
  limit <- if (compares == "steps") alike else 1
  pairs[, c("p_support", "p_refute") := kept_p_values(log_ratio, se_log, df, limit), by = pair]
  pairs[]
}

#' Forks of a number that was fixed before anything was seen: a curve has no test for each stage.
looked_at_once <- function(long) if (any(long$looks > 1L)) long[stage == 1L] else long

#' The contrasts of a claim that has none: no row, all columns.
no_pairs <- function() {
  types <- pair_types()
  more <- setdiff(contrast_columns, names(types))
  types <- c(types, typed("n", setdiff(more, c("contrast", "method"))), typed("c", "contrast", "method"))
  with_columns(as.data.table(sapply(names(types), function(name) character(), simplify = FALSE)), types)
}
