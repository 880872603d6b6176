# The claims as the report shows them: one row per claim, one sentence per study. Every text about a number is
# generated from the number's row.

# The words of verdicts (`describe_verdict`), and those of a claim whose cases have different verdicts.
differs_words <- "differs by case"
verdict_letters <- c(
  holds = "H", "right direction, other size" = "S", "opposite direction" = "O", "does not hold" = "X",
  "differs by case" = "V", undecided = "U", "not comparable" = "N", "not testable" = "\u2013"
)

#' Verdicts in words.
shown_verdict <- function(verdict) {
  fcoalesce(describe_verdict(verdict), fifelse(verdict %in% "differs", differs_words, as.character(verdict)))
}

verdict_letter <- function(verdict) fcoalesce(unname(verdict_letters[shown_verdict(verdict)]), dash)

#' Whether verdicts are decided: for the claim or against it.
is_decided <- function(verdict) !shown_verdict(verdict) %in% c("undecided", "not comparable", "not testable", NA)

#' The ids of the studies that experiments rerun; several experiments may rerun one study.
study_of <- function(data, ids) {
  unname(study_ids(data$experiments)[ids])
}

#' The CPU profile of the numbers on the first page: native, if it was measured.
reference_profile <- function(data) c(names(data$profiles), "")[1]

#' The verdict of each claim, variant and protocol that the first page shows. It is that of the first environment and
#' CPU profile that have one.
quoted_verdicts <- function(data) {
  rows <- data$verdicts[nzchar(protocol)]
  rows[, study := study_of(data, experiment)]
  rows <- rows[order(
    shown_verdict(verdict) == "not testable", !cpu_profile %in% c(reference_profile(data), ""), is_shared(environment),
    as.integer(place)
  )]
  rows[, .SD[1], by = .(experiment, claim, variant, protocol)]
}

#' Every part of every claim of the run's experiments.
#'
#' @return data.table: `study`, `claim` (in the study's numbering: P7), `part` (P7a), `experiment`, `text`
claim_parts <- function(data) {
  rows <- lapply(names(data$experiments), function(id) {
    claims <- data$experiments[[id]]$claims
    if (length(claims) == 0) return(NULL)
    data.table(experiment = id, part = names(claims), text = vapply(claims, function(claim) claim$text %||% "", ""))
  })
  blank <- data.table(experiment = character(), part = character(), text = character())
  parts <- rbindlist(c(list(blank), rows))
  parts[, `:=`(study = study_of(data, experiment), claim = ledger_id(part))]
  number <- as.integer(gsub("[^0-9]", "", parts$claim))
  parts[order(match(study, unique(study)), sub("[0-9].*", "", claim), number, part)]
}

#' One verdict in words for all verdicts of a claim, the same as in the table claim_summary.csv.
rolled_up <- function(rows) {
  if (nrow(rows) == 0) return("not testable")
  shown_verdict(common_verdict(rows[, .(verdict = common_verdict(verdict)), by = variant]$verdict))
}

# The order in which a reader should see verdicts, if the parts of a claim have several.
against_first <- c(
  "opposite direction", "does not hold", "right direction, other size", "differs by case", "holds", "undecided"
)

#' The cases of verdicts in words: their variants and, if they differ, their places and CPU profiles.
case_words <- function(data, rows) {
  parts <- list(mapply(function(id, variant) variant_words(data, id, variant), rows$experiment, rows$variant))
  if (uniqueN(rows$place) > 1) parts <- c(parts, list(as.character(rows$place)))
  if (uniqueN(rows$cpu_profile) > 1) {
    parts <- c(parts, list(level_words(data$words, "cpu-profile", rows$cpu_profile)))
  }
  cases <- do.call(paste, c(parts, sep = ", "))
  gsub("(^|, )(, )+", "\\1", gsub("^, |, $|NA", "", cases))
}

