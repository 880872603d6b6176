# The verdicts under other analyses: which of them would change.

verdict_keys <- c("experiment", "claim", "variant", place_columns)
sensitivity_columns <- columns_of("sensitivity.csv")

#' Judge every claim again, each time with Holm over all verdicts of that analysis.
#'
#' - `all forks`: gates are ignored. It uses every fork that was measured first, and no rerun.
#'
#' - `without iterations hit by a pause`: a fork's mean without them. A fork in which a pause hit every iteration has
#'   no mean.
#'
#' - `bootstrap-t`: intervals and p values of `bootstrap_estimates` instead of Student's, not paired by rounds
#'
#' - `warm-up ignored`: treats all times as proven, whatever HotSpot had compiled and reference forks show
#'
#' @param forks the table `forks.csv`, valid or not
#'
#' @param definitions,pairs,... as for `judge_claims` (`...` are `observed`, `calls`, `visits`). Observations other
#'   than time, and the analysis of calls, are the same in every analysis.
#'
#' @param verdicts the result of `judge_claims` for the valid forks
#'
#' @return the table `sensitivity.csv` of the dictionary. For each analysis, it has every verdict that was judged in it
#'   or in the report.
sensitivity_table <- function(forks, definitions, pairs, verdicts, ...) {
  valid <- valid_forks(forks)
  judged <- function(...) judge_claims(..., definitions = definitions, pairs = pairs)$verdicts
  again <- list(
    "all forks" = function() judged(first_forks(forks), ...),
    "without iterations hit by a pause" = function() judged(unpaused_forks(valid), ...),
    "bootstrap-t" = function() judged(valid, ..., estimator = bootstrap_estimates),
    "warm-up ignored" = function() judged(as_if_proven(valid), ...)
  )
  rbindlist(in_parallel(names(again), function(name) compared_verdicts(verdicts, again[[name]](), name)))
}

#' Compares every verdict that either analysis judged. A verdict that is missing in one of them is `not-testable`
#' there.
compared_verdicts <- function(verdicts, again, name) {
  own <- verdicts[!is.na(environment), c("verdict_id", verdict_keys, "verdict", "p"), with = FALSE]
  # If gates rejected every fork, the report has no verdict for the place. The claim's row without a place stands for
  # it.
  lost <- again[!own, on = verdict_keys][!is.na(p), c(verdict_keys, "verdict", "p"), with = FALSE]
  nowhere <- verdicts[is.na(environment), .(verdict_id, experiment, claim)]
  lost[, verdict_id := nowhere[lost, on = c("experiment", "claim"), fcoalesce(x.verdict_id, ""), mult = "first"]]
  own <- rbind(own, lost[, `:=`(verdict = "not-testable", p = NA_real_)], use.names = TRUE)
  found <- again[own, on = verdict_keys, mult = "first"][!is.na(p) | !is.na(i.p)]
  found[is.na(verdict), verdict := "not-testable"]
  found[, `:=`(verdict_id = i.verdict_id, analysis = name, changes = verdict != i.verdict)]
  found[, sensitivity_columns, with = FALSE]
}

#' Forks whose means are replaced by the means of the iterations that no pause hit.
unpaused_forks <- function(forks) {
  copy(forks)[, `:=`(wall_ns_per_op = wall_ns_per_op_unpaused, cpu_ns_per_op = cpu_ns_per_op_unpaused)][]
}

#' Forks whose times need no proof of warm-up.
as_if_proven <- function(forks) copy(forks)[, `:=`(warm_up_state = warm_up_states[1], warm_up_why = "")][]
