# Pauses from any GC log. Logs with safepoints have every stop; those without have the collections' own pauses only.

#' Read the stops of the application threads from any log of HotSpot's.
#'
#' @param path a GC log: JDK 8's format or the unified one, any collector, any decorations
#' @return data.table, one row per stop in the order of the log: `uptime_ms` (the JVM's uptime at the start of the stop;
#'   counted from the log's first stamp where it has the time of day only; empty where it has no time), `pause_ms`,
#'   `kind`, `cause` as in `read_gc_log`. Attribute `remarks`: what the reader must know of the log.
#' @section Errors: refuses what isn't a GC log, a stop that was cut off, and a log of collections that doesn't say how
#'   long they took.
read_gc_pauses <- function(path) {
  # As in `read_gc_log`: one byte a character.
  lines <- iconv(readLines(path, warn = FALSE, skipNul = TRUE), "latin1", "ASCII", sub = "?")
  if (length(lines) == 0) refuse(path, "is empty", "a GC log", "name the log of a JVM (-Xlog:gc*,safepoint:file=...)")
  remarks <- character()
  if (is_any_unified_log(lines)) {
    stops <- parse_unified_log(lines)
    setattr(stops, "lines", unified_stop_lines(lines))
    if (nrow(stops) == 0) {
      stops <- unified_collections(lines)
      if (nrow(stops) == 0 && length(cut_off(stops)) == 0 && any(
        grepl("\\bGC\\(\\d+\\) ", lines, perl = TRUE, useBytes = TRUE)
      )) {
        refuse(
          path, "tells of collections but not how long they stopped the threads", "pauses or safepoints",
          "log with -Xlog:gc*,safepoint"
        )
      }
      remarks <- only_collections
    }
    broken <- cut_off(stops)
    if (all(is.na(stops$uptime_ms))) stops[, uptime_ms := clock_uptimes(lines, attr(stops, "lines"), pause_ms)]
  } else if (is_jdk8_log(lines)) {
    stops <- parse_jdk8_log(lines)
    if (nrow(stops) == 0 && length(attr(stops, "broken")) == 0) {
      stops <- jdk8_collections(lines)
      remarks <- only_collections
    }
    broken <- cut_off(stops)
  } else {
    refuse(path, "isn't a GC log", "the log of HotSpot, in JDK 8's format or the unified one", "name the log of a JVM")
  }
  if (length(broken) > 0) {
    refuse(path, sprintf("line %d is a stop that can't be read", broken[1]), "its whole line", "restore the whole log")
  }
  if (nrow(stops) > 0 && anyNA(stops$uptime_ms)) remarks <- c(remarks, "it doesn't tell when the stops were")
  setattr(stops[, .(uptime_ms, pause_ms, kind, cause)], "remarks", remarks)
}

only_collections <- "it has no safepoints, so these are the pauses of collections alone"

#' Lines of stops that can't be read. A stop without a time has a length still.
cut_off <- function(stops) {
  broken <- attr(stops, "broken")
  if (all(is.na(stops$uptime_ms)) && !anyNA(stops$pause_ms)) return(setdiff(broken, attr(stops, "lines")))
  broken
}

#' Unified logs, those without any decoration too.
is_any_unified_log <- function(lines) {
  told <- c(
    "GC\\(\\d+\\) (Pause|Garbage Collection|Concurrent|[YyOo]: )", "Using [A-Z]\\w+", "Safepoint \".*Total: +\\d+ ns"
  )
  bare <- sprintf("^(\\[[^]]*\\])* ?(%s)", paste(told, collapse = "|"))
  is_unified_log(lines) || any(grepl(bare, lines, perl = TRUE, useBytes = TRUE))
}

#' Pauses of collections in a unified log: `GC(3) Pause Young (Normal) (G1 Evacuation Pause) 6M->6M(64M) 6.613ms`.
unified_collections <- function(lines) {
  paused <- grep("\\bGC\\(\\d+\\) ([YyOo]: )?Pause ", lines, perl = TRUE, useBytes = TRUE)
  text <- lines[paused]
  pause_ms <- as.numeric(sub(",", ".", picked(text, "(\\d+[.,]\\d+)ms$"), fixed = TRUE))
  # The line of a pause's start has no length; only its tags tell it from one that was cut off.
  starting <- grepl("[\\[,]start[ ,\\]]", text, perl = TRUE, useBytes = TRUE)
  cut <- paused[is.na(pause_ms) & !starting & grepl("]", text, fixed = TRUE)]
  ended <- which(!is.na(pause_ms))
  text <- text[ended]
  cause <- pause_cause(text)
  named <- cause == "" | grepl("Pause (Mark|Relocate|Init|Final)", text)
  cause[named] <- sub(" +\\d+[BKMG]->.*$| \\d+[.,]\\d+ms$", "", picked(text[named], "(Pause .*)$"), perl = TRUE)
  stops <- stops_table(unified_uptimes(text), pause_ms[ended], rep(TRUE, length(ended)), cause, cut)
  outermost(stops, paused[ended], as.numeric(picked(text, "\\bGC\\((\\d+)\\)")))
}

#' Without pauses that lie inside another one: up to JDK 11 a young collection that ends as a full one writes both. The
#' inner one has the higher number and is written first.
outermost <- function(stops, lines, number) {
  setattr(stops, "lines", lines)
  if (nrow(stops) < 2 || anyNA(stops$uptime_ms)) return(stops)
  # Stamps are rounded to a millisecond.
  inside <- utils::head(number, -1) > number[-1] & utils::head(stops$uptime_ms, -1) >= stops$uptime_ms[-1] - 1 &
    utils::head(stops$pause_ms, -1) < stops$pause_ms[-1]
  kept <- stops[!c(inside, FALSE)]
  setattr(kept, "broken", attr(stops, "broken"))
  setattr(kept, "lines", lines[!c(inside, FALSE)])
}

#' Lines of stops in a unified log, as `parse_unified_log` finds them.
unified_stop_lines <- function(lines) {
  which(
    grepl("] Safepoint \"", lines, fixed = TRUE, useBytes = TRUE) |
      grepl("] Total time for which application threads were stopped:", lines, fixed = TRUE, useBytes = TRUE)
  )
}

#' Uptimes from the time of day, counted from the log's first stamp; NA where there is none.
clock_uptimes <- function(lines, stops, pause_ms) {
  text <- picked(lines, "^\\[(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.,]\\d{3})")
  clock <- 1000 * as.numeric(as.POSIXct(sub(",", ".", text, fixed = TRUE), format = "%Y-%m-%dT%H:%M:%OS", tz = "UTC"))
  milliseconds <- as.numeric(picked(lines, "^\\[(\\d{12,14})ms\\]"))
  clock <- fcoalesce(clock, milliseconds)
  if (all(is.na(clock))) return(rep(NA_real_, length(pause_ms)))
  round(pmax(clock[stops] - clock[!is.na(clock)][1] - pause_ms, 0), 6)
}