#' The levels, in words, of the first factor whose levels separate the verdicts: each level has a single verdict.
#'
#' @return a text for each row, or NULL if no single factor separates them
separating_words <- function(data, rows) {
  levels <- variant_levels(rows$variant)
  factors <- unique(unlist(lapply(levels, names)))
  known <- setNames(lapply(factors, function(name) vapply(levels, function(own) own[name], "")), factors)
  known$place <- as.character(rows$place)
  known[["cpu-profile"]] <- rows$cpu_profile
  said <- Map(function(name, levels) level_words(data$words, name, levels), names(known), known)
  # Several levels may have the same words.
  separates <- function(words) !anyNA(words) && rows[, uniqueN(verdict), by = .(words)][, all(V1 == 1)]
  Find(separates, said)
}

# If a verdict has more cases than this, or their names are too long, the cases are counted.
most_cases <- 2L
most_case_letters <- 56L

#' `holds for sunjce; not for bouncycastle-1.86`, or `holds in 5 of 6 cases`. If all cases have the same verdict, the
#' text is that verdict. If one factor separates the verdicts, only its levels are named.
outcome_words <- function(data, rows) {
  words <- shown_verdict(rows$verdict)
  kinds <- intersect(c(verdict_words, words), words)
  all <- if (nrow(rows) == 2) "both" else paste("all", format_count(nrow(rows)))
  if (length(kinds) == 1) return(if (nrow(rows) > 1) sprintf("%s in %s cases", kinds, all) else kinds)
  cases <- separating_words(data, rows) %||% case_words(data, rows)
  said <- vapply(kinds, function(kind) {
    own <- unique(cases[words == kind])
    named <- paste(if (kind == "does not hold" && kinds[1] == "holds") "not" else kind, "for", format_list(own))
    if (length(own) <= most_cases && all(nzchar(own)) && nchar(named) <= most_case_letters) return(named)
    sprintf("%s in %s of %s cases", kind, format_count(sum(words == kind)), format_count(length(words)))
  }, "")
  paste(said, collapse = "; ")
}

#' Shown numbers in words: one number with its interval, or the smallest and the largest of several.
number_words <- function(rows) {
  rows <- rows[is.finite(estimate)]
  if (nrow(rows) == 0) return("")
  if (nrow(rows) == 1) {
    if (is.na(rows$p) && !is.finite(rows$lower)) return(format_significant(rows$estimate))
    shown <- format_interval(rows$estimate, rows$lower, rows$upper)
    return(paste(shown$estimate, if (rows$lower %in% rows$upper) "(the same in every fork)" else shown$interval))
  }
  ends <- format_significant(range(rows$estimate))
  paste0(ends[1], if (ends[1] != ends[2]) paste(" to", ends[2]), " (", nrow(rows), " cases)")
}

#' The protocols of the claims' table: the first one measures as the study did, the last one times compiled code. They
#' are those of the verdicts, or all if the project's published results have the study too.
shown_protocols <- function(data) {
  known <- unique(base_protocol(unlist(lapply(data$experiments, protocols_of))))
  published <- unlist(lapply(data$own_results, function(run) lapply(run$studies, `[[`, "id")))
  if (any(study_of(data, names(data$experiments)) %in% published)) return(known)
  intersect(known, base_protocol(data$verdicts$protocol))
}

#' The names of protocols in the report.
protocol_words <- function(protocol) {
  shortened <- protocol != base_protocol(protocol)
  words <- c("as-published" = "as published", "steady-state" = "warmed up")[base_protocol(protocol)]
  paste0(fcoalesce(unname(words), base_protocol(protocol)), ifelse(shortened, shortened_words, ""))
}

#' The study's number for a part in the unit of our number, or its words in quotation marks.
published_words <- function(data, id, part) {
  figures <- published_figures(data, id, part)
  claim <- data$experiments[[id]]$claims[[part]]
  points <- identical(as.numeric(claim$parameters$points %||% 1), 100)
  own <- if (is.finite(figures$stated)) {
    paste0(format_significant_plain(figures$stated), if (points) " points")
  } else if (is.null(claim$published$words) && !is.null(claim$published$direction)) {
    paste(claim$published$direction, claim$parameters$limit %||% 1)
  } else if (!is.null(figures$words)) {
    paste0("\u201c", gsub("; ", "\u201d, \u201c", figures$words, fixed = TRUE), "\u201d")
  }
  table <- if (!is.null(figures$table)) format_significant(figures$table$ratio)
  if (is.null(own)) return(if (is.null(table)) "" else table)
  paste0(own, if (!is.null(table)) sprintf(" (its own table: %s)", table))
}

