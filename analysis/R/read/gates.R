# What disturbed a round's forks (interference.csv): which of them count, and which were run again.

interference_columns <- c(
  "fork", "elapsed_ms", "window_ms", "steal_ms", "others_ms", "cpu_ms", "throttled", "spin_before_ns", "spin_after_ns",
  "spin_reference_ns", "involuntary_switches", "gc_ms", "broken", "rerun_as", "rerun_of"
)
gate_columns <- c(
  "valid", "invalid_cause", "rerun_of", "steal_share", "others_share", "throttled", "involuntary_per_s", "gc_share",
  "spin_ratio", "elapsed_ms"
)

#' Forks that count: those that broke no gate, first runs and reruns. For the main analysis.
valid_forks <- function(forks) forks[valid == TRUE]

#' Every cell's first run in each round, whether it broke a gate or not. For the second analysis.
first_forks <- function(forks) forks[is.na(rerun_of)]

#' interference.csv: `broken` is text, all else a number or missing. Refuses what contradicts the round's planned forks.
#'
#' @param ran numbers of the planned forks that could run; `planned` how many there are in all
read_interference_csv <- function(folder, ran, planned = length(ran)) {
  file <- file.path(folder, "interference.csv")
  if (!file.exists(file)) damaged(file, "is missing", "what disturbed the round's forks")
  rows <- read_csv_strictly(file, types = list(character = "broken"))
  check_columns(file, names(rows), interference_columns)
  for (column in setdiff(interference_columns, "broken")) {
    empty <- is.logical(rows[[column]]) && all(is.na(rows[[column]]))
    if (!is.numeric(rows[[column]]) && !empty) damaged(file, sprintf("column %s isn't numeric", column), "numbers")
    set(rows, j = column, value = as.numeric(rows[[column]]))
    wrong <- which(rows[[column]] < 0)
    if (length(wrong) > 0) damaged(file, sprintf("row %d has %s below 0", wrong[1], column), "0 or more")
  }
  for (column in c("fork", "elapsed_ms", "window_ms", "spin_before_ns", "spin_after_ns", "spin_reference_ns")) {
    empty <- which(is.na(rows[[column]]))
    if (length(empty) > 0) damaged(file, sprintf("row %d has no %s", empty[1], column), "a number")
  }
  check_reruns(file, rows, ran, planned)
  rows
}

#' Planned forks come first and repeat none; each rerun is of one of them that broke a gate, and both name each other.
check_reruns <- function(file, rows, ran, planned) {
  more <- max(nrow(rows) - length(ran), 0L)
  if (!identical(as.numeric(rows$fork), as.numeric(c(ran, planned + seq_len(more))))) {
    damaged(
      file, sprintf("has %d rows, from fork %g on", nrow(rows), rows$fork[1]),
      sprintf("a row for each of %d forks of cells.csv, then those that were run again", length(ran))
    )
  }
  first <- rows[seq_along(ran)]
  wrong <- first[!is.na(rerun_of) | (!is.na(rerun_as) & is.na(broken))]
  if (nrow(wrong) > 0) {
    damaged(file, sprintf("has fork %g of cells.csv as a rerun, or run again for no gate", wrong$fork[1]), "neither")
  }
  again <- rows[fork > planned]
  named <- first[!is.na(rerun_as)]
  again[, expected := named$fork[match(fork, named$rerun_as)]]
  wrong <- again[is.na(expected) | is.na(rerun_of) | rerun_of != expected | !is.na(rerun_as)]
  if (nrow(wrong) > 0 || nrow(again) != nrow(named)) {
    number <- c(wrong$fork, setdiff(named$rerun_as, again$fork))[1]
    damaged(file, sprintf("tells differently what fork %g repeats", number), "the same in rerun_as and rerun_of")
  }
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
