# The results of a JMH file: what was run, and whether the file is as JMH writes it.

jmh_modes <- c(thrpt = "thrpt", avgt = "avgt", sample = "sample", ss = "ss")

#' What two results of a benchmark must have in common to be forks of one and the same thing.
jvm_fields <- c(
  "jvm", "jvmArgs", "jdkVersion", "vmName", "vmVersion", "warmupIterations", "warmupTime", "warmupBatchSize",
  "measurementIterations", "measurementTime"
)

#' Results of a file from the text around its arrays.
#'
#' @param file its name, for errors; `text` of `block_surroundings`, all pieces together
#' @return list: `results` (data.table, a row per metric of a result: `result`, the row's number; `entry`, the result's
#'   place in the file; `metric`, empty for the result's own score, else the name of a secondary one; `benchmark`,
#'   `mode`, `unit`, `threads`, `batch`, `param.<name>`, `jvm` (fields of `jvm_fields`), `forks_planned`,
#'   `iterations_planned` (NA where not stated), `score`, `block` (of its raw data)) and `left_out` (see `finding`).
#'   NULL for JSON that isn't JMH's.
#' @section Errors: refuses a file that isn't JMH's list of results.
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
  read <- lapply(seq_along(results), function(number) {
    tryCatch(
      c(list(result_row(file, results[[number]], number)), secondary_rows(file, results[[number]], number)),
      refusal = function(problem) finding(problem$what, problem$expected, "result", entry = number)
    )
  })
  refused <- vapply(read, is.data.table, TRUE)
  rows <- unlist(read[!refused], recursive = FALSE)
  found <- vapply(rows, is.data.table, TRUE)
  rows_of <- rbindlist(rows[!found], use.names = TRUE, fill = TRUE)
  if (nrow(rows_of) > 0) rows_of[, result := .I]
  list(results = rows_of, left_out = rbindlist(c(list(no_findings), read[refused], rows[found])))
}

result_row <- function(file, result, number) {
  bad <- function(what, expected) not_jmh(file, sprintf("result %d %s", number, what), expected)
  metric <- result$primaryMetric
  text <- function(value, name) {
    if (!is.character(value) || length(value) != 1 || !nzchar(value)) bad(paste("has no", name), name)
    value
  }
  mode <- text(result$mode, "mode")
  if (!mode %in% jmh_modes) bad(sprintf("has mode '%s'", mode), some_of(jmh_modes))
  if (!is.list(metric)) bad("has no primaryMetric", "primaryMetric")
  unit <- mode_unit(mode, text(metric$scoreUnit, "scoreUnit"), bad)
  block <- metric$rawDataHistogram %||% metric$rawData
  if (!is.numeric(block) || length(block) != 1) bad("has no raw data", "rawData or rawDataHistogram, an array per fork")
  c(list(metric = "", unit = unit), shared_fields(result, number, mode, text, bad), list(
    score = jmh_number(file, metric$score %||% NaN), block = as.numeric(block)
  ), result_params(result, bad))
}

#' What all metrics of a result have in common.
shared_fields <- function(result, number, mode, text, bad) {
  count <- function(value, name) {
    if (is.null(value)) return(NA_real_)
    if (
      !is.numeric(value) || length(value) != 1 || value < 0 || value != round(value)
    ) bad(paste("has no number of", name), "a whole number")
    as.numeric(value)
  }
  list(
    entry = number, benchmark = text(result$benchmark, "benchmark"), mode = mode,
    threads = count(result$threads %||% 1L, "threads"),
    batch = count(result$measurementBatchSize %||% 1L, "calls in a batch"),
    jvm = paste(vapply(jvm_fields, function(name) paste(unlist(result[[name]]), collapse = " "), ""), collapse = "\n"),
    forks_planned = count(result$forks, "forks"), iterations_planned = count(
      result$measurementIterations, "iterations"
    )
  )
}

result_params <- function(result, bad) {
  params <- result$params
  if (
    length(params) > 0 && (is.null(names(params)) || !all(vapply(params, function(value) length(value) == 1, TRUE)))
  ) {
    bad("has params that can't be read", "a name and a value each")
  }
  params <- lapply(params, function(value) if (is.numeric(value)) format(value, digits = 15) else as.character(value))
  stats::setNames(params, sprintf("param.%s", names(params)))
}

#' The other metrics of a result that can be read itself: those of profilers, counters, and the methods of a group.
#' Earlier versions of JMH mark a profiler's with a dot in the middle of the line, which is no part of the name here.
#' JMH's percentiles of each iteration's samples are not among them: those of a fork's samples take their place
#' (`with_percentiles`).
secondary_rows <- function(file, result, number) {
  metrics <- result$secondaryMetrics
  if (identical(result$mode, "sample")) metrics <- metrics[!grepl("p[01][.][0-9]+$", names(metrics), useBytes = TRUE)]
  own <- result_row(file, result, number)
  lapply(seq_along(metrics), function(i) {
    metric <- metrics[[i]]
    block <- if (is.list(metric)) metric$rawDataHistogram %||% metric$rawData
    name <- sub("^\u00b7", "", names(metrics)[i])
    if (!is.numeric(block) || length(block) != 1) {
      return(finding(
        sprintf("result %d (%s) has no raw data of %s", number, own$benchmark, name), "an array per fork", "metric",
        entry = number, benchmark = own$benchmark
      ))
    }
    own[c("metric", "unit", "score", "block")] <- list(
      name, as.character(metric$scoreUnit %||% "")[1], NaN, as.numeric(block)
    )
    own
  })
}