#' Compares a measured number with the study's: `52 times smaller than published`. Empty if either is missing.
size_words <- function(data, row) {
  stated <- published_figures(data, row$experiment, row$claim)
  value <- if (is.finite(stated$stated)) stated$stated else stated$table$ratio %||% NA_real_
  comparable <- is.finite(value) && value > 0 && is.finite(row$estimate) && row$estimate > 0 &&
    !is_difference(data, row$experiment, row$claim)
  if (!comparable) return("")
  factor <- row$estimate / value
  if (abs(log(factor)) < log(1.005)) return("as published")
  larger <- if (factor > 1) "larger" else "smaller"
  times <- exp(abs(log(factor)))
  if (times < 1.5) return(sprintf("%s %% %s than published", format_percent(100 * abs(factor - 1)), larger))
  sprintf("%s times %s than published", format_significant(times, 2), larger)
}

#' Whether a claim's contrasts are differences.
is_difference <- function(data, id, part) identical(data$experiments[[id]]$claims[[part]]$form, "difference-between")

#' The row of the first page for one claim of a study.
#'
#' The shown part is the one that decides the claim: if some parts hold and one does not, it is that one. A question of
#' our own is shown only if no part of the study was judged. Experiments of one study that have the same part count as
#' one.
#'
#' @param parts rows of `claim_parts` of the claim; `verdicts` with `study` and `ledger`; `quoted` of `quoted_verdicts`
claim_row <- function(data, parts, verdicts, quoted, protocols) {
  own <- verdicts[study == parts$study[1] & ledger == parts$claim[1]]
  shown_part <- parts[1]
  judged <- own[!shown_verdict(verdict) %in% "not testable"]
  # About the other parts the study states nothing.
  has_statement <- function(id, part) !is.null(data$experiments[[id]]$claims[[part]]$published)
  stated <- parts[mapply(has_statement, experiment, part), part]
  if (any(judged$claim %in% stated)) judged <- judged[claim %in% stated]
  deciding_part <- function(rows) {
    of_parts <- rows[, .(verdict = rolled_up(.SD)), by = claim]
    of_parts[order(match(verdict, against_first, nomatch = 9L))][1]
  }
  by_protocol <- lapply(rev(protocols), function(name) deciding_part(judged[base_protocol(protocol) == name]))
  # The last protocol whose verdict is decided.
  deciding <- Find(function(part) is_decided(part$verdict), by_protocol) %||% deciding_part(judged)
  if (nrow(judged) > 0) shown_part <- parts[part == deciding$claim][1]
  here <- quoted[study == shown_part$study & claim == shown_part$part]
  now <- lapply(protocols, function(name) {
    rows <- here[base_protocol(protocol) == name]
    all <- judged[claim == shown_part$part & base_protocol(protocol) == name]
    verdict <- if (nrow(all) == 0) "" else rolled_up(all)
    list(
      protocol = protocol_words(name), text = number_words(rows), verdict = verdict,
      letter = if (nzchar(verdict)) verdict_letter(verdict) else "", ids = paste(rows$verdict_id, collapse = " ")
    )
  })
  several <- uniqueN(parts$part) > 1
  verdict <- if (nrow(judged) > 0) deciding$verdict else rolled_up(own)
  outcome <- claim_outcome(data, own, shown_part, protocols)
  row <- list(
    id = if (several && nrow(judged) > 0) shown_part$part else parts$claim[1], claim = parts$claim[1],
    study = parts$study[1], text = shown_part$text,
    published = published_words(data, shown_part$experiment, shown_part$part), now = now,
    verdict = verdict, letter = verdict_letter(verdict), decided = is_decided(verdict), judged = nrow(judged) > 0
  )
  c(row, outcome)
}

