# Pilots (bench/jcarerun/plan/pilots.py): what a cell's time becomes in the end, and how long a program waits for that.

#' A row for each pilot and canary.
#'
#' @param raw directory of pilots; `rounds` those to be read, relative to it; `tables` what they hold, of `tidy_rounds`
#' @return the table `pilots.csv` of the dictionary, without rows where there is none
read_pilots <- function(raw, rounds, tables = if (length(rounds) > 0) tidy_rounds(raw, rounds)) {
  if (is.null(tables)) return(no_pilots())
  by <- fork_key
  iterations <- tables$iterations[order(iteration), .(
    first_ns = duration_ns[1] / operations[1], operations = sum(operations)
  ), by = by]
  compiled <- last_compiled(tables$iterations, tables$compilations, by)
  found <- merge(tables$forks[is.na(rerun_of)], iterations, by = by, sort = FALSE)
  found <- merge(found, compiled, by = by, all.x = TRUE, sort = FALSE)
  found[, `:=`(kind = sub("-.*$", "", round), mean_ns = wall_ns_per_op)]
  found[!settled %in% settled_states[1:2], `:=`(wait_calls = NA_real_, wait_s = NA_real_)]
  found[, c(cell_columns(found), pilot_columns), with = FALSE]
}

pilot_columns <- setdiff(columns_of("pilots.csv"), cell_keys)

no_pilots <- function() {
  names <- c(cell_columns(data.table()), pilot_columns)
  setnames(as.data.table(rep(list(character()), length(names))), names)
}

#' Calls and seconds from a fork's first iteration to the last time that code of its hot chain took over. Calls of the
#' iteration in which it does are counted as if they were even.
last_compiled <- function(iterations, compilations, by) {
  ends <- iterations[order(iteration), .(from = start_uptime_ms[1], to = end_uptime_ms[.N]), by = by]
  last <- compilations[event == "ready"][ends, on = by, nomatch = NULL][uptime_ms <= to]
  last <- last[, .(at = max(uptime_ms, from[1]), from = from[1]), by = by]
  held <- iterations[last, on = by, nomatch = NULL]
  held[, part := pmin(1, pmax(0, (at - start_uptime_ms) / (end_uptime_ms - start_uptime_ms)))]
  held[, .(wait_calls = round(sum(operations * part)), wait_s = (at[1] - from[1]) / 1000), by = by]
}

#' Forks with `pilot_ns`, the time that their cell's pilot ends with where its code is compiled, and `canary_ns`.
with_pilots <- function(forks, pilots) {
  place <- c("experiment", "environment", "image_id", "machine_id", "cell")
  forks[, `:=`(pilot_ns = NA_real_, canary_ns = NA_real_)]
  if (nrow(pilots) == 0) return(forks[])
  forks[pilots[kind == "pilot" & settled == "proved"], pilot_ns := i.mean_ns, on = place]
  forks[pilots[kind == "canary"], canary_ns := i.mean_ns, on = place]
  forks[]
}
