# Every claim in words, with the values that its study published, for the explorer's first page.

#' One row per claim of an experiment.
#'
#' @return the table `claim_list.csv` of the dictionary. Its `published_value` is in the unit of the claim's estimate,
#'   and NA where the study gives words only
claim_list <- function(definitions, published, ratios) {
  experiments <- definitions$experiments %||% list()
  data <- list(
    experiments = stats::setNames(experiments, vapply(experiments, function(each) each$id, "")),
    published = published, published_ratios = ratios
  )
  rows <- lapply(experiments, function(experiment) {
    lapply(names(experiment$claims), function(name) {
      claim <- experiment$claims[[name]]
      figures <- published_figures(data, experiment$id, name)
      data.table(
        experiment = experiment$id, claim = name, text = claim$text %||% "", place = claim$place %||% "",
        form = claim$form, published = describe_published(figures),
        published_value = if (is.finite(figures$stated)) figures$stated else as.numeric(figures$table$ratio %||% NA)
      )
    })
  })
  empty <- data.table(
    experiment = character(), claim = character(), text = character(), place = character(), form = character(),
    published = character(), published_value = numeric()
  )
  rbindlist(c(list(empty), unlist(rows, recursive = FALSE)))
}

# One row for each claim and protocol, over all variants and strata; and how the rerun departs from each study.

#' Every claim under every protocol that has verdicts on it; one row without a protocol for a claim that has none.
#'
#' A variant's verdict combines those of its environments, machines and CPU profiles. A claim's verdict combines those
#' of its variants (`common_verdict`), so that a claim counts once.
#'
#' @param claims from `claim_list`
#'
#' @return the table `claim_summary.csv` of the dictionary
claim_summary <- function(claims, verdicts, definitions) {
  studies <- study_ids(definitions$experiments)
  rows <- lapply(seq_len(nrow(claims)), function(i) {
    claim <- claims[i]
    own <- verdicts[claim, on = c("experiment", "claim"), nomatch = NULL]
    own[is.na(protocol), protocol := ""]
    base <- c(
      list(study = studies[[claim$experiment]]),
      claim[, .(experiment, claim, text, form, published, published_value)]
    )
    lapply(split(own, by = "protocol"), function(part) as.data.table(c(base, summarised_claim(part))))
  })
  rows <- rbindlist(c(list(rowless_table("claim_summary.csv")), unlist(rows, recursive = FALSE)), fill = TRUE)
  rows[, columns_of("claim_summary.csv"), with = FALSE]
}

#' One verdict from those of a claim's variants, or of a variant's strata.
#'
#' If at least half of the judged verdicts are decided and agree, it is their verdict. If the decided ones disagree, it
#' is `differs`. Without a judged verdict it is not comparable or not testable. Otherwise it is undecided.
common_verdict <- function(verdicts) {
  judged <- verdicts[!verdicts %in% unjudged_kinds]
  if (length(judged) == 0) return(verdict_kinds[verdict_kinds %in% verdicts][1])
  decided <- judged[judged %in% decided_kinds]
  if (length(unique(decided)) > 1) return("differs")
  if (2 * length(decided) >= length(judged)) decided[1] else "undecided"
}

#' `2 too wide and 1 warm-up unproven`, the most frequent first; the cause alone where only one verdict has one.
summarised_causes <- function(causes) {
  counts <- sort(table(causes[!causes %in% c("", NA)]), decreasing = TRUE)
  if (sum(counts) < 2) return(paste(names(counts), collapse = ""))
  format_list(paste(counts, names(counts)))
}

#' A table of the dictionary without rows.
rowless_table <- function(name) {
  types <- column_types(name)
  with_columns(no_rows(names(types)), types)
}

#' The summary of a claim's verdicts under one protocol.
summarised_claim <- function(rows) {
  of_variant <- rows[, .(verdict = common_verdict(verdict)), by = variant]
  verdict <- common_verdict(of_variant$verdict)
  counts <- vapply(c(verdict_kinds, "differs"), function(kind) sum(of_variant$verdict == kind), 0L)
  names(counts) <- gsub("-", "_", names(counts), fixed = TRUE)
  # The quoted row has the summary's verdict and the smallest p value.
  quoted <- rows[order(!rows$verdict %in% verdict, is.na(estimate), p)][1]
  known <- rows[is.finite(estimate)]
  same <- function(values) {
    decided <- unique(values[!values %in% c("", NA, "undecided")])
    if (length(decided) > 1) return("differs")
    if (length(decided) == 1) decided else if (any(nzchar(values))) "undecided" else ""
  }
  c(
    list(
      protocol = rows$protocol[1], verdict = verdict, direction = same(rows$direction), size = same(rows$size),
      cause = if (verdict %in% c("undecided", "not-testable")) summarised_causes(rows$cause) else "",
      estimate = quoted$estimate, lower = quoted$lower, upper = quoted$upper,
      estimate_least = if (nrow(known) > 0) min(known$estimate) else NA_real_,
      estimate_most = if (nrow(known) > 0) max(known$estimate) else NA_real_,
      variants = nrow(of_variant)
    ),
    as.list(counts), list(verdict_id = quoted$verdict_id, reason = summary_reason(of_variant$verdict, quoted$reason))
  )
}