#' The verdict of a claim in words.
#'
#' @return list: `cases`, the shown part's verdicts, if those of one protocol differ, otherwise empty; `others`, a row
#'   (`verdict`, `parts`) for each verdict of other parts; `outcome`, all of it in one text, for each protocol if they
#'   differ
claim_outcome <- function(data, own, shown_part, protocols) {
  estimated <- any(is.finite(own$estimate))
  own <- own[!shown_verdict(verdict) %in% "not testable"]
  if (nrow(own) == 0) {
    claim <- data$experiments[[shown_part$experiment]]$claims[[shown_part$part]]
    never <- identical(claim$form, "not-testable") || isFALSE(claim$decision$judged)
    text <- if (estimated) "estimated; the study gives no number to judge by" else if (never) "not testable here"
    return(list(cases = "", others = data.table(), outcome = text %||% "not measured in this run"))
  }
  main <- own[claim == shown_part$part]
  said <- lapply(protocols, function(name) {
    rows <- main[base_protocol(protocol) == name]
    if (nrow(rows) == 0) return(NULL)
    size <- if (nrow(rows) == 1 && shown_verdict(rows$verdict) != "holds" && is_decided(rows$verdict)) {
      size_words(data, rows)
    }
    words <- paste(c(outcome_words(data, rows), size[nzchar(size)]), collapse = ": ")
    list(name = protocol_words(name), words = words, several = uniqueN(shown_verdict(rows$verdict)) > 1)
  })
  said <- Filter(Negate(is.null), said)
  words <- vapply(said, function(protocol) protocol$words, "")
  text <- if (uniqueN(words) == 1) {
    words[1]
  } else {
    paste(vapply(said, function(protocol) paste0(protocol$name, ": ", protocol$words), ""), collapse = "; ")
  }
  several <- any(vapply(said, function(protocol) protocol$several, TRUE))
  others <- own[claim != shown_part$part, .(verdict = rolled_up(.SD)), by = claim]
  others <- others[order(claim), .(parts = format_list(claim)), by = verdict]
  rest <- if (nrow(others) > 0) paste0(". Other parts: ", paste(others$verdict, others$parts, collapse = "; "))
  list(cases = if (several) text else "", others = others, outcome = paste0(text, rest))
}

#' The row of a claim, with the project's published numbers where this run has none.
#'
#' A number is of the part that the row shows; if this run judged no part, the row shows the published part. An element
#' of `now` that is taken over is marked as `borrowed`. Ids refer to rows of this run only.
with_own_results <- function(data, row) {
  is_empty <- vapply(row$now, function(now) !nzchar(now$text) && !nzchar(now$verdict), TRUE)
  for (run in data$own_results) {
    study <- Find(function(study) study$id == row$study, run$studies)
    found <- Filter(function(own) own$claim == row$claim && (all(is_empty) || own$id == row$id), study$rows)
    if (length(found) == 0) next
    own <- found[[1]]
    if (all(is_empty)) row[c("id", "text", "published")] <- own[c("id", "text", "published")]
    row$now[is_empty] <- lapply(row$now[is_empty], function(now) {
      same <- Find(function(other) identical(other$protocol, now$protocol), own$now)
      if (is.null(same) || !nzchar(same$verdict)) return(now)
      c(replace(same, "ids", ""), borrowed = TRUE)
    })
    break
  }
  row
}

#' All rows of the first page, by study.
claim_rows <- function(data) {
  protocols <- shown_protocols(data)
  verdicts <- copy(data$verdicts)[, `:=`(study = study_of(data, experiment), ledger = ledger_id(claim))]
  quoted <- quoted_verdicts(data)
  parts <- claim_parts(data)
  groups <- split(parts, by = c("study", "claim"), sorted = FALSE)
  rows <- lapply(unname(groups), function(own) {
    with_own_results(data, claim_row(data, own, verdicts, quoted, protocols))
  })
  split(rows, factor(vapply(rows, `[[`, "", "study"), levels = unique(parts$study)))
}

# Sentences.

