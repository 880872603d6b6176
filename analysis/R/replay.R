# Replays of a run from the forks of a measured one. They compare the verdicts and the cost of two plans. One plan
# measures more forks for undecided claims; the other gives every cell the same number of forks.

#' The pool from which `staged_run` and `fixed_run` draw: forks of a recorded run, at random and with replacement.
#'
#' Each cell gives as many forks as are demanded, each in a separate round. So replays differ, and the run's number of
#' forks limits none of them. Forks whose times are unproven are left out, since more of them decide nothing under any
#' plan. Cells that then have fewer forks than the test of a stage needs are left out too.
#'
#' @return function(wanted), as `staged_run` expects it
fork_pool <- function(forks) {
  key <- c("experiment", "environment", "protocol", "cell")
  pool <- forks[!warm_up_state %in% c("still compiling", "unproven")]
  pool <- pool[pool[, if (.N >= least_stage_forks) .I, by = key]$V1]
  rows <- pool[, .(rows = list(.I)), by = key]
  measured <- 0L
  function(wanted) {
    own <- if (is.data.table(wanted)) rows[wanted, on = key, nomatch = NULL] else copy(rows)[, forks := wanted]
    taken <- unlist(Map(function(rows, count) rows[sample.int(length(rows), count, TRUE)], own$rows, own$forks))
    found <- pool[taken]
    found[, number := measured + sequence(own$forks)]
    found[, `:=`(round = sprintf("%05d", number), fork = number)]
    measured <<- max(found$number, measured)
    found
  }
}

#' One replay of each plan.
#'
#' @param sizes forks of every cell in the fixed plans
#' @return data.table: `plan` (`stages`, or a number of forks per cell), `forks`, `fork_s` (seconds of the forks
#'   drawn), `decided` (verdicts) and `judged`. The latter counts the verdicts that times can decide.
replay_plans <- function(forks, definitions, pairs, sizes, looks = 4L, most = 100L) {
  result_of <- function(name, run) {
    verdicts <- run$verdicts[!verdict %in% unjudged_kinds]
    data.table(
      plan = name, forks = nrow(run$forks), fork_s = sum(run$forks$elapsed_ms) / 1000,
      decided = sum(verdicts$verdict %in% decided_kinds), judged = nrow(verdicts)
    )
  }
  fixed <- lapply(sizes, function(size) {
    result_of(as.character(size), fixed_run(fork_pool(forks), definitions, pairs, size))
  })
  staged <- staged_run(fork_pool(forks), definitions, pairs, least_first_forks, looks, most)
  rbindlist(c(list(result_of("stages", staged)), fixed))
}

#' Forks of each cell in a run's first stage.
least_first_forks <- 5L

#' Seconds that fixed plans need to decide as many verdicts as the staged plan. Between two sizes, the logarithm of the
#' seconds is interpolated. It is Inf if no fixed plan decides as many.
#'
#' @param table means of `replay_plans`, with its fixed plans in the order of their sizes
seconds_for_as_many <- function(table) {
  staged <- table[plan == "stages"]
  fixed <- table[plan != "stages"][order(fork_s)]
  enough <- which(fixed$decided >= staged$decided)[1]
  if (is.na(enough)) return(Inf)
  if (enough == 1L) return(fixed$fork_s[1])
  stats::approx(
    fixed$decided[enough - 1:0], log(fixed$fork_s[enough - 1:0]), staged$decided, ties = "ordered"
  )$y |> exp()
}

# A run for verdicts from its first stage to its last, with forks that are drawn instead of measured. It shows the
# verdicts and the cost of stages planned by `claim_demands`. A run with the same number of forks for every cell serves
# as the comparison.

#' Repeats stages with the forks that undecided claims demand, until none is undecided or no analysis is left.
#'
#' @param draw function(wanted) that gives rows of forks.csv. Its argument `wanted` is a data.table
#'   `experiment`, `environment`, `protocol`, `cell`, `forks`, or one number of forks for every cell.
#' @param first forks of each cell in stage one
#' @param looks maximum number of analyses; `most` forks of a cell in a later stage
#' @return list: `verdicts` of `judge_claims` after the last stage, `forks` (all that were drawn), `stages`
staged_run <- function(draw, definitions, pairs, first = 5L, looks = 4L, most = 40L) {
  alpha <- definitions$settings$alpha %||% 0.05
  forks <- draw(first)[, `:=`(stage = 1L, looks = ..looks)]
  for (look in seq_len(looks)) {
    judged <- judge_claims(forks, definitions, pairs)
    if (look == looks) break
    demands <- claim_demands(judged, looks, alpha, most, pairs)$demands
    if (nrow(demands) == 0) break
    wanted <- demands[, .(forks = max(forks)), by = .(experiment, environment, protocol, cell)]
    forks <- rbind(forks, draw(wanted)[, `:=`(stage = look + 1L, looks = ..looks)])
  }
  list(verdicts = judged$verdicts, forks = forks, stages = look)
}

#' A run with the same number of forks for every cell, and a single analysis.
fixed_run <- function(draw, definitions, pairs, forks) {
  drawn <- draw(forks)[, `:=`(stage = 1L, looks = 1L)]
  list(verdicts = judge_claims(drawn, definitions, pairs)$verdicts, forks = drawn, stages = 1L)
}
