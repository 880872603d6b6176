# The unified log of JDK 9 and later (-Xlog:gc*,safepoint), and that of GraalVM's native images. Any decorations are
# accepted, and any text before a line (from a container runtime, a journal, a forum's indentation).
# JDK 9 to 12 write JDK 8's sentence for a stop, later ones `Safepoint "NAME", ..., Total: N ns`.

unified_body <- paste0(
  "GC\\(\\d+\\) (?:[YyOo]: )?[A-Z]|Safepoint \"|Total time for which application threads were stopped:|",
  "Entering safepoint region: |Using [A-Z]\\w+|\\d+ messages dropped due to async"
)

#' VM operations that collect garbage, by HotSpot's names for them (Serial, Parallel, CMS, G1, ZGC, Shenandoah).
collecting_operation <- "Collect|ParallelGC|GC_|^G1|^CMS_|^CGC_|^[XZ](Mark|Relocate|Remap|Verify|Operation)|^Shenandoah"

#' The lines of a unified log that describe pauses or losses.
#'
#' @return data.table in the order of the log: `line`, its number; `decorations`, the brackets before the message;
#'   `body`, the message; `number` of the collection; `uptime_ms`, NA without one. `jvm` counts the JVMs and rotated
#'   files of the log. The attribute `relative` is set where uptimes count from the log's earliest stamp.
unified_messages <- function(lines) {
  at <- grep(unified_body, lines, perl = TRUE, useBytes = TRUE)
  text <- lines[at]
  found <- regexpr(paste0("((?:\\[[^\\]]*\\] ?)*) *((?:", unified_body, ").*)$"), text, perl = TRUE, useBytes = TRUE)
  part <- function(group) {
    from <- attr(found, "capture.start")[, group]
    substring(text, from, from + attr(found, "capture.length")[, group] - 1L)
  }
  decorations <- if (length(at) > 0) part(1) else character()
  body <- if (length(at) > 0) trimws(part(2), "right") else character()
  uptime_ms <- unified_uptimes(decorations)
  relative <- all(is.na(uptime_ms))
  if (relative) uptime_ms <- clock_stamps(decorations)
  # A run has thousands of short logs: `[` on a data.table takes longer than all of these columns.
  messages <- setDT(list(
    line = at, decorations = decorations, body = body, number = as.integer(picked(body, "^GC\\((\\d{1,9})\\)")),
    uptime_ms = uptime_ms, jvm = jvm_of(uptime_ms, body)
  ))
  setattr(messages, "relative", relative)
}

#' The lines of a log in chronological order, where it contains one JVM's rotated files in another order.
in_time_order <- function(lines) {
  messages <- unified_messages(lines)
  if (uniqueN(messages$jvm) < 2) return(lines)
  files <- messages[, .(
    from = min(uptime_ms), to = max(uptime_ms), first = line[1], named = any(startsWith(body, "Using "))
  ), by = jvm][order(from)]
  one_jvm <- all(files$from[-1] >= files$to[-nrow(files)]) && !any(files$named[-1])
  if (!one_jvm %in% TRUE) return(lines)
  starts <- c(1L, sort(files$first)[-1])
  blocks <- split(lines, findInterval(seq_along(lines), starts))
  unlist(blocks[order(order(files$first))], use.names = FALSE)
}

#' Whether a log is a unified one: it has a collection's number, a named safepoint, or a decorated message.
is_unified_log <- function(messages) {
  any(grepl("^(GC\\(|Safepoint \")", messages$body) | nzchar(messages$decorations))
}

#' The JVM, or the rotated file of one JVM, that a message belongs to. The time goes back where another one begins.
#'
#' Concurrent threads write lines late, by less than a second. A JVM's first line contains the name of its collector.
jvm_of <- function(uptime_ms, body) {
  if (length(body) == 0) return(integer())
  since <- uptime_ms - shift(nafill(uptime_ms, "locf"))
  first <- startsWith(body, "Using ")
  back <- since < fifelse(first, 0, -1000)
  1L + cumsum(fifelse(is.na(since), first & seq_along(body) > 1L, back))
}

