# Pauses from any GC log. Logs with safepoints have every stop; those without have the collections' own pauses only.

#' Read the stops of the application threads from any log of HotSpot's.
#'
#' @param path a GC log: JDK 8's format or the unified one, any collector, any decorations
#' @return data.table, one row per stop in the order of the log: `uptime_ms` (the JVM's uptime at the start of the stop;
#'   counted from the log's first stamp where it has the time of day only; empty where it has no time), `pause_ms`,
#'   `kind`, `cause` as in `read_gc_log`. Attributes `remarks`: what the reader must know of the log; `lost`: what of
#'   its pauses is not in the table, in words.
#' @section Errors: refuses what isn't a GC log of HotSpot's, and a log of collections that doesn't say how long they
#'   took.
read_gc_pauses <- function(path) {
  # A named pipe has no size either, and would be waited for.
  if (file.size(path) %in% 0) {
    refuse(path, "is empty, or no ordinary file", "a GC log", "name the log of a JVM (-Xlog:gc*,safepoint:file=...)")
  }
  # As in `read_gc_log`: one byte a character.
  lines <- iconv(readLines(path, warn = FALSE, skipNul = TRUE), "latin1", "ASCII", sub = "?")
  stops <- if (is_any_unified_log(lines)) {
    any_unified_stops(path, lines)
  } else if (is_jdk8_log(lines) || any(grepl(jdk8_opening, lines, perl = TRUE, useBytes = TRUE))) {
    any_jdk8_stops(lines)
  } else {
    refuse_foreign(path, lines)
  }
  remarks <- attr(stops, "remarks")
  if (nrow(stops) > 0 && anyNA(stops$uptime_ms)) remarks <- c(remarks, "it doesn't tell when the stops were")
  lost <- attr(stops, "lost")
  stops <- stops[, .(uptime_ms, pause_ms, kind, cause)]
  setattr(stops, "remarks", as.character(remarks))
  setattr(stops, "lost", as.character(lost))
}

#' Stops of a unified log: by its safepoints, or the pauses of collections where it has none.
any_unified_stops <- function(path, lines) {
  stops <- parse_unified_log(lines)
  lines_of <- unified_stop_lines(lines)
  collections <- unified_collections(lines)
  numbers <- as.integer(picked(lines, "\\bGC\\((\\d{1,9})\\) "))
  if (nrow(stops) == 0) {
    stops <- collections
    if (nrow(stops) == 0 && length(cut_off(stops)) == 0 && any(!is.na(numbers))) {
      refuse(
        path, "tells of collections but not how long they stopped the threads", "pauses or safepoints",
        "log with -Xlog:gc*,safepoint"
      )
    }
    broken <- cut_off(stops)
    open <- integer()
    setattr(stops, "remarks", only_collections)
  } else {
    broken <- setdiff(attr(stops, "broken"), if (all(is.na(stops$uptime_ms)) && !anyNA(stops$pause_ms)) lines_of)
    open <- without_stop(stops, lines_of, collections, attr(collections, "lines"))
    # Of a stop that was entered and never left the log tells no length.
    entered <- grep("Entering safepoint region: ", lines, fixed = TRUE, useBytes = TRUE)
    twice <- entered[duplicated(findInterval(entered, lines_of), fromLast = TRUE)]
    # One and the same stop may show in both ways.
    if (length(twice) >= length(open)) open <- twice
    setattr(stops, "lines", lines_of)
  }
  if (all(is.na(stops$uptime_ms))) stops[, uptime_ms := clock_uptimes(lines, attr(stops, "lines"), pause_ms)]
  kept <- stops[!is.na(pause_ms)]
  setattr(kept, "remarks", attr(stops, "remarks"))
  setattr(kept, "lost", loss_words(broken, open, missing_numbers(numbers)))
}

#' Stops of a log in JDK 8's format: those that it tells, or the pauses of collections where it doesn't.
any_jdk8_stops <- function(lines) {
  stops <- parse_jdk8_log(lines)
  broken <- cut_off(stops)
  collections <- jdk8_collections(lines)
  open <- integer()
  if (nrow(stops) == 0 && length(broken) == 0) {
    stops <- collections
    broken <- cut_off(stops)
    setattr(stops, "remarks", only_collections)
  } else {
    told <- lengths(regmatches(lines, gregexpr(jdk8_stop, lines, perl = TRUE, useBytes = TRUE)))
    open <- without_stop(stops, rep(seq_along(lines), told), collections, attr(collections, "lines"))
  }
  found <- nrow(collections) + length(attr(collections, "broken"))
  setattr(stops, "lost", loss_words(broken, open, missing_invocations(lines, found)))
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
  # JDK 11's ZGC has a line for each thread's part of a pause too.
  paused <- paused[!grepl("\\((ZWorker#\\d+|VM Thread)\\)( \\d|$)", lines[paused], perl = TRUE, useBytes = TRUE)]
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
  setattr(stops, "lines", paused[ended])
  outermost(stops, text)
}

#' Without full collections that lie inside a young one: up to JDK 11 a young collection that ends as a full one writes
#' both. The inner one has the higher number and is written first. No other pause lies inside one.
#'
#' @param text lines of the pauses' ends
outermost <- function(stops, text) {
  if (nrow(stops) < 2) return(stops)
  number <- as.numeric(picked(text, "\\bGC\\((\\d+)\\)"))
  after <- function(x) x[-1]
  before <- function(x) x[-length(x)]
  inside <- before(number) > after(number) & before(stops$pause_ms) < after(stops$pause_ms) &
    grepl("Pause Full", before(text), fixed = TRUE) & grepl("Pause Young", after(text), fixed = TRUE)
  kept <- stops[!c(inside, FALSE)]
  setattr(kept, "broken", attr(stops, "broken"))
  setattr(kept, "lines", attr(stops, "lines")[!c(inside, FALSE)])
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
