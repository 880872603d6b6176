# Pauses of collections in JDK 8's log and its forerunners' without -XX:+PrintGCApplicationStoppedTime. An event is what
# stands in one pair of brackets, over several lines with some flags: `0.044: [GC (Allocation Failure) ... , 0.0091085
# secs]`; Shenandoah's `[Pause Final Mark, 0.777 ms]`.

#' Every collection's opening. What isn't known to go on beside the application, or to be a detail of G1's, is one: an
#' opening that nobody foresaw is then a pause that can't be read, not one that is passed over.
jdk8_opening <- "\\[(?:(?:Full |Inc )?GC(?![-\\w]*[ -]?concurrent| [Ww]orker|\\w*[A-Za-z])|Pause (?![^\\]]*, start\\]))"

#' Collections as stops.
#'
#' @param lines a whole log
#' @return table of stops (see `stops_table`), attribute `broken`: lines of events that don't end; `lines`: those of
#'   events
jdk8_collections <- function(lines) {
  begins <- cumsum(c(1, nchar(lines, "bytes") + 1))
  # Half-open ranges of addresses have a bracket on one side only.
  text <- gsub("[0x", "(0x", paste(lines, collapse = "\n"), fixed = TRUE)
  events <- bracketed_events(text, begins)
  if (nrow(events) == 0) return(stops_table())
  row <- findInterval(events$from, begins)
  end <- fcoalesce(events$to, events$from)
  tail <- substring(text, pmax(end - 40L, events$from), end)
  seconds <- decimal(picked(tail, "(\\d+[.,]\\d+) secs\\]$"))
  pause_ms <- fcoalesce(1000 * seconds, decimal(picked(tail, "(\\d+[.,]\\d+) ms\\]$")))
  stamp <- substring(text, pmax(events$from - 60L, begins[row]), events$from - 1L)
  start_ms <- 1000 * decimal(picked(stamp, "(\\d+[.,]\\d{3}): $"))
  if (all(is.na(start_ms))) start_ms <- dated_starts(stamp)
  opening <- substring(text, events$from, pmin(events$from + 400L, end))
  cause <- fcoalesce(
    event_cause(picked(opening, paste0("^(", jdk8_event, ")"))),
    picked(opening, "^\\[(Pause [A-Z][A-Za-z ]*[A-Za-z])"), ""
  )
  whole <- !is.na(pause_ms)
  # The stamp of an event is its start's.
  stops <- stops_table(
    start_ms[whole] + pause_ms[whole], pause_ms[whole], rep(TRUE, sum(whole)), cause[whole], row[!whole]
  )
  setattr(stops, "lines", row[whole])
}

#' Pairs of brackets that hold an event: `from`, `to` (NA where one doesn't close before the next one begins).
#'
#' Each event is closed on its own, so that one that was cut off takes no other along. One that begins inside another
#' one, on the same line, is part of it if that one closes.
#'
#' @param begins places of the lines in the text
bracketed_events <- function(text, begins) {
  from <- as.integer(gregexpr(jdk8_opening, text, perl = TRUE, useBytes = TRUE)[[1]])
  if (from[1] < 0) return(data.table(from = integer(), to = integer()))
  bytes <- charToRaw(text)
  place <- sort(c(
    grepRaw("[", bytes, fixed = TRUE, all = TRUE), grepRaw("]", bytes, fixed = TRUE, all = TRUE)
  ), method = "radix")
  depth <- cumsum(fifelse(bytes[place] == charToRaw("["), 1L, -1L))
  row <- findInterval(from, begins)
  fresh <- !duplicated(row)
  # The last bracket before the next event that stands first on its line.
  limit <- findInterval(c(from[fresh][-1L], length(bytes) + 1L) - 1L, place)[cumsum(fresh)]
  first <- match(from, place)
  last <- vapply(seq_along(from), function(i) {
    first[i] + match(depth[first[i]] - 1L, depth[seq_len(max(limit[i] - first[i], 0L)) + first[i]])
  }, 0L)
  to <- place[last]
  inner <- !fresh & from < cummax(fcoalesce(shift(to), 0L))
  data.table(from = from, to = to)[!inner]
}

#' Starts in ms by the date before an event, from the first one on.
dated_starts <- function(stamp) {
  date <- sub(
    ",", ".", picked(stamp, "(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.,]\\d{3})[+-]\\d{4}: $"), fixed = TRUE
  )
  clock <- 1000 * as.numeric(as.POSIXct(date, format = "%Y-%m-%dT%H:%M:%OS", tz = "UTC"))
  clock - clock[1]
}
