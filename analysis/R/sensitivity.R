# The verdicts judged again in other ways: which of them would change.

verdict_keys <- c("experiment", "claim", "variant", place_columns)
sensitivity_columns <- columns_of("sensitivity.csv")

#' Judge every claim again, each time with Holm over all verdicts of that analysis.
#'
#' - `all forks`: the gates ignored; every fork that was measured first, and no rerun
#' - `without iterations hit by a pause`: a fork's mean without them; forks of which a pause hit every iteration have
#'   none
#' - `bootstrap-t`: intervals and p values of `bootstrap_estimates`, not paired by rounds, in place of Student's
#' - `warm-up ignored`: as if all times were proven, whatever HotSpot had compiled and reference forks say
#'
#' @param forks the table `forks.csv`, valid or not; `definitions`, `pairs`, and `...` (`observed`, `calls`, `visits`)
#'   as for `judge_claims`. What forks observed besides time, and what was made of their calls, is the same in
#'   all of them
#' @param verdicts what `judge_claims` gives for the valid forks
#' @return the table `sensitivity.csv` of the dictionary: for each analysis, every verdict that was judged in it or in
#'   the report itself
sensitivity_table <- function(forks, definitions, pairs, verdicts, ...) {
  valid <- valid_forks(forks)
  again <- list(
    "all forks" = judge_claims(first_forks(forks), definitions, pairs, ...),
    "without iterations hit by a pause" = judge_claims(unpaused_forks(valid), definitions, pairs, ...),
    "bootstrap-t" = judge_claims(valid, definitions, pairs, ..., estimator = bootstrap_estimates),
    "warm-up ignored" = judge_claims(as_if_proven(valid), definitions, pairs, ...)
  )
  rows <- lapply(names(again), function(name) compared_verdicts(verdicts, again[[name]]$verdicts, name))
  rbindlist(rows)
}

#' What became of every verdict that either judged; one that the other has no place for is `not-testable`.
compared_verdicts <- function(verdicts, again, name) {
  own <- verdicts[!is.na(environment), c("verdict_id", verdict_keys, "verdict", "p"), with = FALSE]
  # Where gates broke every fork the report has no place for a verdict: the claim's row without one stands for it.
  lost <- again[!own, on = verdict_keys][!is.na(p), c(verdict_keys, "verdict", "p"), with = FALSE]
  nowhere <- verdicts[is.na(environment), .(verdict_id, experiment, claim)]
  lost[, verdict_id := nowhere[lost, on = c("experiment", "claim"), fcoalesce(x.verdict_id, ""), mult = "first"]]
  own <- rbind(own, lost[, `:=`(verdict = "not-testable", p = NA_real_)], use.names = TRUE)
  found <- again[own, on = verdict_keys, mult = "first"][!is.na(p) | !is.na(i.p)]
  found[is.na(verdict), verdict := "not-testable"]
  found[, `:=`(verdict_id = i.verdict_id, analysis = name, changes = verdict != i.verdict)]
  found[, sensitivity_columns, with = FALSE]
}

#' Forks with the means of the iterations that no pause hit in place of their own.
unpaused_forks <- function(forks) {
  copy(forks)[, `:=`(wall_ns_per_op = wall_ns_per_op_unpaused, cpu_ns_per_op = cpu_ns_per_op_unpaused)][]
}

#' Forks whose times nobody asks a proof for.
as_if_proven <- function(forks) copy(forks)[, `:=`(warm_up_state = warm_up_states[1], warm_up_why = "")][]
