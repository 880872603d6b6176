# Every claim as it is encoded, and what the study's own number gives when it is put through that encoding. No run is
# needed.

claims_columns <- columns_of("own_numbers.csv", "tools")

#' The claims of all experiments, a row for each part of a claim, experiment and number of the study.
#'
#' The verdict on a study's own number is that of a number known exactly: the claim holds where it lies within the
#' claim's target, limits included.
#'
#' @param definitions with `experiments`; `published` of `published_values`
#' @return the table `own_numbers.csv` of the dictionary
#' @section Errors: refuses a quantity that data/published does not have.
claims_table <- function(definitions, published) {
  rows <- lapply(definitions$experiments, function(experiment) {
    study_id <- experiment$study$id %||% experiment$id
    own <- published[study == study_id]
    lapply(names(experiment$claims), function(id) {
      claim <- experiment$claims[[id]]
      numbers <- own_numbers(claim$published, own, paste(experiment$id, id))
      base <- list(
        study = study_id, claim = ledger_id(id), part = id, statement = claim$text %||% "",
        place = claim$place %||% "",
        quantity = compared_words(claim, experiment), unit = target_unit(claim), target = own_target(claim),
        experiment = experiment$id, form = claim$form
      )
      rbindlist(lapply(numbers, function(number) {
        found <- own_verdict(claim, number)
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

#' A claim's target in words; that of an order has none but itself.
own_target <- function(claim) {
  decision <- claim$decision
  if (decision$compares == "nothing" || !decision$judged) return("")
  limits <- claim$parameters[c("above", "below")]
  if (decision$compares == "calls" && length(unlist(limits)) == 0) return("")
  targets <- unique(claim_targets(claim)[, .(target_lower, target_upper)])
  told <- vapply(seq_len(nrow(targets)), function(i) {
    target_words(targets$target_lower[i], targets$target_upper[i], decision$compares != "differences")
  }, "")
  told <- paste(if (decision$reversed) "not ", paste(told, collapse = " or "), sep = "")
  alike <- claim$parameters$alike
  if (is.null(alike)) return(told)
  all_alike <- if (decision$compares == "steps") ", or all" else "; does not hold where all are"
  paste0(told, all_alike, " alike within ", alike)
}

#' The unit of a claim's target and of the study's number.
target_unit <- function(claim) {
  measure <- as.character(unlist(claim[["measures"]] %||% claim[["measure"]] %||% "wall"))[1]
  switch(claim$decision$compares,
    levels = , ratios = "ratio", steps = "order", nothing = "", series = if (is.null(claim$parameters$intercept)) {
      "exponent"
    } else {
      "part of the largest size's time"
    },
    differences = if (identical(as.numeric(claim$parameters$points), 100)) "percentage points" else "of the measure",
    counts = if (is.character(claim$equals)) paste("of", claim$equals) else "of the measure",
    fcase(
      measure == "gc.alloc.rate.norm", "bytes", grepl("share|far-out|interrupted", measure), "share",
      is_time(measure), "ns", default = "ratio"
    )
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
