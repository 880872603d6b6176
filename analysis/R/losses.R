# Whether a log has all of its pauses: held against what the collector itself counts, so that none is lost in silence.

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
#' @param broken lines of pauses that can't be read, `open` of collections without a stop; `passed` number of
#'   collections that the collector counts and the log does not have
loss_words <- function(broken, open = integer(), passed = 0L) {
  c(
    if (length(broken) > 0) sprintf(
      "%d pauses can't be read (cut off, or of a format not known): line %s", length(broken), some_of(sort(broken))
    ),
    if (length(open) > 0) sprintf(
      "%d stops are missing, those of the collections of line %s", length(open), some_of(sort(open))
    ),
    if (passed > 0) sprintf("%d collections are missing by the collector's own count", passed)
  )
}
