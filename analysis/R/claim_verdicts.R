# The verdict rows of one claim: every variant in every stratum that was measured.

#' Verdict rows of a claim, before Holm.
#'
#' @param contrasts the claim's estimates
#'
#' @return data.table, one row per verdict of the claim's rows. A claim that can be tested nowhere has one row without a
#'   stratum
claim_verdicts <- function(claim, contrasts, cells, environments) {
  cells <- cells[experiment == claim$experiment$id]
  for (which in c("numerator", "denominator")) {
    numbers <- cells[side_of(contrasts, which), on = measured_cell, which = TRUE, mult = "first"]
    set(contrasts, j = paste0(which, "_row"), value = numbers)
  }
  of_verdict <- split(seq_len(nrow(contrasts)), contrasts$verdict)
  rows <- lapply(split(seq_len(nrow(claim$pairs)), claim$pairs$verdict), function(own) {
    pairs <- claim$pairs[own]
    here <- contrasts[of_verdict[[as.character(pairs$verdict[1])]] %||% 0L]
    verdict_row(claim, here, pairs, cells, environments)
  })
  rbindlist(rows, use.names = TRUE, fill = TRUE)
}

#' The first columns of every verdict row of a claim: its labels, and the stratum and variant of its pairs.
verdict_labels <- function(claim, pairs) {
  place <- lapply(as.list(pairs)[c(place_columns, "variant")], `[`, 1L)
  if (!nzchar(place$machine_id) && !nzchar(place$protocol)) place <- lapply(place, function(value) NA_character_)
  c(list(experiment = claim$experiment$id, claim = claim$id, measure = claim$measure, form = claim$form), place)
}

#' The verdict of a variant in a stratum.
#'
#' @param here its contrasts, with the rows of their sides in `cells`
#' @param cells those of the claim's experiment
#'
#' @return its columns, a list or data.table of one row
verdict_row <- function(claim, here, pairs, cells, environments) {
  labels <- verdict_labels(claim, pairs)
  decision <- claim$decision
  usable <- here[which(here$used & !is.na(here$ratio))]
  if (nrow(usable) == 0) {
    ids <- c(pairs$numerator_environment, pairs$denominator_environment, strsplit(pairs$environments, ";")[[1]])
    return(row_without_estimate(labels, lacking_reason(claim, here, pairs), caveats_of(environments, ids)))
  }
  is_featured <- nzchar(usable$featured)
  is_compared <- !nzchar(usable$excluded) & !is_featured
  rows <- c(usable$numerator_row, usable$denominator_row)
  used <- cells[rows[!is.na(rows)]]
  set(used, j = "compared", value = levels_of(used, decision$scope$factor, environments))
  covers <- c(
    scope_words(decision$scope, used, measured_workloads(pairs, cells)),
    if (any(is_featured)) featured_sentence(usable[is_featured])
  )
  result <- list(
    verdict = "undecided", reason = "", covers = paste(covers[nzchar(covers)], collapse = "; "),
    caveat = caveats_of(environments, used$environment)
  )
  comparable <- if (any(is_compared) && !all(is_compared)) usable[is_compared] else usable
  summary <- summarise_contrasts(comparable, counts_points(claim))
  if (decision$reversed) summary$answer <- other_answer(summary$answer)
  if (!decision$judged || !any(is_compared)) {
    result[c("verdict", "reason")] <- list("not-comparable", unjudged_reason(claim, usable, summary))
    summary[c("p", "unproven")] <- list(NA_real_, FALSE)
  }
  c(labels, summary, result)
}

#' Whether a claim's differences are in percentage points.
counts_points <- function(claim) identical(as.numeric(claim$parameters$points %||% 1), 100)

#' All workloads of an experiment's cells that were measured in the stratum of some rows.
measured_workloads <- function(pairs, cells) {
  here <- cells$machine_id == pairs$machine_id[1] & cells$protocol == pairs$protocol[1]
  if (nzchar(pairs$image_id[1])) {
    here <- here & cells$environment == pairs$environment[1] & cells$image_id == pairs$image_id[1]
  }
  unique(cells$workload[here])
}

#' Why an estimate is not judged, with the estimate. The claim may be a question, may exclude the pairs, or may not be
#' comparable with the study's number.
unjudged_reason <- function(claim, usable, summary) {
  here <- sprintf(
    "Here: %s, interval %s to %s%s%s", summary$sentence, format_measured(summary$lower), format_measured(summary$upper),
    if (nrow(usable) > 1) sprintf("; %d estimates in all", nrow(usable)) else "",
    if (summary$unproven) sprintf("; warm-up unproven (%s)", summary$warm_up_why) else ""
  )
  if (!claim$decision$judged) {
    return(paste0(claim$reason %||% "a question, without a number of the study", ". ", here))
  }
  excluded <- c(
    usable$excluded[nzchar(usable$excluded)], "every pair uses features of the CPU, which the claim excepts"
  )
  paste0(excluded[1], ". ", here)
}

#' The row of a verdict that has no estimate.
#'
#' @param why list of `verdict`, `cause` and `reason`
row_without_estimate <- function(labels, why, caveat = "") {
  as.data.table(c(labels, no_contrasts, why, list(covers = "", caveat = caveat)))
}

