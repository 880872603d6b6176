# Reads GC and safepoint logs of HotSpot in any of its formats into a table of stops of the application threads.

#' Read the log of a fork that this pipeline measured.
#'
#' @param path a log in JDK 8's format or the unified one of JDK 9 and later
#' @return data.table, one row per stop in the order of the log. `uptime_ms` is the JVM's uptime at the start of the
#'   stop. Other columns are `pause_ms`, `kind` (`collection`, `safepoint`) and `cause` (HotSpot's name, empty where the
#'   log does not say). Attribute `reported_ms`: the pauses of these stops' collections, as the collector itself reports
#'   them
#' @section Errors: refuses an empty file, one that is not a GC log, and a stop that can't be read.
read_gc_log <- function(path) {
  if (!file.exists(path)) {
    refuse(path, "is missing", "a fork's GC log", "restore it, or remove the round and run it again")
  }
  lines <- log_lines(path)
  if (length(lines) == 0) refuse(path, "is empty", "a GC log", "remove the round and run it again")
  messages <- unified_messages(lines)
  if (is_unified_log(messages)) {
    stops <- unified_stops(messages)
    collections <- unified_collections(messages)
  } else if (is_jdk8_log(lines)) {
    stops <- parse_jdk8_log(lines)
    collections <- jdk8_collections(lines)
  } else {
    refuse(
      path, "isn't a GC log", "the log of HotSpot, in JDK 8's format or the unified one",
      "restore it from where it was measured"
    )
  }
  broken <- c(attr(stops, "broken"), stops$line[is.na(stops$uptime_ms)])
  if (length(broken) > 0) {
    refuse(
      path, sprintf("line %d is a stop that can't be read", min(broken)), "uptime and duration of the stop",
      "restore the whole log"
    )
  }
  # A JVM may end before it writes the line of its last stop.
  reported_ms <- sum(collections$pause_ms[collections$line <= max(0L, stops$line)])
  setattr(setDT(as.list(stops)[c("uptime_ms", "pause_ms", "kind", "cause")]), "reported_ms", reported_ms)
}