#' The comparison on which a verdict rests, with its operation, size, provider, place and protocol.
row_sentence <- function(data, row) {
  contrast <- data$contrasts[contrast == row$contrast][1]
  said <- row$sentence %|% row$reason
  substr(said, 1, 1) <- toupper(substr(said, 1, 1))
  # If the sides are in several environments, the pair names them.
  several <- is_shared(row$environment) && !is.na(contrast$contrast)
  # If the claim is judged for several CPU profiles, the scope names the profile.
  named <- grepl(level_words(data$words, "cpu-profile", row$cpu_profile), said, fixed = TRUE)
  place <- where_words(data, row$place, if (named) "" else row$cpu_profile)
  where <- c(if (!several) place, protocol_words(row$protocol))
  where <- paste(where[nzchar(where)], collapse = "; ")
  # Brackets at the end already contain the scope, unless they belong to the second side's name.
  scoped <- endsWith(said, ")") && (!nzchar(contrast$denominator %|% "") || nzchar(contrast$scope))
  if (scoped) sub("\\)$", sprintf("; %s)", where), said) else sprintf("%s (%s)", said, where)
}

#' The verdict that a study's sentence is about: the first one of a decided claim, preferably of a headline claim.
#'
#' Its part is the one in the claim's row, and it is decided if the row is, so that the two never contradict each
#' other.
headline_verdict <- function(data, study_id, rows, quoted) {
  headline <- data$layout$studies[match(study_id, study)]$headline
  wanted <- strsplit(if (is.na(headline %||% NA)) "" else headline, ";", fixed = TRUE)[[1]]
  shown <- vapply(rows, `[[`, "", "id")
  own <- quoted[
    study == study_id & claim %in% shown & is.finite(estimate) & !shown_verdict(verdict) %in% "not testable"
  ]
  if (nrow(own) == 0) return(NULL)
  of_row <- vapply(rows, `[[`, "", "verdict")[match(own$claim, shown)]
  decided <- is_decided(of_row)
  named <- mapply(function(id, part) {
    (data$experiments[[id]]$claims[[part]]$published$quantity %||% "") %in% wanted
  }, own$experiment, own$claim)
  own[order(
    !decided, is_decided(verdict) != decided, !named,
    shown_verdict(verdict) != of_row, shown_verdict(verdict) == "holds",
    match(claim, claim_parts(data)$part), -match(base_protocol(protocol), shown_protocols(data))
  )][1]
}

#' A study's sentence: the results of its claims, and its headline number.
study_sentence <- function(data, study_id, rows, quoted) {
  verdicts <- vapply(rows, `[[`, "", "verdict")
  judged <- vapply(rows, `[[`, TRUE, "judged")
  ids <- vapply(rows, `[[`, "", "claim")
  of_kind <- function(kind) paste(ids[judged & verdicts == kind], collapse = ", ")
  others <- setdiff(intersect(c(verdict_words, differs_words), verdicts[judged]), "holds")
  holds <- sum(judged & verdicts == "holds")
  tally <- paste(c(
    sprintf("Of %s ", format_plural(length(rows), "claim")),
    if (holds == 0) "none holds." else
      sprintf("%s %s (%s).", format_count(holds), count_verb("holds", holds), of_kind("holds")),
    sprintf(" %s: %s.", sub("^(.)", "\\U\\1", others, perl = TRUE), vapply(others, of_kind, "")),
    if (any(!judged)) sprintf(" Not judged: %s.", paste(ids[!judged], collapse = ", "))
  ), collapse = "")
  row <- headline_verdict(data, study_id, rows, quoted)
  if (is.null(row)) return(list(text = "", tally = tally, id = ""))
  published <- published_words(data, row$experiment, row$claim)
  of_claim <- verdicts[match(row$claim, vapply(rows, `[[`, "", "id"))]
  own <- count_verb(shown_verdict(row$verdict), 1)
  is_own <- of_claim == shown_verdict(row$verdict)
  said <- if (is_own) own else sprintf("%s; in one case it %s", count_verb(of_claim, 1), own)
  text <- paste0(
    row$claim, " ", said, ". ", row_sentence(data, row), ".",
    if (nzchar(published)) paste0(" The study: ", published, ".")
  )
  list(text = text, tally = tally, id = row$verdict_id, contrast = row$contrast)
}