#' Why a verdict has no estimate: the argument `why` of `row_without_estimate`.
not_measured <- function(reason) list(verdict = "not-testable", cause = "not measured", reason = reason)
without_estimate <- function(cause, reason) list(verdict = "undecided", cause = cause, reason = reason)

#' A table of verdicts without rows.
no_verdicts <- function() {
  names <- c("experiment", "claim", "measure", "form", place_columns, "variant")
  blank <- row_without_estimate(stats::setNames(as.list(rep("", length(names))), names), not_measured(""))[0]
  numbers <- c("gap", "spread", "df", "reach", "tests")
  blank[, c(numbers) := numeric()][, c("close", "misfit") := logical()][]
}

#' Why a verdict has no contrast: the argument `why` of `row_without_estimate`.
#'
#' @param here its contrasts, of pairs whose cells have forks that count
lacking_reason <- function(claim, here, pairs) {
  if (claim$decision$compares == "nothing") {
    return(list(verdict = "not-testable", cause = "", reason = pairs$lacking[1]))
  }
  if (nzchar(pairs$lacking[1])) return(not_measured(pairs$lacking[1]))
  if (nrow(here) == 0 || any(here[["warm_up_why"]] %in% disturbed_words)) {
    return(without_estimate("disturbed", disturbed_words))
  }
  observed <- setdiff(claim$measures, names(measures))
  if (length(observed) > 0 && all(here$forks_min == 0)) {
    return(not_measured(sprintf("no fork of the cells observed %s", format_list(observed, "or"))))
  }
  if (any(here$forks_min %in% 1L)) {
    return(without_estimate("too few forks", "some cell has fewer than 2 forks, so no interval"))
  }
  if (any(here$forks_min > 0 & here$forks_min < least_stage_forks)) {
    words <- sprintf("some cell has fewer than %d forks, the least of a stage that is tested", least_stage_forks)
    return(without_estimate("too few forks", words))
  }
  without_estimate("disturbed", "every run of a cell that the claim compares was disturbed")
}

#' Verdicts whose forks were all disturbed, with the disturbance gates that the forks of their cells broke. The programs
#' that were busy in those rounds are added.
#'
#' @param forks,rounds the tables, including forks that don't count
with_disturbers <- function(verdicts, pairs, forks, rounds, words) {
  for (row in which(verdicts$cause %in% "disturbed")) {
    own <- pairs[paste0("v", verdict) == verdicts$verdict_id[row]]
    sides <- unique(rbind(side_of(own, "numerator"), side_of(own, "denominator"))[nzchar(cell)])
    hit <- forks[sides, on = measured_cell, nomatch = NULL][!(valid)]
    where <- unique(hit[, .(experiment, environment, round)])
    busy <- unique(rounds[where, on = names(where), nomatch = NULL]$busy_programs)
    busy <- busy[!busy %in% c("", NA)]
    causes <- c(
      if (nrow(hit) > 0) invalid_cause_words(words, hit$invalid_cause),
      if (length(busy) > 0) paste("busy beside them:", format_some(busy, 3))
    )
    set(verdicts, row, "reason", paste(c(verdicts$reason[row], causes), collapse = "; "))
  }
  verdicts[]
}

#' The part of a claim's scope that the used cells cover, and the part that they do not cover.
#'
#' @param scope of the claim's decision: the levels of factors that it leaves open, and its workloads. A form that is
#'   judged on the measured levels adds the compared levels
#' @param used cells that the verdict is based on, with their compared level in `compared`
#' @param measured all workloads that were measured in its stratum
#' @return `at 100 KB; 1 MB and 10 MB not in this tier`, or empty when all of the scope is covered
scope_words <- function(scope, used, measured) {
  workloads <- unique(used$workload)
  parts <- Filter(Negate(is.null), lapply(names(scope$factors), function(factor) {
    part <- scope$factors[[factor]]
    if (!any(workloads %in% unlist(part$workloads))) return(NULL)
    covered_part(part, used[[paste0("factor.", factor)]])
  }))
  # A workload that is judged by itself has a separate verdict.
  there <- if (scope$each_workload) measured else workloads
  parts <- c(list(covered_part(scope$workloads, there, workloads)), parts)
  if (length(scope$levels) > 0) parts <- c(list(covered_part(scope, used$compared)), parts)
  covered <- unlist(lapply(parts, `[[`, "covered"))
  # Some levels have no words and are not mentioned.
  covered <- covered[nzchar(covered)]
  # Workloads may share their words.
  missing <- setdiff(unlist(lapply(parts, `[[`, "missing")), covered)
  if (length(missing) == 0) return("")
  lacking <- paste(format_list(missing), "not in this tier")
  if (length(covered) == 0) lacking else sprintf("at %s; %s", format_list(covered), lacking)
}

#' The words of the levels that the verdict is based on, and of those that were not measured; NULL where all were.
covered_part <- function(part, measured, used = measured) {
  levels <- unlist(part$levels)
  if (all(levels %in% measured)) return(NULL)
  words <- as.character(unlist(part$words))
  list(covered = unique(words[levels %in% used]), missing = unique(words[!levels %in% measured]))
}

