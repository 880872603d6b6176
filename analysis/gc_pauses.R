# Stops of the application threads from any GC log of HotSpot: Rscript analysis/gc_pauses.R --log FILE --out FILE

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "rooms.R"), chdir = TRUE)

script("gc", function() {
  arguments <- read_arguments(
    list(
      log = list(text = "a GC log of HotSpot, JDK 8's or the unified one, any collector", required = TRUE, file = TRUE),
      out = list(text = "the CSV to write: uptime_ms, kind, cause, pause_ms, one row per stop", required = TRUE)
    ),
    "Writes one row for every stop of the application threads that a GC log tells."
  )
  stops <- read_gc_pauses(arguments$log)
  for (remark in attr(stops, "remarks")) message(sprintf("%s: %s", arguments$log, remark))
  write_table(stops[, .(uptime_ms, kind, cause, pause_ms)], out_file(dirname(arguments$out), basename(arguments$out)))
})
