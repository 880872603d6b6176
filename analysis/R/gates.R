# What disturbed a round's forks (interference.csv): which of them count, and which were run again.

gate_columns <- c(
  "valid", "invalid_cause", "rerun_of", "steal_share", "others_share", "throttled", "involuntary_per_s", "gc_share",
  "spin_ratio", "elapsed_ms"
)

#' Forks that count: those that broke no gate, first runs and reruns. For the main analysis.
valid_forks <- function(forks) forks[valid == TRUE]

#' Every cell's first run in each round, whether it broke a gate or not. For the second analysis.
first_forks <- function(forks) forks[is.na(rerun_of)]

#' interference.csv: `broken` is text, all else a number or missing.
read_interference_csv <- function(folder) {
  rows <- read_csv_strictly(file.path(folder, "interference.csv"), types = list(character = "broken"))
  for (column in setdiff(names(rows), "broken")) set(rows, j = column, value = as.numeric(rows[[column]]))
  rows
}

#' A round's forks with those that were run again, and for each what the gates made of it.
#'
#' @param planned of `read_cells_csv`; `interference` of `read_interference_csv`
#' @return `planned` with a row for every rerun, and `gate_columns`
with_reruns <- function(planned, interference) {
  repeats <- fcoalesce(interference$rerun_of, interference$fork)
  forks <- planned[match(repeats, fork)][, fork := interference$fork]
  cbind(forks, interference[, .(
    valid = is.na(broken), invalid_cause = fcoalesce(broken, ""), rerun_of = rerun_of, steal_share = steal_ms / cpu_ms,
    others_share = others_ms / cpu_ms, throttled = throttled,
    involuntary_per_s = 1000 * involuntary_switches / window_ms, gc_share = gc_ms / window_ms,
    spin_ratio = pmax(spin_before_ns, spin_after_ns) / spin_reference_ns, elapsed_ms = elapsed_ms
  )])
}
