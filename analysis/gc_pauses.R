# Stops of the application threads from any GC log of HotSpot: Rscript analysis/gc_pauses.R --log FILE --out FILE

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
analysis_dir <- dirname(script)
source(file.path(analysis_dir, "load.R"))

run_script(function() {
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