#' `hold`, `does not hold`, `is undecided`: a verdict as the verb of `n` claims.
count_verb <- function(kind, n) {
  single <- n == 1
  switch(kind,
    holds = if (single) "holds" else "hold", "does not hold" = if (single) "does not hold" else "do not hold",
    "right direction, other size" = if (single) "has the right direction and another size" else
      "have the right direction and another size",
    "opposite direction" = if (single) "has the opposite direction" else "have the opposite direction",
    "differs by case" = if (single) "differs by case" else "differ by case",
    paste(if (single) "is" else "are", kind)
  )
}

#' The name of a study: its authors and year, or its title if nothing was published.
study_name <- function(data, study_id) {
  experiment <- data$experiments[[match(study_id, study_of(data, names(data$experiments)))]]
  if (!study_id %in% data$published$study && !study_id %in% data$layout$studies$study) return(experiment$title)
  short_cite(experiment$study)
}

#' A study as it is cited, with the year if its text gives one.
cite_words <- function(study) {
  year <- study$year %||% NA
  paste0(study$authors, if (is.finite(year)) paste0(" (", year, ")"), ", ", study$where, ".")
}

#' `C. Stegerer and S. Risse, 2008`; with the year if the study's text gives one.
short_cite <- function(study) paste(c(study$authors, if (is.finite(study$year %||% NA)) study$year), collapse = ", ")

#' Whether all experiments are defined by the user.
is_of_user <- function(data) {
  studies <- study_of(data, names(data$experiments))
  length(studies) > 0 && !any(studies %in% c(data$published$study, data$layout$studies$study))
}

#' The title of the report: that of the user's studies, if all are the user's.
report_title <- function(data) {
  if (!is_of_user(data)) return("Published Java cryptography benchmarks, rerun")
  studies <- unique(study_of(data, names(data$experiments)))
  format_list(unique(vapply(studies, function(id) study_name(data, id), "")))
}

#' The first pages: `title`, `counts`, `protocols`, and for each study its sentence and the rows of its claims.
#' `borrowed` says which run the numbers are from that `with_own_results` took over; it is empty if there are none.
table_answer <- function(data) {
  rows <- claim_rows(data)
  quoted <- quoted_verdicts(data)
  all <- unlist(unname(rows), recursive = FALSE)
  decided <- sum(vapply(all, `[[`, TRUE, "decided"))
  judged <- sum(vapply(all, `[[`, TRUE, "judged"))
  borrowed <- any(vapply(all, function(row) any(unlist(lapply(row$now, `[[`, "borrowed"))), TRUE))
  not_comparable <- sum(vapply(all, function(row) row$judged && row$verdict == "not comparable", TRUE))
  list(
    title = report_title(data), own = is_of_user(data),
    counts = if (length(all) == 0) "This run judges no claim." else sprintf(
      "%s of %s %s decided, %s undecided, %s not comparable and %s not judged in this run.", format_count(decided),
      format_plural(length(all), "claim"), if (decided == 1) "is" else "are",
      format_count(judged - decided - not_comparable), format_count(not_comparable), format_count(length(all) - judged)
    ),
    where = if (judged > 0) sprintf(
      "A number is that of the first environment in which its claim was judged. %s %s %% (Holm's correction).",
      "Among all verdicts of a study under one protocol, the chance of any wrong one is at most",
      format_significant_plain(100 * (data$settings$alpha %||% 0.05))
    ) else "",
    protocols = as.list(protocol_words(shown_protocols(data))),
    borrowed = if (borrowed) reference_words(data, rbindlist(lapply(data$own_results, `[[`, "rounds"))) else "",
    published = any(vapply(all, function(row) nzchar(row$published), TRUE)),
    studies = lapply(names(rows), function(id) {
      list(
        id = id, name = study_name(data, id), sentence = study_sentence(data, id, rows[[id]], quoted), rows = rows[[id]]
      )
    })
  )
}
