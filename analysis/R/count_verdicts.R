# Verdicts of claims about counts: either every visit is as the claim says, or at least one is not. They have neither
# intervals nor p values.

#' Verdict rows of a claim whose form compares counts, one per variant and stratum.
#'
#' A visit is an iteration, warm-up included, since a server stops only once. Where the measure is of a whole fork, the
#' fork is the visit.
#'
#' @param claim of `listed_claims`
#' @param forks the table `forks.csv`, of forks that count
#' @param observed the table `observed.csv`
#' @param visits the table `observations.csv.gz`
#'
#' @param environments of `environment_parts`
#' @return data.table with the columns of `claim_verdicts`. Here `estimate` is the share of visits that are as claimed,
#'   and `contrasts` is their number
count_verdicts <- function(claim, forks, observed, visits, environments) {
  rows <- lapply(split(claim$pairs[order(verdict)], by = "verdict"), function(pairs) {
    labels <- verdict_labels(claim, pairs)
    caveat <- caveats_of(environments, unique(pairs$numerator_environment))
    if (nzchar(pairs$lacking[1])) return(row_without_estimate(labels, not_measured(pairs$lacking[1]), caveat))
    here <- forks[side_of(pairs, "numerator"), on = setdiff(cell_id, "measure"), nomatch = NULL]
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
