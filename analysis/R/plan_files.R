# Reads the stage files among the raw data, checks them against the rounds that followed them, and applies them.

stage_columns <- columns_of("stage.csv", "raw")

#' The common prefix of the ids of rounds that belong together.
round_family <- function(round) sub("-[0-9]+$", "", round)

#' Rounds with `stage`, `plan_sha256` and `looks`. Rounds without these fields are of stage one of a plan with a single
#' analysis.
with_stages <- function(rounds) {
  for (column in setdiff(c("stage", "plan_sha256", "looks"), names(rounds))) set(rounds, j = column, value = NA)
  rounds[, `:=`(
    stage = fcoalesce(as.integer(stage), 1L), plan_sha256 = fcoalesce(as.character(plan_sha256), ""),
    looks = fcoalesce(as.integer(looks), 1L)
  )][]
}

#' Forks with `stage` and `looks`, and with `planned` for those that are measured over the window of a plan.
#'
#' Without interim analyses only Stein's two stages matter: the second has the forks that a cell's plan added.
with_plan <- function(forks, rounds, iterations, plans, by) {
  forks[rounds, `:=`(stage = i.stage, looks = i.looks), on = c("experiment", "environment", "round")]
  first <- plans[order(stage), .(first = stage[1]), by = .(experiment, environment, cell)]
  forks[, second := FALSE]
  forks[first, second := stage >= i.first, on = c("experiment", "environment", "cell")]
  forks[looks == 1L, stage := 1L + second][, second := NULL]
  windows <- iterations[, .(planned = planned[1]), by = by]
  forks[windows, planned := i.planned, on = by][]
}

#' The plans of intervals in the stage files of some rounds.
#'
#' @param rounds with `stage` and `plan_sha256` (empty if a round has none)
#' @return data.table: `experiment`, `environment`, `plan` (`<tier>-<hash>`), `stage`, then `stage_columns`, for cells
#'   with a wanted half-width
#' @section Errors: refuses a stage file by which rounds were measured, if it is missing or was altered. Refuses plans
#'   of two families of rounds in one environment.
read_plans <- function(raw, rounds) {
  families <- unique(copy(rounds)[, plan := round_family(round)][, .(experiment, environment, plan)])
  files <- rbindlist(lapply(seq_len(nrow(families)), function(row) {
    family <- families[row]
    pattern <- sprintf("^%s[.]stage-[2-9][.]csv$", gsub("([.+])", "[\\1]", family$plan))
    names <- list.files(file.path(raw, family$experiment, family$environment), pattern)
    cbind(family[rep(1L, length(names))], stage = as.integer(sub("^.*-([2-9])[.]csv$", "\\1", names)))
  }))
  measured <- rounds[stage > 1, .(round = round[1], sums = list(unique(plan_sha256))), by = .(
    experiment, environment, plan = round_family(round), stage
  )]
  all <- unique(rbind(files, measured[, .(experiment, environment, plan, stage)], fill = TRUE))
  plans <- rbindlist(c(list(no_plans()), lapply(seq_len(nrow(all)), function(row) {
    family <- all[row]
    name <- sprintf("%s.stage-%d.csv", family$plan, family$stage)
    file <- file.path(raw, family$experiment, family$environment, name)
    by_it <- measured[family, on = names(family), nomatch = NULL]
    if (nrow(by_it) > 0) check_stage_file(file, by_it)
    cbind(family, read_stage_file(file)[!is.na(wanted_half_width_pct)])
  })), use.names = TRUE)
  several <- plans[, .(n = uniqueN(plan)), by = .(experiment, environment)][n > 1]
  if (nrow(several) > 0) {
    refuse(
      file.path(raw, several$experiment[1], several$environment[1]), sprintf("has %d plans", several$n[1]),
      "one: forks of different plans aren't alike", "give a directory for each"
    )
  }
  plans
}

#' Refuse a stage file that differs from the one by which rounds were measured.
check_stage_file <- function(file, by_it) {
  wanted <- sprintf("the file that %s was measured by", by_it$round[1])
  remedy <- "put it back, or remove the rounds of its stage and measure them again"
  if (!file.exists(file)) refuse(file, "is missing", wanted, remedy)
  if (!identical(by_it$sums[[1]], sha256_of(file))) refuse(file, "was altered since it was made", wanted, remedy)
}

#' SHA-256 of a file, in hexadecimal. R has this function from 4.5 on; older versions use the command of the same name.
sha256_of <- function(file) {
  if (exists("sha256sum", envir = asNamespace("tools"), inherits = FALSE)) {
    return(unname(getExportedValue("tools", "sha256sum")(file)))
  }
  command <- Sys.which(c("sha256sum", "shasum"))
  if (!any(nzchar(command))) refuse("sha256sum", "no such command", "R 4.5, sha256sum or shasum", "install coreutils")
  arguments <- c(if (!nzchar(command[1])) c("-a", "256"), shQuote(file))
  lines <- system2(command[nzchar(command)][1], arguments, stdout = TRUE)
  regmatches(lines, regexpr("[0-9a-f]{64}", lines))
}

no_plans <- function() {
  empty_table(c("experiment", "environment", "plan", "stage", stage_columns))
}

#' An empty table of the demands of claims and widths.
no_demands <- function() {
  empty_table(c("demand", "chance", "experiment", "environment", "protocol", stage_columns))
}

#' An empty table of the states of claims.
no_states <- function() empty_table(c("experiment", "claim", "protocol", "state", "why", "claims"))

empty_table <- function(columns) {
  text <- c("experiment", "environment", "plan", "demand", "cell", "protocol", "reason", "claim", "state", "why")
  whole <- c("stage", "forks", "warmup_iterations", "iterations", "first_forks", "forks_no_steady")
  none <- function(name) if (name %in% text) character() else if (name %in% whole) integer() else numeric()
  as.data.table(stats::setNames(lapply(columns, none), columns))
}

#' One stage file.
read_stage_file <- function(file) {
  rows <- read_csv_strictly(file, types = "character")
  missing <- setdiff(stage_columns, names(rows))
  if (length(missing) > 0) {
    refuse(file, paste("lacks column", some_of(missing)), "the columns of data/README.md", "put it back as it was")
  }
  for (column in setdiff(stage_columns, c("cell", "reason"))) {
    set(rows, j = column, value = as.numeric(rows[[column]]))
  }
  rows[, stage_columns, with = FALSE]
}

#' Measure planned cells over their plan's window, instead of the window from each fork's changepoints.
#'
#' @param iterations of `mark_measured`, with `experiment`, `environment`, `round`, `cell`; `plans` of `read_plans`
#' @return the same table, `measured` changed, and `planned` added
apply_windows <- function(iterations, plans) {
  iterations[, planned := FALSE]
  windows <- plans[!is.na(iterations), .(
    experiment, environment, plan, cell, after = warmup_iterations, to = iterations
  )]
  if (nrow(windows) == 0) return(iterations[])
  iterations[, plan := round_family(round)]
  iterations[windows, `:=`(planned = TRUE, measured = iteration > i.after & iteration <= i.to),
    on = c("experiment", "environment", "plan", "cell")
  ]
  iterations[, plan := NULL][]
}
