# One row for each claim and protocol, whatever its variants and wherever they were measured; and how the rerun departs
# from each study.

#' Every claim under every protocol that has verdicts on it; one row without a protocol for a claim that has none.
#'
#' A variant's verdict is that of its environments, machines and CPU profiles together, a claim's that of its variants
#' (`common_verdict`): so that a claim counts once.
#'
#' @param claims of `claim_list`; `verdicts` of `judge_claims`; `definitions` of definitions.json
#' @return the table `claim_summary.csv` of the dictionary
claim_summary <- function(claims, verdicts, definitions) {
  studies <- unlist(lapply(definitions$experiments, function(one) setNames(one$study$id %||% one$id, one$id)))
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

#' One verdict from those of a claim's variants, or of a variant's places: the one that all decided ones have, where
#' half of those that were judged are decided; `differs` where the decided ones differ; not comparable or not testable
#' where none was judged; else undecided.
common_verdict <- function(verdicts) {
  judged <- verdicts[!verdicts %in% unjudged_kinds]
  if (length(judged) == 0) return(verdict_kinds[verdict_kinds %in% verdicts][1])
  decided <- judged[judged %in% decided_kinds]
  if (length(unique(decided)) > 1) return("differs")
  if (2 * length(decided) >= length(judged)) decided[1] else "undecided"
}

#' `2 too wide and 1 not settled`, the commonest first; the bare cause where there is one verdict with one.
summarised_causes <- function(causes) {
  counts <- sort(table(causes[!causes %in% c("", NA)]), decreasing = TRUE)
  if (sum(counts) < 2) return(paste(names(counts), collapse = ""))
  format_list(paste(counts, names(counts)))
}

#' A table of the dictionary without rows.
rowless_table <- function(name) {
  types <- column_types(name)
  with_columns(as.data.table(sapply(names(types), function(column) character(), simplify = FALSE)), types)
}

#' What a claim's verdicts under one protocol come to.
summarised_claim <- function(rows) {
  of_variant <- rows[, .(verdict = common_verdict(verdict)), by = variant]
  verdict <- common_verdict(of_variant$verdict)
  counts <- vapply(c(verdict_kinds, "differs"), function(kind) sum(of_variant$verdict == kind), 0L)
  names(counts) <- gsub("-", "_", names(counts), fixed = TRUE)
  # The row that is quoted has the verdict of the whole, and is the surest of those.
  quoted <- rows[order(!rows$verdict %in% verdict, is.na(estimate), p)][1]
  known <- rows[is.finite(estimate)]
  same <- function(values) {
    told <- unique(values[!values %in% c("", NA, "undecided")])
    if (length(told) > 1) "differs" else if (length(told) == 1) told else if (any(nzchar(values))) "undecided" else ""
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

#' `holds for 3 of 5 variants, undecided for 2; ` and the reason of the verdict that is quoted.
summary_reason <- function(verdicts, reason) {
  if (length(verdicts) < 2) return(reason)
  kinds <- intersect(c(verdict_kinds, "differs"), verdicts)
  words <- fifelse(kinds == "differs", "differs between places", describe_verdict(kinds))
  counts <- vapply(kinds, function(kind) sum(verdicts == kind), 0L)
  told <- sprintf("%s for %d", words, counts)
  told[1] <- sprintf("%s of %d variants", told[1], length(verdicts))
  paste0(format_list(told), "; ", reason)
}

#' What the rerun does otherwise than each study, from the experiments' `choices`: each difference once in a study.
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
