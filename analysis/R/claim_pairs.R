# The rows of claim_pairs.csv: which cells each claim compares, for which verdict. Python resolves claims
# (bench/jcarerun/plan/claim_resolver.py); here rows are only estimated and judged.

#' Columns of the table claim_pairs.csv with their types.
pair_types <- function() column_types("claim_pairs.csv")

#' The table claim_pairs.csv.
#'
#' @section Errors: refuses a missing file and missing columns.
read_claim_pairs <- function(path) {
  if (!file.exists(path)) refuse(path, "is missing", "a table of the tidy directory", "run the step before this one")
  types <- pair_types()
  table <- read_csv_strictly(path, types = list(character = names(types)[types == "c"]))
  lacking <- setdiff(names(types), names(table))
  if (length(lacking) > 0) {
    refuse(path, paste("lacks column", some_of(lacking)), "the columns of data/README.md", "make the tables anew")
  }
  with_columns(table, types)[]
}

#' Every claim in the order of the rows, with its id and its experiment. A claim with another measure on one platform
#' occurs twice. `pairs` are its rows, `measures` its measures, and `measure` their names in one text.
#'
#' @section Errors: refuses rows of a claim that the definitions lack.
listed_claims <- function(definitions, pairs) {
  experiments <- stats::setNames(definitions$experiments, vapply(definitions$experiments, `[[`, "", "id"))
  lapply(unname(split(pairs, by = c("experiment", "claim", "measures"), sorted = FALSE)), function(rows) {
    experiment <- experiments[[rows$experiment[1]]]
    claim <- experiment$claims[[rows$claim[1]]]
    if (is.null(claim$decision)) {
      refuse("claim_pairs.csv", paste("has claim", rows$claim[1]), "claims of definitions.json", "make both anew")
    }
    claim$measures <- strsplit(rows$measures[1], ";", fixed = TRUE)[[1]]
    claim$measure <- rows$measures[1]
    c(claim, list(id = rows$claim[1], experiment = experiment, pairs = rows))
  })
}

#' The id by which claims are counted: `P7a` and `P7b` are parts of the ledger's P7.
ledger_id <- function(claim) sub("[a-z]$", "", claim)

#' The rows of claims whose cells both have forks, in one table. In a partial form, only pairs that have forks in all of
#' their settings remain, and `needed` counts these.
#'
#' @param cells the cells that have forks, with the keys of forks
#' @return the rows with `claim_number`, the place of their claim among `claims`; with what it `compares`; and with the
#'   columns of `with_sides`
pairs_with_forks <- function(claims, cells) {
  rows <- rbindlist(lapply(claims, `[[`, "pairs"), idcol = "claim_number")[nzchar(numerator_cell)]
  found <- lapply(c("numerator", "denominator"), function(which) {
    side <- side_of(rows, which)
    !nzchar(side$cell) | !is.na(cells[side, on = measured_cell, which = TRUE, mult = "first"])
  })
  rows[, there := found[[1]] & found[[2]]]
  partial <- which(vapply(claims, function(claim) isTRUE(claim$decision$partial), TRUE))
  rows[claim_number %in% partial, there := all(there), by = .(claim_number, pair)]
  rows <- rows[there == TRUE, !"there"]
  rows[claim_number %in% partial, needed := uniqueN(item), by = .(claim_number, group)]
  neutral <- vapply(claims, function(claim) as.double(claim$decision$neutral %||% NA), 0)
  rows[, compares := vapply(claims, function(claim) claim$decision$compares, "")[claim_number]]
  with_sides(rows, neutral[rows$claim_number], rows$compares == "differences")
}

# The estimates of claims' pairs.