#' Read the stops of the application threads from any log of HotSpot.
#'
#' @param paths one log, or the files of one that was rotated, in any order
#' @return data.table as in `read_gc_log`. If the log has the time of day only, `uptime_ms` counts from the log's
#'   earliest stamp. Without any time, it is empty. Attributes: `remarks`, notes on the log for the reader; `lost`,
#'   descriptions of its pauses that are not in the table.
#' @section Errors: refuses a file that isn't a GC log of HotSpot, and a log of collections without their lengths.
read_gc_pauses <- function(paths) {
  files <- lapply(paths, function(path) {
    # A named pipe has no size either, and reading it would block.
    if (file.size(path) %in% 0) {
      refuse(path, "is empty, or no ordinary file", "a GC log", "name the log of a JVM (-Xlog:gc*,safepoint:file=...)")
    }
    bare_lines(log_lines(path))
  })
  path <- paths[1]
  lines <- in_time_order(unlist(if (length(files) > 1) files[order(vapply(files, first_stamp, 0))] else files))
  messages <- unified_messages(lines)
  if (is_unified_log(messages)) {
    stops <- any_unified_stops(path, messages)
  } else if (is_jdk8_log(lines) || any(grepl(jdk8_opening, lines, perl = TRUE, useBytes = TRUE))) {
    stops <- any_jdk8_stops(lines)
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

#' The lines of a file. Names of threads may contain any byte. With one byte per character, positions in the text equal
#' positions in the file. HotSpot's lines have at most a few hundred characters. The time of a pattern match grows with
#' the square of the line's length.
log_lines <- function(path) {
  lines <- iconv(readLines(path, warn = FALSE, skipNul = TRUE), "latin1", "ASCII", sub = "?")
  substr(lines, 1L, 4000L)
}

#' Lines without colours, and without the JSON or quotation marks that Docker, journald or a log collector adds.
bare_lines <- function(lines) {
  lines <- gsub("(\\033|\\?)\\[[0-9;]*m", "", lines, perl = TRUE, useBytes = TRUE)
  wrapped <- grepl("^\\s*[{\"]", lines, perl = TRUE, useBytes = TRUE)
  if (!any(wrapped)) return(lines)
  text <- picked(lines[wrapped], "\"(?:log|message|MESSAGE|msg|textPayload)\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*+)\"")
  text <- fcoalesce(text, picked(lines[wrapped], "^\\s*\"(.*)\",?$"), lines[wrapped])
  text <- sub("(\\\\r)?\\\\n$", "", text)
  lines[wrapped] <- gsub("\\\\u001b\\[[0-9;]*m", "", gsub("\\\\([\"\\\\/])", "\\1", text, perl = TRUE), perl = TRUE)
  lines
}

#' The first time in a file, by which the files of a rotated log are sorted; Inf without one.
first_stamp <- function(lines) {
  messages <- unified_messages(utils::head(lines, 1000L))
  clock <- utc_seconds(picked(utils::head(lines, 1000L), "(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.,]\\d{3})"))
  stamps <- if (all(is.na(clock))) messages$uptime_ms else clock
  if (all(is.na(stamps))) stamps <- decimal(picked(utils::head(lines, 1000L), "(?:^|: )(\\d+[.,]\\d{3}): "))
  c(stamps[!is.na(stamps)], Inf)[1]
}

#' Stops of a unified log, by its safepoints. A log without safepoints gives the pauses of collections.
any_unified_stops <- function(path, messages) {
  stops <- unified_stops(messages)
  collections <- unified_collections(messages)
  begun <- attr(collections, "begun")
  if (nrow(stops) == 0) {
    without_length <- nrow(collections) == 0 && nrow(begun) == 0 && length(attr(collections, "broken")) == 0
    if (without_length && any(!is.na(messages$number))) {
      refuse(
        path, "has collections but not how long they stopped the threads", "pauses or safepoints",
        "log with -Xlog:gc*,safepoint"
      )
    }
    found <- list(stops = collections, remarks = only_collections, missing = integer())
    broken <- attr(collections, "broken")
  } else {
    entered <- messages[startsWith(body, "Entering safepoint region: ") & !grepl(": (Halt|Exit)\\b", body)]
    broken <- attr(stops, "broken")
    found <- with_collections(stops, collections, list(begun = begun, entered = entered), broken)
    begun <- begun[0]
  }
  dropped <- sum(as.numeric(picked(messages$body, "^(\\d+) messages dropped")), na.rm = TRUE)
  numbers <- messages[!is.na(number), .(number, jvm)]
  kept <- found$stops[!is.na(pause_ms)]
  setattr(kept, "remarks", found$remarks)
  setattr(kept, "lost", loss_words(broken, found$missing, missing_numbers(numbers$number), begun$line, dropped))
}

#' Stops of a log in JDK 8's format. A log without stops gives the pauses of collections.
any_jdk8_stops <- function(lines) {
  stops <- parse_jdk8_log(lines)
  collections <- jdk8_collections(lines)
  broken <- attr(stops, "broken")
  if (nrow(stops) == 0 && length(broken) == 0) {
    found <- list(stops = collections, remarks = only_collections, missing = integer())
    broken <- attr(collections, "broken")
  } else {
    found <- with_collections(stops, collections, list(), broken)
  }
  counted <- nrow(collections) + length(attr(collections, "broken"))
  result <- found$stops
  setattr(result, "remarks", found$remarks)
  setattr(result, "lost", loss_words(broken, found$missing, missing_invocations(lines, counted)))
}

only_collections <- "it has no safepoints, so these are the pauses of collections alone"

#' A table of stops from its columns. The log is written when a stop ends, so its start is that time minus the duration.
stops_table <- function(end_ms = numeric(), pause_ms = numeric(), collection = logical(), cause = character(),
                        broken = integer()) {
  stops <- setDT(list(
    uptime_ms = round(pmax(end_ms - pause_ms, 0), 6), pause_ms = round(pause_ms, 6),
    kind = c("safepoint", "collection")[collection + 1L], cause = cause
  ))
  setattr(stops, "broken", broken)
}

#' For every stop, the last (or first) value of the log lines after the previous stop, up to this one; empty if none.
#'
#' @param at,stops positions of the values and of the stops, ascending
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

# JVMs other than HotSpot, identified by patterns that only their logs have.
foreign_logs <- c(
  "OpenJ9 or IBM's JVM" = "^\\s*<(verbosegc|verbosegc |af type=|gc-start |exclusive-start |gc type=)",
  "IBM's JVM before version 5" = "^\\s*<(AF\\[\\d+\\]|GC\\(\\d+\\)): ", "HP's JVM" = "^\\s*<GC: +\\d",
  "JRockit" = "^(\\[\\w+ *\\])*\\[(memory|gcpause) *\\]", "Azul's Zing" = "\\bgcheader: |\\bGPGC\\b|^\\[LOG\\] ",
  "Android" = "\\bGC_(CONCURRENT|FOR_ALLOC|FOR_MALLOC|EXPLICIT|BEFORE_OOM) freed|\\bGC freed \\d+"
)

#' Refuse a log of another JVM with its name, and refuse a file that is not a log.
refuse_foreign <- function(path, lines) {
  other <- vapply(foreign_logs, function(pattern) any(grepl(pattern, lines, perl = TRUE, useBytes = TRUE)), TRUE)
  what <- if (any(other)) sprintf("is a log of %s", names(foreign_logs)[other][1]) else "isn't a GC log"
  refuse(path, what, "the log of HotSpot, in JDK 8's format or the unified one", "name the log of a JVM")
}

# Whether a log has all of its pauses, in comparison with the collector's counts, so that no loss goes unnoticed.

#' Stops completed by collections: a stop whose line is missing is detected from the events in it.
#'
#' Evidence of a missing stop is any of these:
#'
#' - a collection that cannot be in the next stop
#' - a pause that began and never ended
#' - a safepoint that was entered and has no end
#' - more time since the previous stop than HotSpot itself reports
#'
#' All evidence between the same two stops counts as one missing stop. At the end of a log, the collection's time
#' replaces the stop's.
#'
#' @param evidence list of tables with `line` and `jvm`: `begun`, `entered`
#' @param broken lines of stops that are there but can't be read
#' @return list: `stops`, completed; `remarks`; `missing`, a line for each stop that is missing
with_collections <- function(stops, collections, evidence, broken) {
  last <- stops[!duplicated(jvm, fromLast = TRUE), .(jvm, line)]
  after_last <- collections$line > last$line[match(collections$jvm, last$jvm)]
  # A stop that was truncated at the end of the log contained the collection.
  at_end <- !(after_last %in% FALSE) & collections$line > max(0L, broken)
  held <- collections[!at_end]
  none <- data.table(line = integer(), jvm = integer(), kind = character())
  of_kind <- function(name) evidence[[name]][, .(line, jvm, kind = name)]
  marks <- rbindlist(c(list(none), lapply(names(evidence), of_kind)))
  missing <- lapply(unique(c(stops$jvm, marks$jvm)), function(this) {
    own <- stops[jvm == this]
    inner <- held[jvm == this]
    found <- rbind(
      data.table(line = without_stop(own, own$line, inner, inner$line), kind = "held"),
      unended(marks[jvm == this], own, collections[jvm == this]),
      data.table(line = own$line[gaps(own)] - 1L, kind = "gap")
    )
    found[, slot := findInterval(line, own$line)]
    # A missing stop may show in several ways, so only the kind of evidence with the most lines counts.
    most <- found[, .N, by = .(slot, kind)][order(-N)][!duplicated(slot)]
    found[most, on = .(slot, kind), line]
  })
  remarks <- if (any(at_end)) sprintf(
    "the log ends before the lines of %d stops; the time of the collection stands for each", sum(at_end)
  )
  completed <- rbind(stops, collections[at_end], fill = TRUE)[order(line)]
  list(stops = completed, remarks = remarks, missing = sort(unlist(missing)))
}

#' Events that began and that no stop follows: `line` and `kind`.
#'
#' A pause that began may have lost only the line of its end. The next stop then belongs to it, unless another
#' collection lies between them. If two safepoints were entered in succession, the first has no end.
unended <- function(marks, stops, collections) {
  slot <- findInterval(marks$line, stops$line)
  other <- vapply(seq_along(slot), function(i) {
    any(findInterval(collections$line, stops$line) == slot[i] & collections$line > marks$line[i])
  }, TRUE)
  twice <- marks$kind == "entered" & duplicated(data.table(slot, marks$kind), fromLast = TRUE)
  marks[slot == nrow(stops) | twice | marks$kind == "begun" & other, .(line, kind)]
}

#' Stops before which another one is missing: more time has passed since the previous stop than HotSpot reports.
gaps <- function(stops) {
  if (is.null(stops$since_ms) || nrow(stops) < 2) return(integer())
  passed <- stops$uptime_ms - shift(stops$uptime_ms + stops$pause_ms)
  # Stamps are rounded and written late; hence the tolerance.
  which(passed > stops$since_ms * 1.01 + 20)
}

#' Collections that cannot be in any stop. Either the collections since the previous stop are longer than the stop, or
#' the stop begins after they ended, or it is missing. One safepoint may contain several collections.
#'
#' @param stop_lines,collection_lines lines of each. A stop's line follows those of the collections in it
#' @return lines of the first collection of each such group, one for each stop that is missing
without_stop <- function(stops, stop_lines, collections, collection_lines) {
  if (nrow(collections) == 0) return(integer())
  owner <- findInterval(collection_lines, stop_lines, left.open = TRUE) + 1L
  held <- data.table(owner, line = collection_lines, ms = collections$pause_ms, from = collections$uptime_ms)
  held <- held[, .(line = line[1], end = from[1] + ms[1], ms = sum(ms)), by = owner]
  pause_ms <- stops$pause_ms[held$owner]
  # Each length is rounded separately, to a microsecond or coarser; stamps are rounded to a millisecond.
  late <- held$end < stops$uptime_ms[held$owner] - 2
  held[is.na(pause_ms) | ms > pause_ms * 1.001 + 0.05 | late %in% TRUE, line]
}

#' Number of collection numbers (`GC(17)`) that are missing between the smallest and the largest one in the log.
#'
#' In a log of several JVMs, a number counts as present if one of them has it. Concurrent collections are written in any
#' order.
missing_numbers <- function(numbers) {
  numbers <- unique(numbers[!is.na(numbers)])
  if (length(numbers) == 0) return(0L)
  as.integer(max(numbers) - min(numbers) + 1L - length(numbers))
}

#' Number of collections that -XX:+PrintHeapAtGC counts beyond those found: `{Heap before GC invocations=12 (full`.
#'
#' @param found number of collections. It may exceed the count: G1 counts its clean-ups, CMS does not count its remarks
missing_invocations <- function(lines, found) {
  before <- picked(lines, "Heap before (?:GC|gc) invocations=(\\d{1,9})")
  counted <- as.integer(before[!is.na(before)])
  if (length(counted) == 0 || any(diff(counted) < 0)) return(0L)
  max(0L, counted[length(counted)] - counted[1] + 1L - found)
}

#' Descriptions of what is lost; empty where nothing is.
#'
#' @param broken,open,begun lines of pauses that can't be read, of stops that are missing, of pauses that never ended
#' @param passed number of collections that the collector counts and the log does not have
loss_words <- function(broken, open = integer(), passed = 0L, begun = integer(), dropped = 0) {
  c(
    if (length(broken) > 0) sprintf(
      "%d pauses can't be read (cut off, or of a format not known): line %s", length(broken), some_of(sort(broken))
    ),
    if (length(open) > 0) sprintf("%d stops are missing, by line %s", length(open), some_of(sort(open))),
    if (length(begun) > 0) sprintf(
      "%s began and never ended: line %s", format_plural(length(begun), "pause"), some_of(sort(begun))
    ),
    if (passed > 0) sprintf("%d collections are missing by the collector's own count", passed),
    if (dropped > 0) sprintf("%.0f messages were dropped by asynchronous logging, pauses among them or not", dropped)
  )
}

#' Number, sum, percentiles and maximum of stops, and the share of the logged time that the application ran, in one
#' line.
pause_summary <- function(stops) {
  text <- sprintf("%d stops, %s ms in all", nrow(stops), format_plain(sum(stops$pause_ms), 6))
  if (nrow(stops) == 0) return(text)
  # Type 1 quantiles, so that each percentile is a stop of the log.
  points <- stats::quantile(stops$pause_ms, c(0.5, 0.95, 0.99, 1), type = 1, names = FALSE)
  names <- c("median", "95th percentile", "99th percentile", "longest")
  text <- c(text, sprintf("%s %s ms", names, format_plain(points)))
  span <- max(stops$uptime_ms + stops$pause_ms) - min(stops$uptime_ms)
  if (!is.na(span) && nrow(stops) > 1 && span > 0) text <- c(text, sprintf(
    "throughput %s %% from the first stop to the last", format_plain(100 * (1 - min(sum(stops$pause_ms) / span, 1)), 4)
  ))
  paste(text, collapse = "; ")
}