#' The levels that cells have of a factor of any kind; NA where the name is empty.
levels_of <- function(cells, factor, environments) {
  if (factor %in% c("system", "platform", "jdk")) {
    return(environments[[factor]][match(cells$environment, environments$environment)])
  }
  fixed <- c(workload = "workload", provider = "provider", "cpu-profile" = "cpu_profile")
  column <- if (factor %in% names(fixed)) fixed[[factor]] else paste0("factor.", factor)
  cells[[column]] %||% rep(NA_character_, nrow(cells))
}

#' Whether the order of pairs with features is reversed: `corretto and sunjce (corretto: AES-NI) turn round`.
#'
#' @param rows contrasts with `featured`, several settings for each `pair`
featured_sentence <- function(rows) {
  said <- rows[, .(text = sprintf(
    "%s and %s (%s) %s", numerator[1], denominator[1], featured[1],
    if (p_support[1] <= 0.05) "keep their order" else if (p_refute[1] <= 0.05) "turn round" else "are unclear"
  )), by = pair]$text
  paste0("with features of the CPU, which the claim excepts: ", paste(said, collapse = "; "))
}

# Verdicts of claims about counts: either every visit is as the claim says, or at least one is not. They have neither
# intervals nor p values.

#' Verdict rows of a claim whose form compares counts, one per variant and stratum.
#'
#' A visit is an iteration, warm-up included, since a server stops only once. Where the measure is of a whole fork, the
#' fork is the visit.
#'
#' @return data.table with the columns of `claim_verdicts`. Here `estimate` is the share of visits that are as claimed,
#'   and `contrasts` is their number
count_verdicts <- function(claim, forks, observed, visits, environments) {
  rows <- lapply(split(claim$pairs[order(verdict)], by = "verdict"), function(pairs) {
    labels <- verdict_labels(claim, pairs)
    caveat <- caveats_of(environments, unique(pairs$numerator_environment))
    if (nzchar(pairs$lacking[1])) return(row_without_estimate(labels, not_measured(pairs$lacking[1]), caveat))
    here <- forks[side_of(pairs, "numerator"), on = measured_cell, nomatch = NULL]
    if (nrow(here) == 0) {
      return(row_without_estimate(labels, without_estimate("disturbed", "every run was disturbed"), caveat))
    }
    found <- counted(claim, here[, fork_key, with = FALSE], observed, visits)
    if (nrow(found) == 0) {
      why <- not_measured(sprintf("no fork of the cells observed %s", claim$measure))
      return(row_without_estimate(labels, why, caveat))
    }
    result <- c(counted_summary(claim, found), list(covers = "", caveat = caveat))
    excluded <- pairs$excluded[nzchar(pairs$excluded)]
    if (length(excluded) > 0) {
      result[c("verdict", "reason")] <- list("not-comparable", sprintf("%s. Here: %s", excluded[1], result$sentence))
    }
    as.data.table(c(labels, result))
  })
  rbindlist(rows, use.names = TRUE, fill = TRUE)
}

#' The visits of some forks: `value`, the observed value, and `wanted`, the value that the claim states.
counted <- function(claim, keys, observed, visits) {
  values <- function(name) {
    columns <- c(fork_key, "iteration", "value")
    own <- if (!is.null(visits)) visits[measure == name, columns, with = FALSE]
    if (NROW(own) == 0 && NROW(observed) > 0) {
      own <- observed[measure == name, c(fork_key, "value"), with = FALSE][, iteration := 0]
    }
    if (NROW(own) == 0) return(data.table(value = numeric(), iteration = numeric())[, (fork_key) := character()])
    own[keys, on = fork_key, nomatch = NULL]
  }
  found <- values(claim$measure)
  if (!is.character(claim$equals)) return(found[, wanted := claim$equals][])
  wanted <- values(claim$equals)
  setnames(wanted, "value", "wanted")
  merge(found, wanted, by = c(fork_key, "iteration"))
}

#' A row's columns from the visits' values.
counted_summary <- function(claim, found) {
  good <- found$value == found$wanted
  forks <- nrow(unique(found[, fork_key, with = FALSE]))
  aim <- if (is.character(claim$equals)) paste("the", measure_phrase(claim$equals)) else format_plain(claim$equals)
  text <- sprintf(
    "the %s is %s in %d of %d observations of %s", measure_phrase(claim$measure), aim, sum(good), length(good),
    format_plural(forks, "JVM run")
  )
  if (!all(good)) {
    text <- sprintf("%s; in another it is %s", text, format_plain(found$value[!good][1]))
  }
  list(
    contrast = NA_character_, estimate = mean(good), lower = NA_real_, upper = NA_real_, contrasts = length(good),
    forks_min = forks, warm_up_state = "", warm_up_why = "", tipping_factor = NA_real_, unproven = FALSE, p = NA_real_,
    answer = NA_character_, sentence = text, target = aim,
    verdict = if (all(good)) "holds" else "does-not-hold", reason = text
  )
}
