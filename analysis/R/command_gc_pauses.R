# Stops of the application threads from any GC log of HotSpot.
# Exit status 3 where the log has pauses that are not in the table.

command_gc_pauses <- function(words) {
  arguments <- read_arguments(
    list(
      log = list(
        text = "a GC log of HotSpot, or the files of a rotated one", required = TRUE, file = TRUE, many = TRUE
      ),
      out = list(text = "the CSV to write: uptime_ms, kind, cause, pause_ms, one row per stop", required = TRUE)
    ),
    "Writes one row for every stop of the application threads in a GC log. Exit status 3: some are lost.",
    words
  )
  stops <- read_gc_pauses(arguments$log)
  name <- format_list(arguments$log)
  for (remark in attr(stops, "remarks")) message(sprintf("%s: %s", name, remark))
  rows <- stops[, .(uptime_ms, kind, cause, pause_ms)]
  written <- write_table(rows, out_file(dirname(arguments$out), basename(arguments$out)))
  message(sprintf("%s: %s", written, pause_summary(stops)))
  lost <- attr(stops, "lost")
  for (words in lost) message(sprintf("%s: %s", name, words))
  if (length(lost) > 0) quit(status = 3, save = "no")
}

#' Number, sum, percentiles and maximum of stops, and the share of the logged time that the application ran, in a line.
pause_summary <- function(stops) {
  text <- sprintf("%d stops, %s ms in all", nrow(stops), format_plain(sum(stops$pause_ms), 6))
  if (nrow(stops) == 0) return(text)
  # The smallest value that the share of stops reaches (type 1), so that each percentile is a stop of the log.
  points <- stats::quantile(stops$pause_ms, c(0.5, 0.95, 0.99, 1), type = 1, names = FALSE)
  names <- c("median", "95th percentile", "99th percentile", "longest")
  text <- c(text, sprintf("%s %s ms", names, format_plain(points)))
  span <- max(stops$uptime_ms + stops$pause_ms) - min(stops$uptime_ms)
  if (!is.na(span) && nrow(stops) > 1 && span > 0) text <- c(text, sprintf(
    "throughput %s %% from the first stop to the last", format_plain(100 * (1 - min(sum(stops$pause_ms) / span, 1)), 4)
  ))
  paste(text, collapse = "; ")
}
