# Pauses of collections in JDK 8's log without -XX:+PrintGCApplicationStoppedTime. An event is what stands in one pair
# of outermost brackets, over several lines with some flags: `0.044: [GC (Allocation Failure) ... , 0.0091085 secs]`.

#' Collections as stops.
#'
#' @param lines a whole log
#' @return table of stops (see `stops_table`), attribute `broken`: lines of events that don't end; `lines`: those of
#'   events
jdk8_collections <- function(lines) {
  begins <- cumsum(c(1, nchar(lines, "bytes") + 1))
  # Half-open ranges of addresses have a bracket on one side only.
  text <- gsub("[0x", "(0x", paste(lines, collapse = "\n"), fixed = TRUE)
  events <- outer_brackets(text)
  if (nrow(events) == 0) return(stops_table())
  opening <- substring(text, events$from, pmin(events$from + 400L, fcoalesce(events$to, nchar(text))))
  # A collection by its own word, and not one that goes on beside the application.
  collecting <- grepl(paste0("^", jdk8_event), opening, perl = TRUE)
  events <- events[collecting]
  opening <- opening[collecting]
  row <- findInterval(events$from, begins)
  end <- fcoalesce(events$to, nchar(text))
  tail <- substring(text, pmax(end - 40L, events$from), end)
  seconds <- decimal(picked(tail, "(\\d+[.,]\\d+) secs\\]$"))
  stamp <- substring(text, pmax(events$from - 60L, begins[row]), events$from - 1L)
  start_ms <- 1000 * decimal(picked(stamp, "(\\d+[.,]\\d{3}): $"))
  if (length(start_ms) > 0 && all(is.na(start_ms))) start_ms <- dated_starts(stamp)
  pause_ms <- 1000 * seconds
  cause <- event_cause(picked(opening, paste0("^(", jdk8_event, ")")))
  whole <- !is.na(pause_ms)
  # The stamp of an event is its start's.
  stops <- stops_table(
    start_ms[whole] + pause_ms[whole], pause_ms[whole], rep(TRUE, sum(whole)), cause[whole], row[!whole]
  )
  setattr(stops, "lines", row[whole])
}

#' Outermost pairs of brackets: `from`, `to` (NA where one doesn't close).
outer_brackets <- function(text) {
  bytes <- charToRaw(text)
  place <- sort(c(
    grepRaw("[", bytes, fixed = TRUE, all = TRUE), grepRaw("]", bytes, fixed = TRUE, all = TRUE)
  ), method = "radix")
  step <- fifelse(bytes[place] == charToRaw("["), 1L, -1L)
  depth <- cumsum(step)
  # A bracket that closes without one that opened it leaves the depth below 0 from there on.
  depth <- depth - cummin(pmin(depth, 0L))
  from <- place[step == 1L & depth == 1L]
  closing <- place[step == -1L & depth == 0L]
  to <- closing[findInterval(from, closing) + 1L]
  data.table(from = from, to = to)
}

#' Starts in ms by the date before an event, from the first one on.
dated_starts <- function(stamp) {
  date <- sub(
    ",", ".", picked(stamp, "(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.,]\\d{3})[+-]\\d{4}: $"), fixed = TRUE
  )
  clock <- 1000 * as.numeric(as.POSIXct(date, format = "%Y-%m-%dT%H:%M:%OS", tz = "UTC"))
  clock - clock[1]
}
