# Runs replayed from the forks of one that was measured: what a plan by open claims decides and costs, and what a plan
# does that gives every cell as many forks.

#' What `staged_run` and `fixed_run` draw from: forks of a recorded run, by chance and with replacement.
#'
#' Each cell gives as many as are wanted of it, each in a round of its own, so that no two replays are alike and none is
#' limited by how many forks the run had. Forks whose times are unproven are left out, since more of them
#' decide nothing under any plan; then cells with fewer than a stage's test takes.
#'
#' @param forks rows of forks.csv that count
#' @return function(wanted, stage) as `staged_run` has it
fork_pool <- function(forks) {
  key <- c("experiment", "environment", "protocol", "cell")
  pool <- forks[!warm_up_state %in% c("still compiling", "unproven")]
  pool <- pool[pool[, if (.N >= least_stage_forks) .I, by = key]$V1]
  rows <- pool[, .(rows = list(.I)), by = key]
  measured <- 0L
  function(wanted, stage) {
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
#' @return data.table: `plan` (`stages`, or a number of forks a cell), `forks`, `fork_s` (seconds of the forks drawn),
#'   `decided` (verdicts), `judged` (verdicts that time can decide)
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

#' What the fixed plans would take to decide as many verdicts as the stages do: between two sizes by the logarithm of
#' their seconds; Inf where none decides as many.
#'
#' @param table means of `replay_plans`, its fixed plans in the order of their sizes
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
