# Verdicts as the report shows them: one place for the words, so that the first page and the studies' tables agree.

#' The place that the first page quotes: the first in order that has verdicts of its own.
reference_place <- function(data) {
  seen <- unique(as.character(data$verdicts[!is.na(place)][order(is_shared(environment), as.integer(place))]$place))
  if (length(seen) == 0) "" else seen[1]
}

#' The CPU profile that the first page quotes: native, where it was measured.
reference_profile <- function(data) c(names(data$profiles), "")[1]

#' The verdict that the first page quotes from those of a claim's variant under a protocol: the reference environment's,
#' or the first in order where it has none.
quoted_verdict <- function(data, rows) {
  quoted_profile <- c(reference_profile(data), "")
  rows[order(!cpu_profile %in% quoted_profile, !place %in% reference_place(data), as.integer(place))][1]
}

#' Every verdict that the first page prints, which is what its counts count: of each claim that could be tested, one for
#' each variant and protocol.
quoted_verdicts <- function(data) {
  rows <- data$verdicts[nzchar(protocol)]
  rows <- rows[, tested := any(verdict != "not testable here"), by = .(experiment, claim)][tested == TRUE]
  quoted <- lapply(split(rows, by = c("experiment", "claim", "variant", "protocol")), function(own) {
    quoted_verdict(data, own)
  })
  rbindlist(c(list(rows[0]), quoted))
}

#' The ids of the studies that experiments rerun: several may rerun one, and judge its claims between them.
study_of <- function(data, ids) {
  vapply(data$experiments[ids], function(one) one$study$id %||% one$id, "", USE.NAMES = FALSE)
}

#' The claims of the run's experiments, each once in a study, whatever its parts and wherever they are measured:
#' data.table `study`, `claim`, `parts` (a data.table of `experiment` and `part`), and `judged`, whether any of them
#' has a verdict.
study_claims <- function(data) {
  claiming <- names(Filter(function(one) length(one$claims) > 0, data$experiments))
  named <- lapply(claiming, function(id) {
    data.table(experiment = id, study = study_of(data, id), part = names(data$experiments[[id]]$claims))
  })
  blank <- data.table(experiment = character(), study = character(), part = character())
  claims <- rbindlist(c(list(blank), named))
  claims[, judged := paste(experiment, part) %in% data$verdicts[!verdict %in% unjudged_kinds, paste(experiment, claim)]]
  claims[, .(parts = list(data.table(experiment, part)), judged = any(judged)), by = .(study, claim = ledger_id(part))]
}

#' One verdict from those of a claim's parts, variants and experiments: refuted where one is, supported where all are
#' that could be judged, not comparable or not testable where none could, else undecided.
rolled_up <- function(verdicts) {
  judged <- setdiff(verdicts, unjudged_kinds)
  if (length(judged) == 0) return(verdict_kinds[verdict_kinds %in% verdicts][1])
  if ("refuted" %in% judged) return("refuted")
  if (identical(judged, "supported")) "supported" else "undecided"
}

#' The verdicts of the first page: a row per study, claim and protocol. `verdict` is rolled up from the quoted ones,
#' which `counts` tells: `12 supported and 1 refuted`; `causes` tells why some are undecided: `2 too wide and 1 not
#' settled`.
claim_verdict_rows <- function(data) {
  quoted <- quoted_verdicts(data)
  quoted[, `:=`(study = study_of(data, experiment), ledger = ledger_id(claim), shown = base_protocol(protocol))]
  quoted[, .(
    verdict = rolled_up(verdict), counts = verdict_counts(verdict), causes = cause_counts(cause), statements = .N
  ), by = .(study, claim = ledger, protocol = shown)]
}

#' `2 too wide and 1 not settled`, the commonest first; the bare cause where there is one verdict with one.
cause_counts <- function(causes) {
  counts <- sort(table(causes[!causes %in% c("", NA)]), decreasing = TRUE)
  if (sum(counts) < 2) return(paste(names(counts), collapse = ""))
  format_list(paste(counts, names(counts)))
}

#' `3 supported and 1 refuted`, in the order of the kinds of verdict.
verdict_counts <- function(verdicts) {
  found <- intersect(verdict_kinds, verdicts)
  format_list(paste(vapply(found, function(kind) sum(verdicts == kind), 0L), found))
}

#' The range that a verdict's decisive contrast was held against.
wanted_range <- function(data, row) {
  if (row$form == "same-order") return("same order")
  decisive <- data$contrasts[contrast == row$contrast][1]
  format_target(decisive$target_lower, decisive$target_upper)
}

#' One verdict, ready for display. What did not vary at all between forks has no interval and no p value; what was
#' counted has how many visits were as claimed.
show_verdict <- function(data, row) {
  shown <- format_interval(row$estimate, row$lower, row$upper)
  if (row$verdict %in% c("supported", "refuted") && is.na(row$p)) {
    told <- sprintf("%s of %s visits", format_count(row$estimate * row$contrasts), format_count(row$contrasts))
    shown <- list(estimate = told, interval = "")
  }
  if (isTRUE(row$lower == row$upper)) {
    shown$interval <- "(the same in every fork)"
    row <- copy(row)[, c("p", "p_holm") := NA_real_]
  }
  tested <- is.finite(row$estimate)
  list(
    id = row$verdict_id, verdict = row$verdict, letter = verdict_letter(row$verdict), reason = row$reason,
    covers = row$covers, caveat = row$caveat, cause = undecided_words(row), contrast = row$contrast,
    target = wanted_range(data, row), estimate = if (tested) shown$estimate else "",
    interval = if (tested) shown$interval else "",
    p = format_p(row$p), p_holm = format_p(row$p_holm), place = where_words(data, row$place, row$cpu_profile),
    protocol = row$protocol, forks = format_count(row$forks_min), contrasts = format_count(row$contrasts)
  )
}

