# A study's own numbers in its claims' units, and what they give when they are put through the claims' encoding.

#' The numbers that a study has for a claim: lists of `point` (a number, or NULL), `order` (levels, or NULL), `own` in
#' words, `own_said` (how the study says it: a word of data/published's `said`, or `table`), `words`, `expected`.
own_numbers <- function(told, published, where) {
  expected <- told$expect %||% "holds"
  main <- c(
    list(Filter(function(value) !is.null(value), told[setdiff(names(told), c("table", "contradicts"))])),
    if (!is.null(told$table)) list(list(table = told$table))
  )
  # A table alone is the study's number, not a second one.
  if (length(main) > 1 && !any(c("reading", "order", "direction", "stands_for") %in% names(main[[1]]))) main <- main[-1]
  against <- lapply(told$contradicts, function(one) c(one, list(expected = "does-not-hold")))
  lapply(c(main, against), function(one) {
    c(one_number(one, published, where), list(expected = one$expected %||% expected))
  })
}

one_number <- function(told, published, where) {
  row <- function(name) {
    found <- published[quantity == name]
    if (nrow(found) == 1) return(found)
    refuse("data/published", sprintf("lacks '%s', which %s names", name, where), "one row of it", "correct either")
  }
  known <- if (!is.null(told$quantity)) row(told$quantity)
  words <- told$words %||% known[["words"]] %||% ""
  if (is.na(words)) words <- ""
  given <- function(point, own, said, ranked = NULL) {
    list(point = point, order = ranked, own = own, own_said = said, words = words)
  }
  if (!is.null(told$table)) {
    value <- row(told$table$numerator)$value / row(told$table$denominator)$value
    return(given(value, format_plain(value), "table"))
  }
  if (!is.null(told$reading)) {
    share <- known$value / 100
    value <- switch(told$reading, value = known$value, add = 1 + share, less = 1 - share, share = share)
    return(given(value, format_plain(value), known[["said"]] %||% "exact"))
  }
  if (!is.null(told$stands_for)) return(given(told$stands_for, format_plain(told$stands_for), "words"))
  if (!is.null(told$direction)) return(given(if (told$direction == "above") Inf else 0, told$direction, "words"))
  ranked <- as.character(unlist(told$order))
  if (length(ranked) > 0) return(given(NULL, paste(ranked, collapse = ", "), "words", ranked))
  given(NULL, "", if (nzchar(words)) "words" else "")
}

#' A claim's targets as Python gives them: a row for each pair of levels, with their positions in the claim's list, or
#' for each of its ratios.
claim_targets <- function(claim) {
  rbindlist(lapply(claim$decision$targets, function(target) {
    list(
      numerator = target$numerator %||% NA_integer_, denominator = target$denominator %||% NA_integer_,
      target_lower = target$lower, target_upper = target$upper %||% Inf
    )
  }))
}

#' The verdict on a number known exactly; empty without a number or target.
own_verdict <- function(claim, number) {
  decision <- claim$decision
  if (!decision$judged || decision$compares == "nothing" || (is.null(number$point) && is.null(number$order))) return("")
  targets <- claim_targets(claim)
  points <- if (is.null(number$order)) {
    if (decision$compares == "differences" && identical(number$point, 0)) -Inf else number$point
  } else {
    ranked_points(targets, as.character(unlist(claim$compare$levels)), number$order)
  }
  good <- all(points >= targets$target_lower & points <= targets$target_upper)
  if (xor(good, decision$reversed)) return("holds")
  sides <- with_sides(copy(targets), decision$neutral, decision$compares == "differences")
  if (all(points > sides$side_lower & points < sides$side_upper) %in% TRUE && all(sides$sized)) return("other-size")
  opposite <- all(points < sides$side_lower | points > sides$side_upper)
  if (opposite %in% TRUE) "opposite" else "does-not-hold"
}

#' What an order says of the ratio of two levels: 0 where the first stands before the second, Inf where behind it, 1
#' where it names neither.
ranked_points <- function(pairs, levels, ranked) {
  if (anyNA(pairs$numerator)) return(rep(0, nrow(pairs)))
  rank <- match(levels, ranked, nomatch = length(ranked) + 1L)
  apart <- rank[pairs$numerator] - rank[pairs$denominator]
  fcase(apart < 0, 0, apart > 0, Inf, default = 1)
}
