# A run for verdicts from its first stage to its last, with forks that are drawn instead of measured: what stages that
# `claim_demands` plans decide and cost, beside a run that gives every cell as many forks.

#' Stage after stage, each of the forks that undecided claims demand, until none is undecided or no analysis is left.
#'
#' @param draw function(wanted, stage) that gives rows of forks.csv: `wanted` is data.table `experiment`,
#'   `environment`, `protocol`, `cell`, `forks`, or the forks of every cell as one number
#' @param first forks of each cell in stage one; `looks` at most; `most` forks of a cell in a later stage
#' @return list: `verdicts` of `judge_claims` after the last stage, `forks` (all that were drawn), `stages`
staged_run <- function(draw, definitions, pairs, first = 5L, looks = 4L, most = 40L) {
  alpha <- definitions$settings$alpha %||% 0.05
  forks <- draw(first, 1L)[, `:=`(stage = 1L, looks = ..looks)]
  for (look in seq_len(looks)) {
    judged <- judge_claims(forks, definitions, pairs)
    if (look == looks) break
    demands <- claim_demands(judged, looks, alpha, most)$demands
    if (nrow(demands) == 0) break
    wanted <- demands[, .(forks = max(forks)), by = .(experiment, environment, protocol, cell)]
    forks <- rbind(forks, draw(wanted, look + 1L)[, `:=`(stage = look + 1L, looks = ..looks)])
  }
  list(verdicts = judged$verdicts, forks = forks, stages = look)
}

#' A run that gives every cell as many forks and looks once.
fixed_run <- function(draw, definitions, pairs, forks) {
  drawn <- draw(forks, 1L)[, `:=`(stage = 1L, looks = 1L)]
  list(verdicts = judge_claims(drawn, definitions, pairs)$verdicts, forks = drawn, stages = 1L)
}
