# Stops of the application threads from any GC log of HotSpot.
# Exit status 3 where the log has pauses that are not in the table.

command_gc_pauses <- function(words) {
  arguments <- read_arguments(
    list(
      log = list(text = "a GC log of HotSpot, JDK 8's or the unified one, any collector", required = TRUE, file = TRUE),
      out = list(text = "the CSV to write: uptime_ms, kind, cause, pause_ms, one row per stop", required = TRUE)
    ),
    "Writes one row for every stop of the application threads that a GC log tells. Exit status 3: some are lost.",
    words
  )
  stops <- read_gc_pauses(arguments$log)
  lost <- attr(stops, "lost")
  remarks <- attr(stops, "remarks")
  for (remark in remarks) message(sprintf("%s: %s", arguments$log, remark))
  rows <- stops[, .(uptime_ms, kind, cause, pause_ms)]
  written <- write_table(rows, out_file(dirname(arguments$out), basename(arguments$out)))
  message(sprintf("%s: %d stops, %s ms in all", written, nrow(rows), format_plain(sum(rows$pause_ms), 6)))
  for (words in lost) message(sprintf("%s: %s", arguments$log, words))
  if (length(lost) > 0) quit(status = 3, save = "no")
}
