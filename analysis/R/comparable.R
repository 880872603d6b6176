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
  told <- sprintf(
    "%s%s is %s%s, not %s %s%s", if (is.null(condition$reason)) "" else paste0(condition$reason, ": "),
    measure_phrase(condition$measure), format_plain(values[[1]]),
    fifelse(nzchar(contrasts$denominator_cell), paste(" and", format_plain(values[[2]])), ""),
    if (above) "above" else "below", format_plain(limit),
    fifelse(nzchar(contrasts$denominator_cell), if (condition$cells == "all") " in both" else " in either", "")
  )
  fifelse(fine, "", told)
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
    parts <- strsplit(verdicts$variant[own], ", ", fixed = TRUE)
    is_level <- lapply(parts, function(part) startsWith(part, paste0(factor, "=")))
    level <- mapply(function(part, found) paste(sub("^[^=]*=", "", part[found]), collapse = ""), parts, is_level)
    rest <- mapply(function(part, found) paste(part[!found], collapse = ", "), parts, is_level)
    groups <- split(own, do.call(paste, c(verdicts[own, place_columns, with = FALSE], list(rest, sep = "\r"))))
    for (rows in groups) {
      rows <- rows[!verdicts$verdict[rows] %in% unjudged_kinds]
      decided <- rows[verdicts$verdict[rows] %in% decided_kinds]
      # What does not hold may or may not have the study's direction: it contradicts only what holds.
      kinds <- unique(verdicts$verdict[decided])
      if (length(kinds) < 2 || (length(kinds) == 2 && "does-not-hold" %in% kinds && !"holds" %in% kinds)) next
      levels <- level[match(decided, own)]
      told <- sprintf(
        "the answer depends on the %s, which the study does not state: %s", gsub("-", " ", factor),
        format_list(paste(levels, describe_verdict(verdicts$verdict[decided])))
      )
      sentence <- verdicts$sentence[rows]
      here <- paste0(told, fifelse(is.na(sentence), "", paste(". Here:", sentence)))
      set(verdicts, rows, c("verdict", "reason"), list("not-comparable", here))
      set(verdicts, rows, c("direction", "size", "cause"), list("", "", ""))
    }
  }
  verdicts[]
}
