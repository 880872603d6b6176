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
  told <- function(name, run) {
    verdicts <- run$verdicts[!verdict %in% unjudged_kinds]
    data.table(
      plan = name, forks = nrow(run$forks), fork_s = sum(run$forks$elapsed_ms) / 1000,
      decided = sum(verdicts$verdict %in% decided_kinds), judged = nrow(verdicts)
    )
  }
  fixed <- lapply(sizes, function(size) {
    told(as.character(size), fixed_run(fork_pool(forks), definitions, pairs, size))
  })
  staged <- staged_run(fork_pool(forks), definitions, pairs, least_first_forks, looks, most)
  rbindlist(c(list(told("stages", staged)), fixed))
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

# Where the time of a run went: iterations, the start of JVMs and their warm-up, the engine, what lies between rounds.

#' Shares of a run's time.
#'
#' Rounds that follow each other with a longer gap than `break_s` belong to different sittings (a run that was ended and
#' gone on with later); such a gap is not counted.
#'
#' @param rounds data.table: `path`, `started_at`, `finished_at` (ISO 8601), `elapsed_s` (of the container)
#' @param forks data.table: `elapsed_ms`, a row per fork
#' @param iterations data.table: `start_uptime_ms`, `end_uptime_ms`, a row per iteration, warm-up too
#' @return data.table: `part`, `seconds`, `share_pct` of the whole: `iterations` (warm-up and measurement), `forks'
#'   start and set-up`, `engine` (containers' start and end, the round's runner), `between rounds` (Snakemake, checks,
#'   records), `all`
time_shares <- function(rounds, forks, iterations, break_s = 60) {
  moment <- function(text) as.numeric(as.POSIXct(text, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC"))
  times <- data.table(start = moment(rounds$started_at), end = moment(rounds$finished_at))[order(start)]
  gaps <- times$start[-1] - times$end[-nrow(times)]
  inside <- sum(times$end - times$start)
  between <- sum(gaps[gaps >= 0 & gaps <= break_s]) + inside - sum(rounds$elapsed_s)
  measured <- sum(iterations$end_uptime_ms - iterations$start_uptime_ms) / 1000
  in_forks <- sum(forks$elapsed_ms) / 1000
  seconds <- c(
    iterations = measured, `forks' start and set-up` = in_forks - measured, engine = sum(rounds$elapsed_s) - in_forks,
    `between rounds` = between
  )
  seconds <- c(seconds, all = sum(seconds))
  data.table(part = names(seconds), seconds = unname(seconds), share_pct = 100 * unname(seconds / seconds[["all"]]))
}

#' Shares of the forks' own time, by protocol.
#'
#' @param forks as above, with `fork_key` and `protocol`
#' @param iterations as above, with `fork_key`
#' @return data.table: `protocol`, `part`, `seconds`, `share_pct` of that protocol's forks: `before the first iteration`
#'   (the JVM's start, set-up, warm-up by count), `iterations`, `between and after them`
fork_shares <- function(forks, iterations) {
  own <- iterations[, .(
    before = min(start_uptime_ms), measured = sum(end_uptime_ms - start_uptime_ms)
  ), by = fork_key][forks, on = fork_key, nomatch = NULL]
  parts <- own[, .(
    part = c("before the first iteration", "iterations", "between and after them"),
    seconds = c(sum(before), sum(measured), sum(elapsed_ms - before - measured)) / 1000
  ), keyby = protocol]
  parts[, share_pct := 100 * seconds / sum(seconds), by = protocol][]
}

command_time_shares <- function(words) {
  arguments <- read_arguments(
    list(
      raw = list(text = "the raw directory", required = TRUE, folder = TRUE),
      rounds = list(text = "file that names the rounds; all of the raw directory if left out", file = TRUE),
      out = list(text = "directory for time_shares.csv", required = TRUE)
    ),
    "Says which part of a run's time went into iterations and which into everything else, of forks by protocol.",
    words
  )
  tidy <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))
  table <- rbind(
    time_shares(tidy$rounds, tidy$forks, tidy$iterations)[, protocol := "all"],
    fork_shares(tidy$forks, tidy$iterations), use.names = TRUE
  )
  write_table(table, out_file(arguments$out, "time_shares.csv"))
  print_table(table)
}
