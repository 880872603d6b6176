# Logs of other JVMs than HotSpot, told by what only they write.

foreign_logs <- c(
  "OpenJ9 or IBM's JVM" = "^\\s*<(verbosegc|verbosegc |af type=|gc-start |exclusive-start |gc type=)",
  "IBM's JVM before version 5" = "^\\s*<(AF\\[\\d+\\]|GC\\(\\d+\\)): ", "HP's JVM" = "^\\s*<GC: +\\d",
  "JRockit" = "^(\\[\\w+ *\\])*\\[(memory|gcpause) *\\]", "Azul's Zing" = "\\bgcheader: |\\bGPGC\\b|^\\[LOG\\] ",
  "Android" = "\\bGC_(CONCURRENT|FOR_ALLOC|FOR_MALLOC|EXPLICIT|BEFORE_OOM) freed|\\bGC freed \\d+",
  "a native image before GraalVM 23" = "^\\[(Incremental|Full) GC \\(\\w+\\) \\d"
)

#' Refuse a log of another JVM by name, and what is no log at all.
refuse_foreign <- function(path, lines) {
  told <- vapply(foreign_logs, function(pattern) any(grepl(pattern, lines, perl = TRUE, useBytes = TRUE)), TRUE)
  what <- if (any(told)) sprintf("is a log of %s", names(foreign_logs)[told][1]) else "isn't a GC log"
  refuse(path, what, "the log of HotSpot, in JDK 8's format or the unified one", "name the log of a JVM")
}