#' Estimates of the pairs of claims. Ratios are estimated for all claims of an experiment at once, since one large table
#' takes less time than many small ones. Claims about calls and counts have no estimates here.
#'
#' @param estimator as for `judge_claims`
#'
#' @return list with a data.table for each claim: its rows with their estimates; `used` where all pairs of the group
#'   have one. If the claim has `alike` and compares levels, `p_alike` is small where the two are within that factor of
#'   each other
claim_contrasts <- function(claims, long, cells, confidence, estimator = estimate_pairs) {
  if (length(claims) == 0) return(list())
  pairs <- pairs_with_forks(claims, cells)
  no_ratio <- pairs$compares %in% c("series", "differences")
  ratios <- split(pairs[!no_ratio & !compares %in% c("calls", "counts")], by = "experiment")
  others <- split(pairs[no_ratio], by = "claim_number")
  estimated <- rbindlist(c(
    list(pairs[0]), lapply(ratios, estimator, long, confidence),
    lapply(others, function(rows) own_estimate(claims[[rows$claim_number[1]]], rows, long, confidence))
  ), use.names = TRUE, fill = TRUE)
  estimated[, compares := NULL]
  own <- split(estimated, by = "claim_number", keep.by = FALSE)[as.character(seq_along(claims))]
  none <- no_pairs()
  Map(function(claim, rows) if (is.null(rows)) copy(none) else with_use(claim, rows), claims, unname(own))
}

#' The estimates of a claim's series, or of differences of its pairs.
own_estimate <- function(claim, pairs, long, confidence) {
  if (claim$decision$compares == "series") {
    return(estimate_series(pairs, looked_at_once(long), claim$parameters, confidence))
  }
  points <- claim$parameters$points %||% 1
  estimate_pairs(pairs, copy(long)[, mean_ns := mean_ns * points], confidence, scale = pair_scales$difference)
}

