# The rows of claim_pairs.csv: which cells each claim compares, for which verdict. Python resolves claims
# (bench/jcarerun/plan/claim_resolver.py); here rows are only estimated and judged.

#' Its columns with their types.
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

#' Every claim in the order of the rows, with its id, its experiment, its rows as `pairs`, and `measures`, what it is
#' judged on; `measure` is their names in one. A claim with another measure on one platform stands twice.
#'
#' @param definitions of definitions.json; `pairs` of `read_claim_pairs`
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

#' What claims are counted by: `P7a` and `P7b` are parts of the ledger's P7.
ledger_id <- function(claim) sub("[a-z]$", "", claim)

#' A claim's rows whose cells both have forks; of a partial form only pairs that have them in all of their settings,
#' and `needed` counts these.
#'
#' @param claim of `listed_claims`; `cells` the cells that have forks, with the keys of forks
pairs_with_forks <- function(claim, cells) {
  rows <- claim$pairs[nzchar(numerator_cell)]
  found <- lapply(c("numerator", "denominator"), function(which) {
    side <- side_of(rows, which)
    key <- setdiff(cell_id, "measure")
    !nzchar(side$cell) | !is.na(cells[side, on = key, which = TRUE, mult = "first"])
  })
  rows[, there := found[[1]] & found[[2]]]
  if (claim$decision$partial) {
    rows[, there := all(there), by = pair]
    rows <- rows[there == TRUE]
    rows[, needed := uniqueN(item), by = group]
  }
  rows[there == TRUE, !"there"]
}

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

# Which contrasts can be held against the study's number: not those whose conditions leave out what it was made of.

#' Contrasts with `excluded`: why they are not comparable, empty for those that are. Rows say it of variants that the
#' claim excludes (`not_comparable`); here it is added for what cells observed.
#'
#' @param contrasts of `claim_contrasts`; `claim` with its `comparable_if`; `long` as for `claim_contrasts`
with_comparable <- function(contrasts, claim, long) {
  # Not within the table, where `claim` is a column.
  left <- which(!nzchar(contrasts$excluded))
  if (!is.null(claim$comparable_if) && length(left) > 0) {
    set(contrasts, left, "excluded", observed_exclusion(contrasts[left], claim$comparable_if, long))
  }
  contrasts[]
}

#' What is wrong with the cells of contrasts by a measure that they observed; empty where nothing is. A cell that did
#' not observe it can't vouch for its comparison.
observed_exclusion <- function(contrasts, condition, long) {
  key <- setdiff(cell_id, "measure")
  observed <- long[measure == condition$measure, .(value = mean(mean_ns)), by = key]
  values <- lapply(c("numerator", "denominator"), function(which) {
    observed[side_of(contrasts, which)[, key, with = FALSE], on = key]$value
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

#' Verdicts of claims with `agree_across`: not comparable where the levels of that factor were decided differently, with
#' what each gave, since the study does not say which of them it is about.
#'
#' @param verdicts after Holm, with `reason` still to come; `claims` of `listed_claims`
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
      # What does not hold may or may not have the study's direction: it contradicts only what holds.
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