#' `holds for 3 of 5 variants, undecided for 2; ` and the reason of the quoted verdict.
summary_reason <- function(verdicts, reason) {
  if (length(verdicts) < 2) return(reason)
  kinds <- intersect(c(verdict_kinds, "differs"), verdicts)
  words <- fifelse(kinds == "differs", "differs between places", describe_verdict(kinds))
  counts <- vapply(kinds, function(kind) sum(verdicts == kind), 0L)
  parts <- sprintf("%s for %d", words, counts)
  parts[1] <- sprintf("%s of %d variants", parts[1], length(verdicts))
  paste0(format_list(parts), "; ", reason)
}

#' How the rerun departs from each study, from the experiments' `choices`: each difference once per study.
#'
#' @return the table `departures.csv` of the dictionary
departures_table <- function(definitions) {
  rows <- lapply(definitions$experiments, function(experiment) {
    lapply(Filter(is.list, experiment$choices), function(choice) {
      list(
        study = experiment$study$id %||% experiment$id, experiment = experiment$id, then = choice$study,
        here = choice$here, effect = choice$effect
      )
    })
  })
  table <- rbindlist(c(list(rowless_table("departures.csv")), unlist(rows, recursive = FALSE)))
  unique(table, by = c("study", "then", "here"))[]
}

# Every claim as it is encoded, and the verdict that the encoding gives on the study's own number. No run is needed.

claims_columns <- columns_of("own_numbers.csv", "tools")

#' The claims of all experiments, one row for each part of a claim, experiment and number of the study.
#'
#' A study's number is judged as if it were known exactly. The claim holds where the number lies within the claim's
#' target, limits included.
#'
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
  blank <- no_rows(claims_columns)
  table <- rbindlist(c(list(blank), unlist(rows, recursive = FALSE)), use.names = TRUE)
  table[order(study, sub("[0-9].*", "", claim), as.integer(gsub("[^0-9]", "", claim)), part, experiment)][
    , claims_columns, with = FALSE
  ]
}

#' A claim's target in words; for an order, the order itself.
own_target <- function(claim) {
  decision <- claim$decision
  if (decision$compares == "nothing" || !decision$judged) return("")
  limits <- claim$parameters[c("above", "below")]
  if (decision$compares == "calls" && length(unlist(limits)) == 0) return("")
  targets <- unique(claim_targets(claim)[, .(target_lower, target_upper)])
  text <- vapply(seq_len(nrow(targets)), function(i) {
    target_words(targets$target_lower[i], targets$target_upper[i], decision$compares != "differences")
  }, "")
  text <- paste(if (decision$reversed) "not ", paste(text, collapse = " or "), sep = "")
  alike <- claim$parameters$alike
  if (is.null(alike)) return(text)
  all_alike <- if (decision$compares == "steps") ", or all" else "; does not hold where all are"
  paste0(text, all_alike, " alike within ", alike)
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
  filter_text <- function(filter) paste(unlist(filter), collapse = " ")
  subject <- if (!is.null(claim$ratios)) {
    sign <- if (startsWith(claim$form, "difference")) " - " else " / "
    sides <- vapply(claim$ratios, function(ratio) {
      paste0(filter_text(ratio$numerator), sign, filter_text(ratio$denominator))
    }, "")
    paste(sides, collapse = "; ")
  } else if (!is.null(claim$compare)) {
    paste(unlist(claim$compare$levels), collapse = ", ")
  } else {
    filter_text(claim$values %||% claim$among)
  }
  across <- unlist(claim$across$levels)
  across <- if (length(across) > 0) sprintf(", across %s", paste(across, collapse = ", ")) else ""
  if (claim$form == "not-testable") return("")
  if (length(measure) > 3) measure <- c(measure[1:2], sprintf("%d more", length(measure) - 2L))
  sub(": $", "", sprintf("%s: %s%s", format_list(vapply(measure, measure_phrase, "")), subject, across))
}

#' The table as text for a terminal: one line for each part of a claim and number, then their count.
own_number_lines <- function(table) {
  verdict <- fifelse(nzchar(table$own_verdict), describe_verdict(table$own_verdict), "no number to compare")
  against <- nzchar(table$own_verdict) & table$expected == "does-not-hold"
  verdict <- paste0(verdict, fifelse(against, " (the study contradicts itself)", ""))
  columns <- list(
    study = table$study, claim = table$part, compares = table$quantity, target = table$target, published = table$own,
    "its own number" = verdict
  )
  widths <- c(16, 6, 44, 30, 24, 48)
  padded <- Map(function(name, values, width) {
    cut <- fifelse(nchar(values) > width, paste0(substr(values, 1, width - 3), "..."), values)
    formatC(c(name, cut), width = -width, flag = "-")
  }, names(columns), columns, widths)
  lines <- sub(" +$", "", unique(do.call(paste, unname(padded))))
  parts <- unique(table[, .(study, part)])
  c(lines, sprintf(
    "%d parts of %d claims; %d numbers hold, %d contradict their claim, as expected", nrow(parts),
    uniqueN(table, by = c("study", "claim")), sum(table$own_verdict == "holds"), sum(against)
  ))
}