#' What a claim's contrasts are where they are no ratios: `exponent`, `fixed share` or `difference`; else empty.
no_ratio <- function(data, id, claim_id) {
  claim <- data$experiments[[id]]$claims[[claim_id]]
  if (identical(claim$form, "difference-between")) return("difference")
  if (!identical(claim$form, "linear")) return("")
  if (is.null(claim$parameters$intercept)) "exponent" else "fixed share"
}

# Verdicts in more places than this are told in full only where they differ from the first.
most_marks <- 8L

#' TRUE where a claim can't be tested anywhere in this run.
untestable <- function(rows) nrow(rows) == 0 || all(rows$verdict == "not testable here")

# Does a verdict change with the operating system, the JDK or the CPU class? Pairs of places that differ in that one
# alone.

matrix_dimensions <- c(system = "operating system", jdk = "JDK", cpu_profile = "CPU class")

#' Every pair of verdicts of the same statement, protocol and machine whose places differ in one dimension only.
#'
#' @param verdicts the table verdicts.csv; `parts` of `environment_parts`
#' @return data.table: `dimension`, `experiment`, `claim`, `variant`, `protocol`, `system`, `jdk`, `cpu_profile` (what
#'   both share; empty in the dimension itself), `one`, `two` (levels of the dimension), `verdict_one`, `verdict_two`,
#'   `id_one`, `id_two`
verdict_changes <- function(verdicts, parts) {
  rows <- verdicts[!verdict %in% unjudged_kinds & nzchar(environment)]
  known <- parts[match(rows$environment, parts$environment)]
  shared <- is_shared(rows$environment)
  rows <- rows[, .(
    experiment, claim, variant, protocol, machine_id, cpu_profile, verdict, verdict_id,
    system = ifelse(shared, ifelse(startsWith(environment, "*"), "*", sub("-\\*$", "", environment)), known$system),
    jdk = ifelse(shared, ifelse(endsWith(environment, "*"), "*", sub("^\\*-", "", environment)), known$jdk)
  )]
  found <- lapply(names(matrix_dimensions), function(dimension) {
    others <- setdiff(names(matrix_dimensions), dimension)
    by <- c("experiment", "claim", "variant", "protocol", "machine_id", others)
    rank <- if (dimension == "cpu_profile") union("native", rows$cpu_profile) else unique(parts[[dimension]])
    here <- rows[get(dimension) %in% setdiff(rank, c("", "*"))]
    # In the order of the definitions, so that a pair is told once and always the same way round.
    here[, at := match(get(dimension), rank)]
    pairs <- merge(here, here, by = by, suffixes = c("_one", "_two"), allow.cartesian = TRUE)[at_one < at_two]
    levels <- pairs[, .(
      one = get(paste0(dimension, "_one")), two = get(paste0(dimension, "_two")), verdict_one, verdict_two,
      id_one = verdict_id_one, id_two = verdict_id_two
    )]
    cbind(pairs[, by, with = FALSE], levels)[, dimension := dimension][]
  })
  rbindlist(found, use.names = TRUE, fill = TRUE)
}

#' Whether two verdicts contradict each other, rather than one being less sure.
opposite_verdicts <- function(one, two) {
  sure <- c("supported", "refuted")
  one != two & one %in% sure & two %in% sure
}

#' One claim and dimension in words: how many pairs there are, and the pairs whose verdicts differ.
#'
#' @param pairs rows of `verdict_changes`
#' @return list: `answer` (`only one measured`, `no`, `yes`, `less sure`), `text`
describe_changes <- function(pairs, parts) {
  if (nrow(pairs) == 0) return(list(answer = "only one measured", text = ""))
  count <- format_plural(nrow(pairs), "pair")
  changed <- pairs[verdict_one != verdict_two]
  if (nrow(changed) == 0) return(list(answer = "no", text = paste("alike in", count)))
  changed <- changed[order(!opposite_verdicts(verdict_one, verdict_two))]
  opposite <- sum(opposite_verdicts(changed$verdict_one, changed$verdict_two))
  # The same two levels with the same two verdicts are one item, whatever else they were measured with.
  items <- changed[, .(n = .N, where = shared_words(.SD, parts)), by = .(one, two, verdict_one, verdict_two, dimension)]
  said <- items[, sprintf(
    "%s %s, %s %s (%s)", part_words(parts, dimension[1], one), verdict_one, part_words(parts, dimension[1], two),
    verdict_two, where
  )]
  list(
    answer = if (opposite > 0) "yes" else "less sure",
    text = sprintf("in %s of %s: %s", format_count(nrow(changed)), count, format_some(said, 3))
  )
}

#' What the places of a pair share, in words, where all agree; else how many pairs there are.
shared_words <- function(rows, parts) {
  one <- rows[1]
  said <- c(
    if (!is.na(one$jdk) && one$jdk != "*") part_words(parts, "jdk", one$jdk),
    if (!is.na(one$system) && one$system != "*") part_words(parts, "system", one$system),
    if (!is.na(one$cpu_profile) && nzchar(one$cpu_profile)) one$cpu_profile, format_variant(one$variant), one$protocol
  )
  text <- paste(said[nzchar(said)], collapse = ", ")
  if (nrow(rows) == 1) text else sprintf("%s and %d more", text, nrow(rows) - 1)
}
