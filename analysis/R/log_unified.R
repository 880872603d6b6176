# The unified log of JDK 9 and later: -Xlog:gc*,safepoint with time, uptime, level and tags as decorations.
# Field sets differ by version: JDK 9 to 12 write JDK 8's sentence, later ones `Safepoint "NAME", ..., Total: N ns`.

unified_line <- "^(\\[[^]]*\\])*\\[(gc|safepoint)[^]]*\\]"

#' VM operations that collect garbage, by HotSpot's names for them (Serial, Parallel, CMS, G1, ZGC, Shenandoah).
collecting_operation <- "Collect|ParallelGC|GC_|^G1|^CMS_|^CGC_|^[XZ](Mark|Relocate|Remap|Verify|Operation)|^Shenandoah"

is_unified_log <- function(lines) any(grepl(unified_line, lines, perl = TRUE, useBytes = TRUE))

#' @param lines a whole log
#' @return see `read_gc_log`; attribute `broken` numbers the lines of stops that can't be read
parse_unified_log <- function(lines) {
  modern <- grepl("] Safepoint \"", lines, fixed = TRUE, useBytes = TRUE)
  older <- grepl("] Total time for which application threads were stopped:", lines, fixed = TRUE, useBytes = TRUE)
  stops <- which(modern | older)
  if (length(stops) == 0) return(stops_table())
  text <- lines[stops]
  older <- older[stops]

  pause_ms <- rep(NA_real_, length(stops))
  pause_ms[older] <- 1000 * decimal(picked(text[older], "stopped: (\\d+[.,]\\d+) seconds"))
  pause_ms[!older] <- as.numeric(picked(text[!older], "Total: +(\\d+) ns")) / 1e6

  entered <- grep("Entering safepoint region: ", lines, fixed = TRUE, useBytes = TRUE)
  operation <- between_stops(entered, sub(".*Entering safepoint region: ", "", lines[entered]), stops)
  operation[!older] <- picked(text[!older], "Safepoint \"([^\"]*)\"")

  paused <- grep("\\] GC\\(\\d+\\) Pause ", lines, perl = TRUE, useBytes = TRUE)
  cause <- between_stops(paused, pause_cause(lines[paused]), stops, "first")
  # The operation's name decides. Lines between stops may come late from a concurrent thread, so they only decide when
  # they carry a collection's cause (a heap dump that collects first).
  collection <- cause != "" | grepl(collecting_operation, operation, perl = TRUE)
  named <- cause == "" | grepl("^([XZ][MRVO]|Shenandoah)", operation)
  cause[named] <- operation[named]
  cause[is.na(cause)] <- ""
  uptime_ms <- unified_uptimes(text)
  stops_table(uptime_ms, pause_ms, collection, cause, stops[is.na(pause_ms) | is.na(uptime_ms)])
}

#' The last bracket of `GC(0) Pause Young (Normal) (G1 Evacuation Pause) 17M->0M(61M) 1.2ms` is the cause.
pause_cause <- function(lines) {
  text <- sub(" +\\d+[BKMG]->.*$", "", lines, perl = TRUE, useBytes = TRUE)
  text <- sub(" \\d+[.,]\\d+ms$", "", text, perl = TRUE, useBytes = TRUE)
  cause <- picked(text, "\\(((?:[^()]|\\(\\))*)\\)$")
  fifelse(is.na(cause), "", cause)
}

#' Uptime in ms from the decorations: nanoseconds if they are there, else seconds, else milliseconds.
unified_uptimes <- function(lines) {
  decorations <- picked(lines, "^((?:\\[[^]]*\\])+)")
  uptimes <- 1000 * decimal(picked(decorations, "\\[(\\d+[.,]\\d+)s\\]"))
  precise <- grepl("ns]", decorations, fixed = TRUE)
  uptimes[precise] <- as.numeric(picked(decorations[precise], "\\[(\\d{1,16})ns\\]")) / 1e6
  coarse <- is.na(uptimes)
  uptimes[coarse] <- as.numeric(picked(decorations[coarse], "\\[(\\d{1,11})ms\\]"))
  uptimes
}
