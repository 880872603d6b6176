# GC and safepoint logs of HotSpot, any of its formats, as a table of stops of the application threads.

#' Read a log.
#'
#' @param path a log in JDK 8's format or the unified one of JDK 9 and later
#' @return data.table, one row per stop in the order of the log: `uptime_ms` (the JVM's uptime at the start of the
#'   stop), `pause_ms`, `kind` (`collection`, `safepoint`), `cause` (HotSpot's name, empty where the log does not say)
#' @section Errors: refuses an empty file, one that is no GC log, and a stop that can't be read.
read_gc_log <- function(path) {
  if (!file.exists(path)) {
    refuse(path, "is missing", "a fork's GC log", "restore it, or remove the round and run it again")
  }
  # Names of threads may hold any byte; one byte a character keeps positions and bytes in step.
  lines <- iconv(readLines(path, warn = FALSE, skipNul = TRUE), "latin1", "ASCII", sub = "?")
  if (length(lines) == 0) refuse(path, "is empty", "a GC log", "remove the round and run it again")
  if (is_unified_log(lines)) {
    stops <- parse_unified_log(lines)
  } else if (is_jdk8_log(lines)) {
    stops <- parse_jdk8_log(lines)
  } else {
    refuse(
      path, "isn't a GC log", "the log of HotSpot, in JDK 8's format or the unified one",
      "restore it from where it was measured"
    )
  }
  broken <- attr(stops, "broken")
  if (length(broken) > 0) {
    refuse(
      path, sprintf("line %d is a stop that can't be read", broken[1]), "uptime and duration of the stop",
      "restore the whole log"
    )
  }
  stops
}

#' A table of stops from its columns. The log is written when a stop ends, so its start is that time minus the duration.
stops_table <- function(end_ms = numeric(), pause_ms = numeric(), collection = logical(), cause = character(),
                        broken = integer()) {
  stops <- setDT(list(
    uptime_ms = round(pmax(end_ms - pause_ms, 0), 6), pause_ms = round(pause_ms, 6),
    kind = c("safepoint", "collection")[collection + 1L], cause = cause
  ))
  setattr(stops, "broken", broken)
}

#' For every stop: the last (or first) value that a log line carried after the previous stop, up to this one; empty if
#' none.
#'
#' @param at positions of the values, ascending; `values` the values; `stops` positions of the stops, ascending
between_stops <- function(at, values, stops, take = c("last", "first")) {
  found <- rep("", length(stops))
  if (length(at) == 0 || length(stops) == 0) return(found)
  owner <- findInterval(at, stops, left.open = TRUE) + 1L
  values <- values[owner <= length(stops)]
  owner <- owner[owner <= length(stops)]
  keep <- !duplicated(owner, fromLast = match.arg(take) == "last")
  found[owner[keep]] <- values[keep]
  found
}
