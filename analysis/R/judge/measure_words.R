# What a measure is called in a sentence.

#' `time`, `CPU time`, `share of generate-key`, `deviation of byte counts`.
measure_phrase <- function(measure) {
  own <- c(
    wall = "time", cpu = "CPU time", total = "time of all steps", "server-cpu" = "CPU time of the server"
  )
  if (measure %in% names(own)) return(own[[measure]])
  parts <- strsplit(measure, ".", fixed = TRUE)[[1]]
  rest <- paste(parts[-1], collapse = " ")
  switch(parts[1],
    share = paste("share of", rest), step = paste("time of", rest),
    later = measure_phrase(sub("^later\\.", "", measure)),
    deviation = "deviation of byte counts", entropy = "entropy a byte", "zero-share" = "share of zero bytes",
    "top-share" = "share of the commonest byte", gsub(".", " ", measure, fixed = TRUE)
  )
}

#' Whether a measure is a time, so that a sentence says "takes", not "has".
is_time <- function(measure) grepl("^(wall|cpu|server-cpu|latency\\..*|(later\\.)?(total|step\\..*))$", measure)
