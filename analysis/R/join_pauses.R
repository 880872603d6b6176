# Pauses laid over iterations by the JVM's uptime, the clock that both share.

#' Add to every iteration the time that its fork was paused during it.
#'
#' A pause across the border of two iterations is split between them by overlap, and counted in both.
#'
#' @param iterations data.table with `fork`, `start_uptime_ms`, `end_uptime_ms`
#' @param pauses data.table with `fork`, `uptime_ms`, `pause_ms`
#' @return `iterations` with `pause_ms` (0 without a pause) and `pauses` (their number)
join_pauses <- function(iterations, pauses) {
  spans <- iterations[, .(row = .I, fork, from = start_uptime_ms, to = end_uptime_ms)]
  stops <- pauses[, .(fork, from = uptime_ms, to = uptime_ms + pause_ms)]
  overlaps <- stops[
    spans, .(row = i.row, ms = pmin(x.to, i.to) - pmax(x.from, i.from)),
    on = .(fork, from < to, to > from), nomatch = NULL
  ]
  sums <- overlaps[, .(ms = sum(ms), count = .N), by = row]
  iterations[, `:=`(pause_ms = 0, pauses = 0L)]
  iterations[sums$row, `:=`(pause_ms = round(sums$ms, 6), pauses = sums$count)]
  iterations[]
}
