# JDK 8's GC log: -XX:+PrintGCDetails -XX:+PrintGCDateStamps -XX:+PrintGCTimeStamps -XX:+PrintGCApplicationStoppedTime.
# A stop's line follows the event's. Threads interleave parts of lines, so the log is read as a stream of tokens, not
# line by line.

jdk8_stamp <- "(?:\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.,]\\d{3}[+-]\\d{4}: )?(?:\\d+[.,]\\d{3}: )?"
jdk8_stop <- "Total time for which application threads were stopped: \\d+[.,]\\d+ seconds"
jdk8_event <- paste0(
  "\\[(?:Full |Incremental )?GC(?=$|--| [(\\[\\d]| pause| remark| cleanup)",
  "(?: (?:pause|remark|cleanup))?(?: \\((?:[^()]|\\(\\))*\\))?"
)

is_jdk8_log <- function(lines) {
  known <- c(
    "application threads were stopped: ", "^CommandLine flags: ", " VM \\([^)]*\\) for .* JRE \\(",
    "\\[(Full |Incremental )?GC", "Application time: \\d"
  )
  any(grepl(paste(known, collapse = "|"), lines, perl = TRUE, useBytes = TRUE))
}

#' @return see `stops_table`, with columns `line` and `jvm`; attribute `broken`: lines of stops that can't be read
parse_jdk8_log <- function(lines) {
  pattern <- sprintf("%s%s|%s|\\b\\d+[.,]\\d{3}: ", jdk8_stamp, jdk8_stop, jdk8_event)
  worth <- grep("threads were stopped:|\\[(?:Full |Incremental )?GC", lines, perl = TRUE, useBytes = TRUE)
  unstamped <- which(startsWith(lines, "Total time for which application threads were stopped:"))
  worth <- sort(unique(c(worth, setdiff(unstamped - 1L, 0L))))
  tokens <- regmatches(lines[worth], gregexpr(pattern, lines[worth], perl = TRUE, useBytes = TRUE))
  announced <- lengths(
    regmatches(lines[worth], gregexpr("threads were stopped:", lines[worth], fixed = TRUE, useBytes = TRUE))
  )
  read <- vapply(tokens, function(t) sum(endsWith(t, " seconds")), 0L)
  broken <- worth[announced != read]
  tokens <- as.character(unlist(tokens))
  stops <- which(endsWith(tokens, " seconds"))
  if (length(stops) == 0) return(stops_table(broken = broken)[, `:=`(line = integer(), jvm = integer())][])

  pause_ms <- 1000 * decimal(sub(".*stopped: (\\S+) seconds", "\\1", tokens[stops]))
  events <- grep("^\\[", tokens)
  causes <- between_stops(events, event_cause(tokens[events]), stops, "first")
  hit <- between_stops(events, rep("yes", length(events)), stops) == "yes"
  uptime_ms <- jdk8_uptimes(tokens, stops)
  stops_table(uptime_ms, pause_ms, hit, causes, broken)[, `:=`(line = rep(worth, read), jvm = 1L)][]
}

event_cause <- function(tokens) {
  word <- sub("^\\[(Full |Incremental )?GC ?", "", tokens)
  fifelse(grepl("(", word, fixed = TRUE), sub("^[^(]*\\((.*)\\)$", "\\1", word), word)
}

#' Uptimes of stops in ms, from the stamp of each or else the last stamp before it. Another thread may have written
#' between a stamp and its text. In a log that only has dates, uptimes count from its first stop.
jdk8_uptimes <- function(tokens, stops) {
  stamp <- "^(?:\\S+[+-]\\d{4}: )?(\\d+[.,]\\d{3}): .*$"
  stamped <- grepl(stamp, tokens, perl = TRUE)
  seconds <- rep(NA_real_, length(tokens))
  seconds[stamped] <- decimal(sub(stamp, "\\1", tokens[stamped], perl = TRUE))
  if (all(is.na(seconds))) {
    clock <- utc_seconds(sub("^(\\d{4}\\S+?)[+-]\\d{4}: .*$", "\\1", tokens[stops], perl = TRUE))
    return(1000 * (clock - clock[1]))
  }
  1000 * nafill(seconds, "locf")[stops]
}

