# The results of a JMH file: what was run, and whether the file is as JMH writes it.

time_units <- c(ns = 1, us = 1e3, ms = 1e6, s = 1e9, min = 60e9, hr = 3600e9, day = 86400e9)

jmh_modes <- c(thrpt = "thrpt", avgt = "avgt", sample = "sample", ss = "ss")

#' Results of a file from the text around its arrays.
#'
#' @param file its name, for errors; `text` of `block_surroundings`, all pieces together
#' @return data.table, one row per result: `result` (its number), `benchmark`, `mode`, `unit`, `threads`, `batch`,
#'   `param.<name>`, `forks_planned`, `iterations_planned` (NA where not stated), `score`, `block` (of its raw data).
#'   NULL for JSON that isn't JMH's.
jmh_results <- function(file, text) {
  if (!grepl("[^[:space:]]", text, useBytes = TRUE)) not_jmh(file, "is empty (was JMH ended?)", "JMH's results")
  text <- sub("^\xef\xbb\xbf", "", text, useBytes = TRUE)
  Encoding(text) <- "UTF-8"
  results <- tryCatch(jsonlite::parse_json(text), error = function(problem) NULL)
  if (is.null(results)) not_jmh(file, "isn't whole JSON (truncated or edited?)", "a JSON document")
  traces <- "\"(primaryMetric|jmhVersion|scoreUnit|rawData|rawDataHistogram)\""
  if (!grepl(traces, text, useBytes = TRUE) && !identical(results, list())) return(NULL)
  if (length(results) == 0) not_jmh(file, "has no result", "JMH's results, one or more")
  if (!is.null(names(results)) || !all(vapply(results, is.list, TRUE))) {
    not_jmh(file, "isn't a list of results", "JMH's list of results")
  }
  rows <- lapply(seq_along(results), function(number) result_row(file, results[[number]], number))
  rbindlist(rows, use.names = TRUE, fill = TRUE)
}

result_row <- function(file, result, number) {
  bad <- function(what, expected) not_jmh(file, sprintf("result %d %s", number, what), expected)
  metric <- result$primaryMetric
  text <- function(value, name) {
    if (!is.character(value) || length(value) != 1 || !nzchar(value)) bad(paste("has no", name), name)
    value
  }
  count <- function(value, name) {
    if (is.null(value)) return(NA_real_)
    if (
      !is.numeric(value) || length(value) != 1 || value < 0 || value != round(value)
    ) bad(paste("has no number of", name), "a whole number")
    as.numeric(value)
  }
  mode <- text(result$mode, "mode")
  if (!mode %in% jmh_modes) bad(sprintf("has mode '%s'", mode), some_of(jmh_modes))
  if (!is.list(metric)) bad("has no primaryMetric", "primaryMetric")
  unit <- mode_unit(mode, text(metric$scoreUnit, "scoreUnit"), bad)
  block <- metric$rawDataHistogram %||% metric$rawData
  if (!is.numeric(block) || length(block) != 1) bad("has no raw data", "rawData or rawDataHistogram, an array per fork")
  params <- result$params
  if (
    length(params) > 0 && (is.null(names(params)) || !all(vapply(params, function(value) length(value) == 1, TRUE)))
  ) {
    bad("has params that can't be read", "a name and a value each")
  }
  fixed <- list(
    result = number, benchmark = text(result$benchmark, "benchmark"), mode = mode, unit = unit,
    threads = count(result$threads %||% 1L, "threads"),
    batch = count(result$measurementBatchSize %||% 1L, "calls in a batch"),
    forks_planned = count(result$forks, "forks"), iterations_planned = count(
      result$measurementIterations, "iterations"
    ),
    score = jmh_number(file, metric$score %||% NaN), block = as.numeric(block)
  )
  params <- lapply(params, function(value) if (is.numeric(value)) format(value, digits = 15) else as.character(value))
  c(fixed, stats::setNames(params, sprintf("param.%s", names(params))))
}

#' The unit, which must be one of the mode's: operations per time for throughput, else time per operation. The first
#' versions of JMH write a single shot's time without "/op".
mode_unit <- function(mode, unit, bad) {
  times <- names(time_units)
  if (mode == "ss" && unit %in% times) unit <- paste0(unit, "/op")
  fits <- unit %in% if (mode == "thrpt") paste0("ops/", times) else paste0(times, "/op")
  if (!fits) bad(
    sprintf("of mode %s is in '%s'", mode, unit), if (mode == "thrpt") "ops/s or the like" else "s/op or the like"
  )
  unit
}
