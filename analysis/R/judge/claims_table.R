# Every claim as it is encoded, and what the study's own number gives when it is put through that encoding. No run is
# needed.

claims_columns <- c(
  "study", "claim", "part", "statement", "words", "place", "quantity", "unit", "target", "own", "own_said",
  "own_verdict", "expected", "experiment", "form"
)

#' The claims of all experiments, a row for each part of a claim, experiment and number of the study.
#'
#' The verdict on a study's own number is that of a number known exactly: it supports the claim where it lies within the
#' form's own target, limits included.
#'
#' @param definitions with `experiments`; `published` of `published_values`; `forms` of `claim_forms`
#' @return the table `claims.csv` of the dictionary
#' @section Errors: refuses a quantity that data/published does not have.
claims_table <- function(definitions, published, forms) {
  rows <- lapply(definitions$experiments, function(experiment) {
    study_id <- experiment$study$id %||% experiment$id
    own <- published[study == study_id]
    lapply(names(experiment$claims), function(id) {
      claim <- experiment$claims[[id]]
      form <- forms[[claim$form]]
      numbers <- own_numbers(claim$published, own, paste(experiment$id, id))
      base <- list(
        study = study_id, claim = ledger_id(id), part = id, statement = claim$text %||% "",
        place = claim$place %||% "",
        quantity = compared_words(claim, experiment), unit = target_unit(claim, form), target = own_target(claim, form),
        experiment = experiment$id, form = claim$form
      )
      rbindlist(lapply(numbers, function(number) {
        found <- own_verdict(claim, form, number)
        if (!nzchar(found)) number$expected <- ""
        c(base, number[c("own", "own_said", "words", "expected")], list(own_verdict = found))
      }))
    })
  })
  blank <- as.data.table(sapply(claims_columns, function(column) character(), simplify = FALSE))
  table <- rbindlist(c(list(blank), unlist(rows, recursive = FALSE)), use.names = TRUE)
  table[order(study, sub("[0-9].*", "", claim), as.integer(gsub("[^0-9]", "", claim)), part, experiment)][
    , claims_columns, with = FALSE
  ]
}

#' The numbers that a study has for a claim: lists of `point` (a number, or NULL), `order` (levels, or NULL), `own` in
#' words, `own_said` (how the study says it: a word of data/published's `said`, or `table`), `words`, `expected`.
own_numbers <- function(told, published, where) {
  expected <- told$expect %||% "supported"
  main <- c(
    list(Filter(function(value) !is.null(value), told[setdiff(names(told), c("table", "contradicts"))])),
    if (!is.null(told$table)) list(list(table = told$table))
  )
  # A table alone is the study's number, not a second one.
  if (length(main) > 1 && !any(c("reading", "order", "direction", "stands_for") %in% names(main[[1]]))) main <- main[-1]
  against <- lapply(told$contradicts, function(one) c(one, list(expected = "refuted")))
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

#' A claim's targets, from its form's own function: the pairs, ratios or whatever else the form compares.
claim_targets <- function(claim, form) {
  levels <- as.character(unlist(claim$compare$levels))
  compared <- switch(form$compares,
    levels = CJ(numerator = seq_along(levels), denominator = seq_along(levels))[numerator != denominator],
    ratios = data.table(item = seq_along(claim$ratios)), differences = data.table(item = seq_along(claim$ratios)),
    data.table(item = 1L)
  )
  parameters <- claim$parameters
  if (form$compares == "counts") parameters$equals <- if (is.character(claim$equals)) 1 else claim$equals
  form$targets(compared, parameters)
}

#' `supported` or `refuted`: whether a number known exactly is where the claim wants it; empty without a number or
#' target.
own_verdict <- function(claim, form, number) {
  if (!form$judged || form$compares == "nothing" || (is.null(number$point) && is.null(number$order))) return("")
  targets <- claim_targets(claim, form)
  points <- if (is.null(number$order)) {
    if (form$compares == "differences" && identical(number$point, 0)) -Inf else number$point
  } else {
    ranked_points(targets, as.character(unlist(claim$compare$levels)), number$order)
  }
  good <- all(points >= targets$target_lower & points <= targets$target_upper)
  if (xor(good, form$reversed)) "supported" else "refuted"
}

#' What an order says of the ratio of two levels: 0 where the first stands before the second, Inf where behind it, 1
#' where it names neither.
ranked_points <- function(pairs, levels, ranked) {
  if (!"numerator" %in% names(pairs)) return(rep(0, nrow(pairs)))
  rank <- match(levels, ranked, nomatch = length(ranked) + 1L)
  apart <- rank[pairs$numerator] - rank[pairs$denominator]
  fcase(apart < 0, 0, apart > 0, Inf, default = 1)
}

#' A claim's target in words; that of an order has none but itself.
own_target <- function(claim, form) {
  if (form$compares == "nothing" || !form$judged) return("")
  limits <- claim$parameters[c("above", "below")]
  if (form$compares == "calls" && length(unlist(limits)) == 0) return("")
  targets <- unique(claim_targets(claim, form)[, .(target_lower, target_upper)])
  told <- vapply(seq_len(nrow(targets)), function(i) {
    target_words(targets$target_lower[i], targets$target_upper[i], form$compares != "differences")
  }, "")
  told <- paste(if (form$reversed) "not ", paste(told, collapse = " or "), sep = "")
  alike <- claim$parameters$alike
  if (is.null(alike)) return(told)
  paste0(told, if (form$compares == "steps") ", or all" else "; refuted where all are", " alike within ", alike)
}

#' The unit of a claim's target and of the study's number.
target_unit <- function(claim, form) {
  measure <- as.character(unlist(claim[["measures"]] %||% claim[["measure"]] %||% "wall"))[1]
  switch(form$compares,
    levels = , ratios = "ratio", steps = "order", nothing = "", series = if (is.null(claim$parameters$intercept)) {
      "exponent"
    } else {
      "part of the largest size's time"
    },
    differences = if (identical(as.numeric(claim$parameters$points), 100)) "percentage points" else "of the measure",
    counts = if (is.character(claim$equals)) paste("of", claim$equals) else "of the measure",
    if (grepl("share|far-out|interrupted", measure)) "share" else if (is_time(measure)) "ns" else "ratio"
  )
}

#' What a claim compares, in words: `time: rsa-encrypt / des-encrypt`.
compared_words <- function(claim, experiment) {
  measure <- unlist(claim[["measures"]] %||% claim[["measure"]] %||% experiment$measure)
  told <- function(filter) paste(unlist(filter), collapse = " ")
  subject <- if (!is.null(claim$ratios)) {
    sign <- if (startsWith(claim$form, "difference")) " - " else " / "
    sides <- vapply(claim$ratios, function(one) paste0(told(one$numerator), sign, told(one$denominator)), "")
    paste(sides, collapse = "; ")
  } else if (!is.null(claim$compare)) {
    paste(unlist(claim$compare$levels), collapse = ", ")
  } else {
    told(claim$values %||% claim$among)
  }
  across <- unlist(claim$across$levels)
  across <- if (length(across) > 0) sprintf(", across %s", paste(across, collapse = ", ")) else ""
  if (claim$form == "not-testable") return("")
  if (length(measure) > 3) measure <- c(measure[1:2], sprintf("%d more", length(measure) - 2L))
  sub(": $", "", sprintf("%s: %s%s", format_list(vapply(measure, measure_phrase, "")), subject, across))
}
