# JDK 8's GC log: -XX:+PrintGCDetails -XX:+PrintGCDateStamps -XX:+PrintGCTimeStamps -XX:+PrintGCApplicationStoppedTime.
# A stop's line follows the event's. Threads write pieces of lines, so the log is read as a stream of tokens, not by
# line.

jdk8_stamp <- "(?:\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.,]\\d{3}[+-]\\d{4}: )?(?:\\d+[.,]\\d{3}: )?"
jdk8_stop <- "Total time for which application threads were stopped: \\d+[.,]\\d+ seconds"
jdk8_event <- paste0(
  "\\[(?:Full )?GC(?=$|--| [(\\[\\d]| pause| remark| cleanup)",
  "(?: (?:pause|remark|cleanup))?(?: \\((?:[^()]|\\(\\))*\\))?"
)

is_jdk8_log <- function(lines) {
  known <- c(
    "application threads were stopped: ", "^CommandLine flags: ", " VM \\([^)]*\\) for .* JRE \\(", "\\[(Full )?GC",
    "Application time: \\d"
  )
  any(grepl(paste(known, collapse = "|"), lines, perl = TRUE, useBytes = TRUE))
}

#' @param lines a whole log
#' @return see `read_gc_log`; attribute `broken` numbers the lines of stops that can't be read
parse_jdk8_log <- function(lines) {
  pattern <- sprintf("%s%s|%s|\\b\\d+[.,]\\d{3}: ", jdk8_stamp, jdk8_stop, jdk8_event)
  worth <- grep("threads were stopped:|\\[(?:Full )?GC", lines, perl = TRUE, useBytes = TRUE)
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
  if (length(stops) == 0) return(stops_table(broken = broken))

  pause_ms <- 1000 * decimal(sub(".*stopped: (\\S+) seconds", "\\1", tokens[stops]))
  events <- grep("^\\[", tokens)
  causes <- between_stops(events, event_cause(tokens[events]), stops, "first")
  hit <- between_stops(events, rep("yes", length(events)), stops) == "yes"
  uptime_ms <- jdk8_uptimes(tokens, stops)
  stops_table(uptime_ms, pause_ms, hit, causes, c(broken, if (anyNA(uptime_ms)) worth[1]))
}

event_cause <- function(tokens) {
  word <- sub("^\\[(Full )?GC ?", "", tokens)
  fifelse(grepl("(", word, fixed = TRUE), sub("^[^(]*\\((.*)\\)$", "\\1", word), word)
}

#' Uptimes in ms of stops: their own stamp, or the last stamp before (another thread wrote between stamp and text); a
#' log with dates only counts from its first stop.
jdk8_uptimes <- function(tokens, stops) {
  stamp <- "^(?:\\S+[+-]\\d{4}: )?(\\d+[.,]\\d{3}): .*$"
  stamped <- grepl(stamp, tokens, perl = TRUE)
  seconds <- rep(NA_real_, length(tokens))
  seconds[stamped] <- decimal(sub(stamp, "\\1", tokens[stamped], perl = TRUE))
  if (all(is.na(seconds))) {
    date <- sub(",", ".", sub("^(\\d{4}\\S+?)[+-]\\d{4}: .*$", "\\1", tokens[stops], perl = TRUE), fixed = TRUE)
    clock <- as.numeric(as.POSIXct(date, format = "%Y-%m-%dT%H:%M:%OS", tz = "UTC"))
    return(1000 * (clock - clock[1]))
  }
  1000 * nafill(seconds, "locf")[stops]
}

decimal <- function(text) as.numeric(sub(",", ".", text, fixed = TRUE))
