# What a measure is called in a sentence.

#' `time`, `CPU time`, `share of generate-key`, `deviation of byte counts`.
measure_phrase <- function(measure) {
  own <- c(
    wall = "time", cpu = "CPU time", "gc.alloc.rate.norm" = "allocated memory", total = "time of all steps",
    "server-cpu" = "CPU time of the server",
    "client-jvm-cpu" = "CPU time of the client's JVM", "server-jvm-cpu" = "CPU time of the server's JVM",
    "client-utilisation" = "client's utilisation", "server-utilisation" = "server's utilisation",
    "busier-utilisation" = "busier side's utilisation", "both-utilisation" = "both sides' utilisation",
    "server-per-client" = "server's CPU time over the client's",
    "calls.variation" = "spread of single calls over their mean", "calls.far-out" = "share of calls that lie far out",
    "calls.maximum-spread" = "spread of forks' slowest call over that of their mean",
    "calls.minimum-spread" = "spread of forks' fastest call over that of their mean",
    "calls.largest-interrupted" = "share of slowest calls that a pause or another thread interrupted",
    "calls.largest-over-all" = "share of slowest calls that were interrupted over that of all calls"
  )
  if (measure %in% names(own)) return(own[[measure]])
  parts <- strsplit(measure, ".", fixed = TRUE)[[1]]
  rest <- paste(parts[-1], collapse = " ")
  switch(parts[1],
    share = paste("share of", rest), step = paste("time of", rest),
    "step-ratio" = sprintf("time of %s over that of %s", parts[2], parts[3]),
    "median-step-ratio" = sprintf("median time of %s over that of %s", parts[2], parts[3]),
    later = measure_phrase(sub("^later\\.", "", measure)),
    deviation = "deviation of byte counts", entropy = "entropy a byte", "zero-share" = "share of zero bytes",
    "low16-zero-share" = "share of zero among the bytes 0 to 15",
    "low32-zero-share" = "share of zero among the bytes 0 to 31", "counts-sd" = "standard deviation of byte counts",
    "uneven-share" = "share of streams whose byte counts differ",
    "top-share" = "share of the commonest byte", gsub(".", " ", measure, fixed = TRUE)
  )
}

#' Whether a measure is a time, so that a sentence says "takes", not "has".
is_time <- function(measure) {
  grepl("^(wall|cpu|server-cpu|(client|server)-jvm-cpu|latency\\..*|(later\\.)?(total|step\\..*))$", measure)
}

#' Whether a measure is a time, or a quotient of times of code that may not be compiled yet: what needs settled times.
rests_on_times <- function(measure) {
  quotients <- c(
    "throughput", "[a-z]+-utilisation", "server-per-client", "calls\\..*", "(later\\.|median-)?step-ratio\\..*"
  )
  is_time(measure) | grepl(sprintf("^(%s)$", paste(quotients, collapse = "|")), measure)
}