#' Uptime in ms from the decorations: nanoseconds if they agree with the uptime in seconds or are all there is, else
#' seconds, else milliseconds.
#'
#' `timenanos` counts from the machine's start and looks like `uptimenanos`. Alone, and above a minute at the log's
#' first line, it counts from there.
unified_uptimes <- function(decorations) {
  if (length(decorations) == 0) return(numeric())
  seconds <- 1000 * decimal(picked(decorations, "\\[(\\d+[.,]\\d+)s\\]"))
  milliseconds <- as.numeric(picked(decorations, "\\[(\\d{1,11})ms\\]"))
  coarse <- fcoalesce(seconds, milliseconds)
  if (!any(grepl("ns]", decorations, fixed = TRUE))) return(coarse)
  ns <- vapply(regmatches(decorations, gregexpr("\\[\\d{1,16}ns\\]", decorations)), function(all) {
    c(as.numeric(gsub("\\D", "", all)), NA, NA)[1:2]
  }, c(0, 0)) / 1e6
  # uptimenanos is the smaller of the two, because a JVM's uptime never exceeds its machine's.
  fine <- pmin(ns[1, ], ns[2, ], na.rm = TRUE)
  agree <- abs(fine - coarse) < 1000
  if (all(is.na(coarse))) {
    first <- fine[!is.na(fine)][1]
    alone <- all(is.na(ns[2, ]))
    return(if (alone && !is.na(first) && first > 60000) fine - min(fine, na.rm = TRUE) else fine)
  }
  fifelse(agree %in% TRUE, fine, coarse)
}

#' Stamps in ms from the time of day, counted from the earliest one; NA where there is none.
clock_stamps <- function(decorations) {
  text <- picked(decorations, "\\[(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.,]\\d{3})")
  clock <- fcoalesce(1000 * utc_seconds(text), as.numeric(picked(decorations, "\\[(\\d{12,14})ms\\]")))
  if (all(is.na(clock))) return(clock)
  round(clock - min(clock, na.rm = TRUE), 6)
}

#' Stops of the application threads, from the safepoints of a log.
#'
#' @return see `stops_table`, with columns `line`, `jvm` and `since_ms`, the time since the previous safepoint.
#'   Attribute `broken`: lines of stops without a length
unified_stops <- function(messages) {
  at <- grep("^(Safepoint \"|Total time for which)", messages$body)
  if (length(at) == 0) return(stops_table()[, `:=`(line = integer(), jvm = integer(), since_ms = numeric())][])
  text <- messages$body[at]
  line <- messages$line[at]
  older <- startsWith(text, "Total time")
  pause_ms <- as.numeric(picked(text, "Total: +(\\d+) ns")) / 1e6
  pause_ms[older] <- 1000 * decimal(picked(text[older], "stopped: (\\d+[.,]\\d+) seconds"))

  entered <- startsWith(messages$body, "Entering safepoint region: ")
  operation <- between_stops(
    messages$line[entered], sub(".*Entering safepoint region: ", "", messages$body[entered]), line
  )
  operation[!older] <- picked(text[!older], "Safepoint \"([^\"]*)\"")
  paused <- grepl("^GC\\(\\d+\\) Pause ", messages$body)
  cause <- between_stops(messages$line[paused], pause_cause(messages$body[paused]), line, "first")
  # The operation's name decides. A concurrent thread may write its line late. A line between two stops therefore
  # decides only if it has a collection's cause (e.g. a heap dump that collects first).
  collection <- cause != "" | grepl(collecting_operation, operation, perl = TRUE)
  named <- cause == "" | grepl("^([XZ][MRVO]|Shenandoah)", operation)
  cause[named] <- operation[named]
  cause[is.na(cause)] <- ""
  found <- stops_table(messages$uptime_ms[at], pause_ms, collection, cause, line[is.na(pause_ms)])
  since_ms <- as.numeric(picked(text, "Time since last: +(\\d+) ns")) / 1e6
  set(found, j = c("line", "jvm", "since_ms"), value = list(line, messages$jvm[at], since_ms))
}