#' A claim's estimated rows with `used`, and with the p values that depend on the claim.
with_use <- function(claim, pairs) {
  compares <- claim$decision$compares
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

#' Pairs with the side of `neutral` that their claim asserts, from `side_lower` to `side_upper`.
#'
#' The column `sized` is TRUE where the target asserts more than this side. For example, "about 10 times" lies above 1
#' and is sized; "faster" only means below 1. The side is NA where the target contains the neutral value, as in "no
#' difference", or where there is no target.
#'
#' @param neutral for each row or for all of them: 1 for a ratio, 0 for a difference, NA where there is none
#' @param open_below whether the lower end is -Inf, for each row or for all of them
with_sides <- function(pairs, neutral, open_below = FALSE) {
  least <- fifelse(open_below, -Inf, 0)
  pairs[, `:=`(
    side_lower = fcase(target_lower >= neutral, neutral, target_upper <= neutral, least, default = NA_real_),
    side_upper = fcase(target_lower >= neutral, Inf, target_upper <= neutral, neutral, default = NA_real_)
  )]
  pairs[, sized := target_lower > side_lower | target_upper < side_upper][]
}

#' Forks of stage one only, whose number was fixed in advance: a curve has no test for several interim analyses.
looked_at_once <- function(long) if (any(long$looks > 1L)) long[stage == 1L] else long

#' The contrasts of a claim that has none: zero rows, all columns.
no_pairs <- function() {
  types <- pair_types()
  more <- setdiff(contrast_columns, names(types))
  types <- c(types, typed("n", setdiff(more, c("contrast", "method"))), typed("c", "contrast", "method"))
  types <- c(types, typed("n", "side_lower", "side_upper", "p_same", "p_opposite"), typed("l", "sized"))
  with_columns(no_rows(names(types)), types)
}

# Which contrasts can be compared with the study's number. They are excluded if their conditions lack a cause of it.

#' Contrasts with `excluded`: the reason why they are not comparable, empty for those that are. Rows already have it for
#' variants that the claim excludes (`not_comparable`). This function adds exclusions by observed measures.
#'
#' @param contrasts from `claim_contrasts`
#' @param claim with its `comparable_if`
with_comparable <- function(contrasts, claim, long) {
  # Outside of the table, where `claim` is a column.
  left <- which(!nzchar(contrasts$excluded))
  if (!is.null(claim$comparable_if) && length(left) > 0) {
    set(contrasts, left, "excluded", observed_exclusion(contrasts[left], claim$comparable_if, long))
  }
  contrasts[]
}

#' Why an observed measure makes the cells of contrasts not comparable; empty where it does not. A cell without the
#' observed measure does not meet the condition.
observed_exclusion <- function(contrasts, condition, long) {
  observed <- long[measure == condition$measure, .(value = mean(mean_ns)), by = measured_cell]
  values <- lapply(c("numerator", "denominator"), function(which) {
    observed[side_of(contrasts, which)[, measured_cell, with = FALSE], on = measured_cell]$value
  })
  above <- !is.null(condition$above)
  limit <- if (above) condition$above else condition$below
  good <- lapply(values, function(value) !is.na(value) & (if (above) value > limit else value < limit))
  # A pair without a second cell is judged by its first.
  good[[2]][!nzchar(contrasts$denominator_cell)] <- condition$cells == "all"
  fine <- if (condition$cells == "all") good[[1]] & good[[2]] else good[[1]] | good[[2]]
  text <- sprintf(
    "%s%s is %s%s, not %s %s%s", if (is.null(condition$reason)) "" else paste0(condition$reason, ": "),
    measure_phrase(condition$measure), format_plain(values[[1]]),
    fifelse(nzchar(contrasts$denominator_cell), paste(" and", format_plain(values[[2]])), ""),
    if (above) "above" else "below", format_plain(limit),
    fifelse(nzchar(contrasts$denominator_cell), if (condition$cells == "all") " in both" else " in either", "")
  )
  fifelse(fine, "", text)
}

#' Verdicts of claims with `agree_across`. They become not comparable where the levels of that factor were decided
#' differently, since the study does not state the level. The reason lists the verdict of each level.
#'
#' @param verdicts after Holm's correction, with `reason` still to be added
with_agreement <- function(verdicts, claims) {
  for (claim in Filter(function(claim) !is.null(claim$agree_across), claims)) {
    factor <- claim$agree_across
    own <- which(
      verdicts$experiment == claim$experiment$id & verdicts$claim == claim$id & verdicts$measure == claim$measure
    )
    parts <- variant_levels(verdicts$variant[own])
    level <- vapply(parts, function(part) fcoalesce(unname(part[factor]), ""), "")
    rest <- vapply(parts, function(part) {
      others <- part[names(part) != factor]
      paste0(names(others), "=", others, recycle0 = TRUE, collapse = ", ")
    }, "")
    groups <- split(own, do.call(paste, c(verdicts[own, place_columns, with = FALSE], list(rest, sep = "\r"))))
    for (rows in groups) {
      rows <- rows[!verdicts$verdict[rows] %in% unjudged_kinds]
      decided <- rows[verdicts$verdict[rows] %in% decided_kinds]
      # `does-not-hold` leaves the direction open, so it contradicts only `holds`.
      kinds <- unique(verdicts$verdict[decided])
      if (length(kinds) < 2 || (length(kinds) == 2 && "does-not-hold" %in% kinds && !"holds" %in% kinds)) next
      levels <- split(level[match(decided, own)], factor(verdicts$verdict[decided], intersect(decided_kinds, kinds)))
      text <- sprintf(
        "the answer depends on the %s, which the study does not state: %s", gsub("-", " ", factor),
        paste(describe_verdict(names(levels)), "for", vapply(levels, format_list, ""), collapse = "; ")
      )
      sentence <- verdicts$sentence[rows]
      here <- paste0(text, fifelse(is.na(sentence), "", paste(". Here:", sentence)))
      set(verdicts, rows, c("verdict", "reason"), list("not-comparable", here))
      set(verdicts, rows, c("direction", "size", "cause"), list("", "", ""))
    }
  }
  verdicts[]
}
