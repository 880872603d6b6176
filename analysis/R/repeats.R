# What only shows between the results of a directory: results that are there twice, forks that are.

#' Without what is there again: a result of the same file and setting that another JVM or other JVM arguments gave, and
#' forks with the values of another one. Two results of one setting that have all that in common are forks of one cell.
#'
#' @param read `results`, `forks`, `values`, `left_out` of a directory
#' @return the same, the findings with those of this
without_repeats <- function(read) {
  setting <- setdiff(names(read$results), c(
    "result", "entry", "unit", "forks_planned", "iterations_planned", "score", "jvm"
  ))
  others <- read$results[, `:=`(first_jvm = jvm[1], first_entry = entry[1]), by = setting][jvm != first_jvm]
  read$results[, c("first_jvm", "first_entry") := NULL]
  other <- others[metric == ""]
  left_out <- if (nrow(other) > 0) other[, finding(
    sprintf(
      "result %d (%s) has the setting of result %d but another %s", as.integer(entry), benchmark,
      as.integer(first_entry), other_fields(jvm, first_jvm)
    ), "each JVM's results in a file of their own", "result", file, entry, benchmark
  ), by = .(row = seq_len(nrow(other)))][, row := NULL]
  gone <- read$forks[others, on = c("file", "result"), which = TRUE, nomatch = NULL]
  if (length(gone) > 0) read$forks <- read$forks[-gone]
  again <- repeated_forks(read, setdiff(setting, "file"))
  same <- again$pairs
  if (nrow(same) > 0) left_out <- rbindlist(list(left_out, again$findings))
  if (nrow(same) > 0) {
    dropped <- read$results[same, on = c("file", "result")][, .(file, entry, fork)]
    at <- read$results[dropped, .(file, result, fork), on = c("file", "entry"), allow.cartesian = TRUE]
    read$forks <- read$forks[!at, on = c("file", "result", "fork")]
  }
  read$values <- read$values[sequence(read$forks$n, read$forks$first)]
  read$forks[, first := first_places(n)]
  read$results <- read$results[unique(read$forks[, .(file, result)]), on = c("file", "result")]
  read$left_out <- rbindlist(list(read$left_out, left_out))
  read
}

#' Names of the fields in which two JVMs differ.
other_fields <- function(one, two) {
  parts <- strsplit(paste0(c(one, two), "\n|"), "\n", fixed = TRUE)
  format_list(jvm_fields[parts[[1]][seq_along(jvm_fields)] != parts[[2]][seq_along(jvm_fields)]])
}

#' Forks of the same benchmark and setting with identical values that aren't all equal, but for the first of each.
#'
#' @return list: `pairs` (`file`, `result`, `fork` of those), `findings`, a row per result
repeated_forks <- function(read, by) {
  forks <- read$results[metric == "", c("file", "result", "entry", by), with = FALSE][
    read$forks, on = c("file", "result"), nomatch = NULL
  ]
  forks <- forks[n > 0]
  ends <- data.table(n = forks$n, start = read$values[forks$first], end = read$values[forks$first + forks$n - 1L])
  marks <- cbind(forks[, by, with = FALSE], ends)
  first_of <- seq_len(nrow(forks))
  values_of <- function(row) read$values[forks$first[row] + seq_len(forks$n[row]) - 1L]
  for (second in which(duplicated(marks))) {
    same <- marks[marks[second], on = names(marks), which = TRUE]
    values <- values_of(second)
    if (length(unique(values)) < 2) next
    for (first in same[same < second]) if (identical(values_of(first), values)) {
      first_of[second] <- first
      break
    }
  }
  again <- which(first_of != seq_len(nrow(forks)))
  pairs <- cbind(forks[again], forks[first_of[again], .(from = file, from_fork = fork)])
  findings <- if (nrow(pairs) > 0) pairs[, finding(
    sprintf(
      "result %d (%s) has %s again, as fork %d of %s is it", as.integer(entry[1]), benchmark[1],
      if (.N > 1L) sprintf("fork %d and %d more", fork[1], .N - 1L) else sprintf("fork %d", fork[1]),
      from_fork[1], from[1]
    ), "each fork once", "fork", file[1], entry[1], benchmark[1]
  ), by = .(of = file, result)][, c("of", "result") := NULL]
  list(pairs = pairs[, .(file, result, fork)], findings = findings)
}