decimal <- function(text) as.numeric(sub(",", ".", text, fixed = TRUE))

# Pauses of collections in the logs of JDK 8 and earlier without -XX:+PrintGCApplicationStoppedTime. An event is the
# text in one pair of brackets, which some flags spread over several lines. Examples: `0.044: [GC (Allocation Failure)
# ... , 0.0091085 secs]` and Shenandoah's `[Pause Final Mark, 0.777 ms]`.

#' The opening of a collection's event. Known concurrent phases and details of G1 are excluded. An unknown opening
#' counts as a pause that can't be read, so that it is not overlooked.
jdk8_opening <- paste0(
  "\\[(?:(?:Full |Inc |Incremental )?GC(?![-\\w]*[ -]?concurrent| [Ww]orker|\\w*[A-Za-z])|",
  "Pause (?![^\\]]*, start\\]))"
)

#' Collections as stops.
#'
#' @return see `stops_table`, with columns `line` and `jvm`; attribute `broken`: lines of events that don't end
jdk8_collections <- function(lines) {
  begins <- cumsum(c(1, nchar(lines, "bytes") + 1))
  # Half-open address ranges have an unmatched bracket.
  text <- gsub("[0x", "(0x", paste(lines, collapse = "\n"), fixed = TRUE)
  events <- bracketed_events(text, begins)
  if (nrow(events) == 0) return(stops_table()[, `:=`(line = integer(), jvm = integer())][])
  row <- findInterval(events$from, begins)
  end <- fcoalesce(events$to, events$from)
  tail <- substring(text, pmax(end - 40L, events$from), end)
  seconds <- decimal(picked(tail, "(?<![-.,\\d])(\\d+[.,]\\d+) secs\\]$"))
  pause_ms <- fcoalesce(1000 * seconds, decimal(picked(tail, "(?<![-.,\\d])(\\d+[.,]\\d+) ms\\]$")))
  stamp <- substring(text, pmax(events$from - 60L, begins[row]), events$from - 1L)
  start_ms <- 1000 * decimal(picked(stamp, "(\\d+[.,]\\d{3}): $"))
  if (all(is.na(start_ms))) start_ms <- dated_starts(stamp)
  opening <- substring(text, events$from, pmin(events$from + 400L, end))
  cause <- fcoalesce(
    event_cause(picked(opening, paste0("^(", jdk8_event, ")"))),
    picked(opening, "^\\[(Pause [A-Z][A-Za-z ]*[A-Za-z])"), ""
  )
  whole <- !is.na(pause_ms)
  # An event's stamp is the time of its start.
  stops <- stops_table(
    start_ms[whole] + pause_ms[whole], pause_ms[whole], rep(TRUE, sum(whole)), cause[whole], row[!whole]
  )
  stops[, `:=`(line = row[whole], jvm = 1L)][]
}

#' Pairs of brackets that enclose an event: `from`, `to`. The value of `to` is NA where the event doesn't close before
#' the next one begins.
#'
#' Each event is closed separately, so that a truncated event does not affect others. An event that begins inside
#' another one on the same line is part of it if the outer event closes. `begins` are the positions of the lines.
bracketed_events <- function(text, begins) {
  from <- as.integer(gregexpr(jdk8_opening, text, perl = TRUE, useBytes = TRUE)[[1]])
  if (from[1] < 0) return(data.table(from = integer(), to = integer()))
  bytes <- charToRaw(text)
  brackets <- square_brackets(bytes)
  row <- findInterval(from, begins)
  fresh <- !duplicated(row)
  # The last bracket before the next event that is the first on its line.
  limit <- findInterval(c(from[fresh][-1L], length(bytes) + 1L) - 1L, brackets$place)[cumsum(fresh)]
  to <- brackets$place[closing_brackets(brackets$depth, match(from, brackets$place), limit)]
  inner <- !fresh & from < cummax(fcoalesce(shift(to), 0L))
  data.table(from = from, to = to)[!inner]
}

#' Starts in ms from the date before each event, counted from the first one.
dated_starts <- function(stamp) {
  clock <- 1000 * utc_seconds(picked(stamp, "(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.,]\\d{3})[+-]\\d{4}: $"))
  clock - clock[1]
}
