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
  pairs <- with_sides(pairs, claim$decision$neutral, compares == "differences")
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
  for (name in setdiff(c("p_same", "p_opposite"), names(pairs))) set(pairs, j = name, value = NA_real_)
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

#' Pairs with the side of `neutral` on which their claim puts them, `side_lower` to `side_upper`, and whether its target
#' says more than that, `sized`: "about 10 times" lies above 1, "faster" says no more than below 1. NA where the target
#' holds the neutral value within it, as "no difference" does, or where there is none.
#'
#' @param neutral 1 of a ratio, 0 of a difference, NULL of what has none; `open_below` whether the lower end is -Inf
with_sides <- function(pairs, neutral, open_below = FALSE) {
  neutral <- as.double(neutral %||% NA)
  least <- if (open_below) -Inf else 0
  pairs[, `:=`(
    side_lower = fcase(target_lower >= neutral, neutral, target_upper <= neutral, least, default = NA_real_),
    side_upper = fcase(target_lower >= neutral, Inf, target_upper <= neutral, neutral, default = NA_real_)
  )]
  pairs[, sized := target_lower > side_lower | target_upper < side_upper][]
}

#' Forks of a number that was fixed before anything was seen: a curve has no test for each stage.
looked_at_once <- function(long) if (any(long$looks > 1L)) long[stage == 1L] else long

#' The contrasts of a claim that has none: no row, all columns.
no_pairs <- function() {
  types <- pair_types()
  more <- setdiff(contrast_columns, names(types))
  types <- c(types, typed("n", setdiff(more, c("contrast", "method"))), typed("c", "contrast", "method"))
  types <- c(types, typed("n", "side_lower", "side_upper", "p_same", "p_opposite"), typed("l", "sized"))
  with_columns(as.data.table(sapply(names(types), function(name) character(), simplify = FALSE)), types)
}
