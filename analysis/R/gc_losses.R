# Whether a log has all of its pauses: compared with what the collector itself counts, so that no loss goes unnoticed.

#' Stops completed by collections: a stop whose line is missing is found by what it held.
#'
#' Evidence of a missing stop is a collection that the next stop can't hold, a pause that began and never ended, a
#' safepoint that was entered and has no end, or more time since the stop before than HotSpot itself says. Pieces of
#' evidence between the same two stops are one missing stop. At the end of a log the collection's time stands for it.
#'
#' @param stops,collections tables of stops with `line`, and `jvm` where a log can be of several
#' @param evidence list of tables with `line` and `jvm`: `begun`, `entered`
#' @param broken lines of stops that are there but can't be read
#' @return list: `stops`, completed; `remarks`; `missing`, a line for each stop that is missing
with_collections <- function(stops, collections, evidence, broken) {
  last <- stops[!duplicated(jvm, fromLast = TRUE), .(jvm, line)]
  after_last <- collections$line > last$line[match(collections$jvm, last$jvm)]
  # A stop that was cut off at the end of the log held the collection.
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
    # One missing stop may show in several ways, so the way that shows most of them counts.
    most <- found[, .N, by = .(slot, kind)][order(-N)][!duplicated(slot)]
    found[most, on = .(slot, kind), line]
  })
  remarks <- if (any(at_end)) sprintf(
    "the log ends before the lines of %d stops; the time of the collection stands for each", sum(at_end)
  )
  completed <- rbind(stops, collections[at_end], fill = TRUE)[order(line)]
  list(stops = completed, remarks = remarks, missing = sort(unlist(missing)))
}

#' What began without a stop of its own behind it: `line` and `kind`.
#'
#' A pause that began may have lost only the line of its end; the next stop is its own unless another collection is
#' between them. Of two safepoints that were entered one after the other the first has no end.
unended <- function(marks, stops, collections) {
  slot <- findInterval(marks$line, stops$line)
  other <- vapply(seq_along(slot), function(i) {
    any(findInterval(collections$line, stops$line) == slot[i] & collections$line > marks$line[i])
  }, TRUE)
  twice <- marks$kind == "entered" & duplicated(data.table(slot, marks$kind), fromLast = TRUE)
  marks[slot == nrow(stops) | twice | marks$kind == "begun" & other, .(line, kind)]
}

#' Stops before which another one is missing: more time has passed since the stop before than HotSpot says.
gaps <- function(stops) {
  if (is.null(stops$since_ms) || nrow(stops) < 2) return(integer())
  passed <- stops$uptime_ms - shift(stops$uptime_ms + stops$pause_ms)
  # Stamps are rounded and written late; a stop of a millisecond or two can't be missed by this.
  which(passed > stops$since_ms * 1.01 + 20)
}

#' Collections that no stop can hold: more time of collections since the stop before than the stop is long, a stop that
#' begins when they are over, or none after them. One safepoint may well hold several collections.
#'
#' @param stops,collections tables of stops, the second of the collections' own pauses; `stop_lines`, `collection_lines`
#'   of each. A stop's line comes after those of what it holds
#' @return lines of the collections that begin such a row, one for each stop that is missing
without_stop <- function(stops, stop_lines, collections, collection_lines) {
  if (nrow(collections) == 0) return(integer())
  owner <- findInterval(collection_lines, stop_lines, left.open = TRUE) + 1L
  held <- data.table(owner, line = collection_lines, ms = collections$pause_ms, from = collections$uptime_ms)
  held <- held[, .(line = line[1], end = from[1] + ms[1], ms = sum(ms)), by = owner]
  pause_ms <- stops$pause_ms[held$owner]
  # Lengths are rounded to a microsecond or worse, each on its own; stamps to a millisecond.
  late <- held$end < stops$uptime_ms[held$owner] - 2
  held[is.na(pause_ms) | ms > pause_ms * 1.001 + 0.05 | late %in% TRUE, line]
}

#' How many numbers of collections the log passes over, between the least and the largest that it has: `GC(17)`. Numbers
#' that one of several JVMs in a log has count as had: collections that run beside one another stand in any order.
missing_numbers <- function(numbers) {
  numbers <- unique(numbers[!is.na(numbers)])
  if (length(numbers) == 0) return(0L)
  as.integer(max(numbers) - min(numbers) + 1L - length(numbers))
}

#' How many collections -XX:+PrintHeapAtGC counts beyond those that were found: `{Heap before GC invocations=12 (full`.
#'
#' @param found number of collections; G1 counts its clean-ups, CMS not its remarks, so that more may be found
missing_invocations <- function(lines, found) {
  before <- picked(lines, "Heap before (?:GC|gc) invocations=(\\d{1,9})")
  counted <- as.integer(before[!is.na(before)])
  if (length(counted) == 0 || any(diff(counted) < 0)) return(0L)
  max(0L, counted[length(counted)] - counted[1] + 1L - found)
}

#' What is lost, in words; none where nothing is.
#'
#' @param broken lines of pauses that can't be read, `open` of stops that are missing, `begun` of pauses that never
#'   ended; `passed` number of collections that the collector counts and the log does not have; `dropped` messages that
#'   asynchronous logging dropped
loss_words <- function(broken, open = integer(), passed = 0L, begun = integer(), dropped = 0) {
  c(
    if (length(broken) > 0) sprintf(
      "%d pauses can't be read (cut off, or of a format not known): line %s", length(broken), some_of(sort(broken))
    ),
    if (length(open) > 0) sprintf("%d stops are missing, by line %s", length(open), some_of(sort(open))),
    if (length(begun) > 0) sprintf("%d pauses began and never ended: line %s", length(begun), some_of(sort(begun))),
    if (passed > 0) sprintf("%d collections are missing by the collector's own count", passed),
    if (dropped > 0) sprintf("%.0f messages were dropped by asynchronous logging, pauses among them or not", dropped)
  )
}