#' Pauses of collections: `GC(3) Pause Young (Normal) (G1 Evacuation Pause) 6M->6M(64M) 6.613ms`.
#'
#' @return see `stops_table`, with columns `line` and `jvm`. Attributes: `broken`, lines that were truncated, and
#'   `begun`, messages of pauses that began and never ended
unified_collections <- function(messages) {
  # JDK 11's ZGC also writes a line for each thread's part of a pause.
  of_thread <- grepl("\\((ZWorker#\\d+|VM Thread)\\)( \\d|$)", messages$body)
  at <- which(grepl("^GC\\(\\d+\\) ([YyOo]: )?Pause ", messages$body) & !of_thread)
  paused <- lapply(messages, `[`, at)
  paused$pause_ms <- decimal(picked(paused$body, "(?<![-.,\\d])(\\d+[.,]\\d+)ms$"))
  tagged <- grepl("\\[[^]]*gc[^]]*\\]", paused$decorations)
  starting <- grepl("[\\[,]start[ ,\\]]", paused$decorations, perl = TRUE)
  cut <- is.na(paused$pause_ms) & tagged & !starting
  # A log without tags does not mark the start of a pause, which is the line without a length.
  begins <- is.na(paused$pause_ms) & !cut
  begun <- setDT(list(line = integer(), jvm = integer(), number = integer()))
  if (any(begins)) {
    begun <- setDT(c(paused[names(begun)], list(open = begins)))
    begun[, open := open & rev(cumsum(rev(open))) <= sum(open) - sum(!open), by = .(jvm, number)]
    begun <- begun[open == TRUE]
  }
  ended <- lapply(paused, `[`, !is.na(paused$pause_ms))
  cause <- pause_cause(ended$body)
  named <- cause == "" | grepl("Pause (Mark|Relocate|Init|Final)", ended$body)
  cause[named] <- picked(without_sizes(ended$body[named]), "(Pause .*)$")
  broken <- paused$line[cut]
  stops <- stops_table(ended$uptime_ms, ended$pause_ms, rep(TRUE, length(cause)), cause)
  set(stops, j = c("line", "jvm"), value = ended[c("line", "jvm")])
  inside <- inside_the_next(ended)
  if (any(inside)) stops <- stops[!inside]
  setattr(stops, "broken", broken)
  setattr(stops, "begun", begun)
}

#' Full collections inside a young one. Up to JDK 11, a young collection that ends as a full one writes both. The inner
#' one has the higher number and is written first. Other pauses are never nested.
inside_the_next <- function(ended) {
  outer <- shift(ended, type = "lead")
  names(outer) <- names(ended)
  inside <- ended$jvm == outer$jvm & ended$number > outer$number & ended$pause_ms < outer$pause_ms &
    grepl("Pause Full", ended$body, fixed = TRUE) & grepl("Pause Young", outer$body, fixed = TRUE)
  # Stamps are rounded to a millisecond.
  in_time <- ended$uptime_ms >= outer$uptime_ms - outer$pause_ms - 2
  inside %in% TRUE & !(in_time %in% FALSE)
}

#' A pause's message without heap sizes and length.
without_sizes <- function(text) {
  text <- sub(" +\\d+(\\.\\d+)?[BKMG]->.*$", "", text, perl = TRUE, useBytes = TRUE)
  sub(" \\d+[.,]\\d+ms$", "", text, perl = TRUE, useBytes = TRUE)
}

#' The last bracket of `GC(0) Pause Young (Normal) (G1 Evacuation Pause) 17M->0M(61M) 1.2ms` is the cause.
pause_cause <- function(lines) {
  cause <- picked(without_sizes(lines), "\\(((?:[^()]|\\(\\))*)\\)$")
  fifelse(is.na(cause), "", cause)
}
