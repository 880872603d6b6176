# Plans of second stages among the raw data: read, held against the rounds that were measured by them, and applied.

plan_columns <- c(
  "cell", "protocol", "first_rounds", "warmup_iterations", "iterations", "forks_wanted", "forks", "most_forks",
  "wanted_half_width_pct", "s0_log", "forks_no_steady", "reason"
)

#' What the ids of rounds that belong together begin with.
round_family <- function(round) sub("-[0-9]+$", "", round)

#' Rounds with `stage`, `plan_sha256` and `looks`; those that don't tell are of stage one of a plan that looks once.
with_stages <- function(rounds) {
  for (column in setdiff(c("stage", "plan_sha256", "looks"), names(rounds))) set(rounds, j = column, value = NA)
  rounds[, `:=`(
    stage = fcoalesce(as.integer(stage), 1L), plan_sha256 = fcoalesce(as.character(plan_sha256), ""),
    looks = fcoalesce(as.integer(looks), 1L)
  )][]
}

#' Forks with `stage` and `looks`, and `planned` where they are measured on a plan's window.
with_plan <- function(forks, rounds, iterations, by) {
  forks[rounds, `:=`(stage = i.stage, looks = i.looks), on = c("experiment", "environment", "round")]
  windows <- iterations[, .(planned = planned[1]), by = by]
  forks[windows, planned := i.planned, on = by][]
}

#' All plans of some rounds.
#'
#' @param raw directory; `rounds` data.table with `experiment`, `environment`, `round`, and `stage`, `plan_sha256`
#'   (empty where a round has none)
#' @return data.table: `experiment`, `environment`, `plan` (`<tier>-<hash>`), then `plan_columns`; no row without a plan
#' @section Errors: refuses a plan that is missing or was altered though rounds were measured by it, and two plans in
#'   one environment.
read_plans <- function(raw, rounds) {
  families <- copy(rounds)[, plan := round_family(round)]
  families <- families[, .(
    round = c(round[stage == 2 & looks == 1], "")[1], sums = list(unique(plan_sha256[stage == 2 & looks == 1]))
  ), by = .(experiment, environment, plan)]
  plans <- rbindlist(c(list(no_plans()), lapply(seq_len(nrow(families)), function(row) {
    family <- families[row]
    file <- file.path(raw, family$experiment, family$environment, paste0(family$plan, ".plan.csv"))
    remedy <- "put it back, or remove the rounds of stage two and measure them again"
    if (!file.exists(file)) {
      if (family$round == "") return(NULL)
      refuse(file, "is missing", sprintf("the plan that %s was measured by", family$round), remedy)
    }
    sums <- family$sums[[1]]
    if (length(sums) > 0 && !identical(sums, sha256_of(file))) {
      refuse(file, "was altered since it was made", sprintf("the plan that %s was measured by", family$round), remedy)
    }
    cbind(family[, .(experiment, environment, plan)], read_plan(file))
  })))
  several <- plans[, .(n = uniqueN(plan)), by = .(experiment, environment)][n > 1]
  if (nrow(several) > 0) {
    refuse(
      file.path(raw, several$experiment[1], several$environment[1]), sprintf("has %d plans", several$n[1]),
      "one: forks of different plans aren't alike", "give a directory for each"
    )
  }
  plans
}

#' SHA-256 of a file, in hexadecimal. R has it from 4.5 on; before, the command of the same name.
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
  text <- c("experiment", "environment", "plan", "cell", "protocol", "reason")
  all <- c("experiment", "environment", "plan", plan_columns)
  as.data.table(stats::setNames(lapply(all, function(name) if (name %in% text) character() else numeric()), all))
}

#' One plan file.
read_plan <- function(file) {
  plan <- read_csv_strictly(file, types = "character")
  missing <- setdiff(plan_columns, names(plan))
  if (length(missing) > 0) {
    refuse(file, paste("lacks column", some_of(missing)), "the columns of data/README.md", "make the plan anew")
  }
  for (column in setdiff(plan_columns, c("cell", "protocol", "reason"))) {
    set(plan, j = column, value = as.numeric(plan[[column]]))
  }
  plan[, plan_columns, with = FALSE]
}

#' Measure planned cells on their plan's window, whatever each fork's own changepoints say.
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
