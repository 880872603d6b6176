# The results of a JMH file: the benchmarks that were run, and whether the file is as JMH writes it.

jmh_modes <- c("thrpt", "avgt", "sample", "ss")

#' Fields that two results of a benchmark must share to be forks of the same cell.
jvm_fields <- c(
  "jvm", "jvmArgs", "jdkVersion", "vmName", "vmVersion", "warmupIterations", "warmupTime", "warmupBatchSize",
  "measurementIterations", "measurementTime"
)

#' Results of a file from the text around its arrays.
#'
#' @param file its name, for errors
#' @param text of `block_surroundings`, all pieces together
#' @return list of `results` and `left_out` (see `finding`). NULL for JSON that isn't JMH's. `results` has a row per
#'   metric of a result: `result`, the row's number; `entry`, the result's position in the file; `metric`, empty for the
#'   primary score; `benchmark`, `mode`, `unit`, `threads`, `batch`, `param.<name>`; `jvm` (fields of `jvm_fields`);
#'   `forks_planned`, `iterations_planned` (NA where not stated); `score`; `block` (of its raw data)
#' @section Errors: refuses a file that isn't JMH's list of results.
jmh_results <- function(file, text) {
  if (!grepl("[^[:space:]]", text, useBytes = TRUE)) not_jmh(file, "is empty (was JMH ended?)", "JMH's results")
  text <- sub("^\xef\xbb\xbf", "", text, useBytes = TRUE)
  Encoding(text) <- "UTF-8"
  results <- tryCatch(jsonlite::parse_json(text), error = function(problem) result_lines(text))
  if (is.null(results)) {
    refuse_other_format(file, text)
    not_jmh(file, "isn't whole JSON (truncated or edited?)", "a JSON document")
  }
  if (all(c("benchmark", "primaryMetric") %in% names(results))) results <- list(results)
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

#' Results of a file that has one result, or one list of results, on each line; NULL for other files.
result_lines <- function(text) {
  # JSON strings contain no line breaks, so none of these breaks is inside a string.
  text <- gsub("\\}[ \t\r,]*\n\\s*\\{", "},{", text, perl = TRUE, useBytes = TRUE)
  text <- gsub("\\][ \t\r]*\n\\s*\\[", ",", text, perl = TRUE, useBytes = TRUE)
  text <- sub("[\\s,]+$", "", text, perl = TRUE, useBytes = TRUE)
  if (grepl("^\\s*\\{", text, perl = TRUE, useBytes = TRUE)) text <- paste0("[", text, "]")
  Encoding(text) <- "UTF-8"
  tryCatch(jsonlite::parse_json(text), error = function(problem) NULL)
}

json_expected <- "JMH's JSON, the only format with the values of each iteration (-rf json)"
json_remedy <- "run JMH again with -rf json"

#' Refuse a text in another of JMH's formats.
refuse_other_format <- function(file, text) {
  # In a text of block_surroundings, the zero bytes of UTF-16 are replaced by 1.
  text <- gsub("\001", "", text, useBytes = TRUE)
  has <- function(pattern) grepl(pattern, text, perl = TRUE, useBytes = TRUE, ignore.case = TRUE)
  start <- "(?m)^[^\\w\\n]{0,8}"
  name <- if (has(paste0(start, "\"?Benchmark\"?\\s*([,;\\t])\\s*\"?Mode\"?\\s*\\1"))) {
    "is JMH's CSV (-rf csv or scsv)"
  } else if (has("\\\\begin\\{tabular\\}[\\s\\S]*Benchmark")) {
    "is JMH's LaTeX table (-rf latex)"
  } else if (has("(?m)^.{0,40}\\bBenchmark\\b[^\\n\"]*\\bMode\\b[^\\n\"]*\\b(Score|Mean)\\b")) {
    "is JMH's text table (-rf text, or what it prints)"
  } else if (has("(?m)^.{0,40}# (JMH version:|Warmup Iteration|Run progress:|Benchmark mode:)")) {
    "is what JMH prints while it runs"
  }
  if (!is.null(name)) refuse(file, paste0(name, ", without the values of each iteration"), json_expected, json_remedy)
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

#' Fields that all metrics of a result share.
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

#' The secondary metrics of a readable result: those of profilers, counters, and the methods of a group.
#'
#' Earlier versions of JMH mark a profiler's metric with a middle dot, which is removed from the name here. JMH's
#' percentiles of each iteration's samples are excluded. Those of a fork's samples replace them (`with_percentiles`).
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

# The values of a piece of a JMH file: one number per iteration, fork by fork.

#' Read a piece of a file.
#'
#' @param from,to bytes, the whole file if left out. Pieces end where `piece_ends` says.
#' @return list: `text`, the piece without its arrays, see `block_surroundings`; `forks`, one row per fork in the order
#'   of the file: `block` as in the text, `fork`, `n` iterations, `mean`, `samples`, and `percentile_names` of
#'   histograms; `values`, all iterations of all forks, one after the other; `damaged`, arrays that can't be read
read_jmh_piece <- function(file, from = 1, to = file.size(file)) {
  connection <- file(file, "rb")
  on.exit(close(connection))
  if (from > 1) seek(connection, from - 1)
  bytes <- readBin(connection, "raw", to - from + 1)
  blocks <- find_blocks(bytes)
  numbers <- fast_numbers(bytes, blocks)
  brackets <- attr(blocks, "brackets")
  ids <- blocks$from + from - 1
  parts <- lapply(seq_len(nrow(blocks)), function(i) {
    histogram <- blocks$depth[i] == 4L
    part <- tryCatch(if (is.null(numbers[[i]])) {
      nested <- read_array(file, bytes[blocks$from[i]:blocks$to[i]])
      if (histogram) histogram_values(file, nested) else listed_values(file, nested)
    } else if (histogram) {
      counted_values(numbers[[i]], brackets[block == i])
    } else {
      row_values(numbers[[i]])
    }, refusal = function(problem) list(damage = list(ids[i], problem$what, problem$expected)))
    part$block <- rep(ids[i], length(part$n))
    part
  })
  column <- function(name) unlist(lapply(parts, `[[`, name))
  forks <- data.table(
    block = as.numeric(column("block")), n = as.integer(column("n")), mean = as.numeric(column("mean")),
    samples = as.numeric(column("samples"))
  )
  forks[, fork := seq_len(.N), by = block]
  percentiles <- do.call(rbind, c(list(matrix(0, 0L, length(percentile_names))), lapply(parts, `[[`, "percentiles")))
  forks[, (percentile_names) := as.data.table(percentiles)]
  damaged <- rbindlist(c(
    list(data.table(block = numeric(), what = character(), expected = character())), lapply(parts, `[[`, "damage")
  ), use.names = FALSE)
  list(
    text = block_surroundings(bytes, blocks, from - 1), forks = forks, values = as.numeric(column("values")),
    damaged = damaged
  )
}

no_samples <- function(forks) {
  none <- rep(NA_real_, forks)
  list(mean = none, samples = none, percentiles = matrix(none, forks, length(percentile_names)))
}

#' Forks from a matrix with one row per fork.
row_values <- function(rows) {
  c(list(n = rep(ncol(rows), nrow(rows)), values = c(t(rows))), no_samples(nrow(rows)))
}

#' Forks from nested lists.
listed_values <- function(file, nested) {
  values <- lapply(nested, function(fork) vapply(fork, function(value) jmh_number(file, value), 0))
  c(list(n = lengths(values), values = unlist(values)), no_samples(length(values)))
}

#' Forks from a histogram's nested lists: forks, iterations, pairs of a value and its count.
histogram_values <- function(file, nested) {
  number <- function(value) jmh_number(file, value)
  forks <- lapply(nested, function(fork) {
    iterations <- lapply(fork, function(pairs) {
      sizes <- lengths(pairs)
      if (!all(sizes == 2L)) not_jmh(
        file, sprintf("has a histogram entry of %d numbers", sizes[sizes != 2L][1]), "a value and its count"
      )
      matrix(vapply(unlist(pairs, recursive = FALSE), number, 0), 2L)
    })
    sums <- vapply(iterations, function(pairs) c(sum(pairs[1, ] * pairs[2, ]), sum(pairs[2, ])), numeric(2))
    list(sums = matrix(sums, 2L), pairs = do.call(cbind, c(list(matrix(0, 2L, 0L)), iterations)))
  })
  sums_to_forks(
    lapply(forks, function(fork) fork$sums[1, ]), lapply(forks, function(fork) fork$sums[2, ]),
    lapply(forks, function(fork) fork$pairs[1, ]), lapply(forks, function(fork) fork$pairs[2, ])
  )
}

#' Forks from a histogram's pairs and the brackets around them.
counted_values <- function(pairs, brackets) {
  opens <- brackets[opens == TRUE]
  pair <- which(opens$level == 4L)
  iteration <- cumsum(opens$level == 3L)[pair]
  fork_of_iteration <- cumsum(opens$level == 2L)[opens$level == 3L]
  total <- rowsum(cbind(pairs[, 1] * pairs[, 2], pairs[, 2]), iteration, reorder = TRUE)
  by_fork <- function(column) unname(split(total[, column], fork_of_iteration))
  fork <- fork_of_iteration[iteration]
  sums_to_forks(by_fork(1L), by_fork(2L), split(pairs[, 1], fork), split(pairs[, 2], fork))
}

#' Forks from sums and counts of the samples of their iterations, and all samples of each fork with their counts.
sums_to_forks <- function(sums, counts, values, times) {
  list(
    n = lengths(sums), values = unlist(sums) / unlist(counts),
    mean = vapply(sums, sum, 0) / vapply(counts, sum, 0), samples = vapply(counts, sum, 0),
    percentiles = do.call(rbind, unname(Map(sample_percentiles, values, times)))
  )
}

#' A number of JMH's JSON, where NaN and infinities are text.
jmh_number <- function(file, value) {
  if (is.numeric(value) && length(value) == 1) return(as.numeric(value))
  words <- c("NaN" = NaN, "+INF" = Inf, "-INF" = -Inf, "Infinity" = Inf, "-Infinity" = -Inf)
  if (is.character(value) && isTRUE(value %in% names(words))) return(words[[value]])
  shown <- substr(paste(deparse(value), collapse = " "), 1, 40)
  not_jmh(file, sprintf("has %s among its raw data", shown), "a number per iteration, fork by fork")
}

#' An array as nested lists; invalid JSON is an error.
read_array <- function(file, bytes) {
  nested <- tryCatch(jsonlite::parse_json(rawToChar(bytes)), error = function(problem) NULL)
  if (is.null(nested)) not_jmh(file, "isn't whole JSON (truncated or edited?)", "a JSON document")
  if (!all(vapply(nested, is.list, TRUE))) not_jmh(file, "has raw data without forks", "one array per fork")
  nested
}

#' Refuse a JMH file.
not_jmh <- function(file, what, expected) {
  refuse(file, what, expected, "restore the file as JMH wrote it, or take it out of the directory")
}

#' Last bytes of pieces of about `size` bytes. Each piece but the last ends before a key of raw data, so that arrays
#' stay whole.
piece_ends <- function(file, size = 3e7) {
  total <- file.size(file)
  # A named pipe has no size either, and reading it would block.
  if (total %in% 0) not_jmh(file, "is empty, or no ordinary file (was JMH ended?)", "JMH's results")
  if (file.access(file, 4) != 0) not_jmh(file, "can't be read (a link that leads elsewhere?)", "a readable file")
  if (total <= size) return(total)
  keys <- grepRaw("\"rawData", readBin(file, "raw", total), fixed = TRUE, all = TRUE)
  wanted <- seq_len(floor(total / size)) * size
  unique(c(keys[unique(findInterval(wanted, keys))] - 1, total))
}
