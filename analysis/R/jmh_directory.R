# Reads a directory of JMH's result files into one table of forks, with all their values.

#' Read every JMH file below a directory, and report the parts that could not be read.
#'
#' @return list: `results` of `jmh_results`, with `file`; `forks`, in the order of `values`: `file`, `result`, `fork`,
#'   `iterations`, `n` values, `mean` where the values don't give it (samples, percentiles), `first`; `values`; and
#'   `left_out` (see `finding`)
#' @section Errors: refuses a directory without any valid result.
read_jmh_directory <- function(folder, files = json_files(folder), cores = usable_cores()) {
  if (length(files) == 0) refuse_no_json(folder)
  parts <- lapply(stats::setNames(nm = files), function(file) or_finding(file, piece_ends(file.path(folder, file))))
  readable <- files[vapply(parts, is.numeric, TRUE)]
  tasks <- rbindlist(lapply(readable, function(file) {
    ends <- parts[[file]]
    data.table(file = file, from = c(0, ends[-length(ends)]) + 1, to = ends, pieces = length(ends))
  }))
  read <- in_parallel(seq_len(nrow(tasks)), function(i) {
    task <- tasks[i]
    part <- or_finding(task$file, read_jmh_piece(file.path(folder, task$file), task$from, task$to))
    if (task$pieces == 1L) file_results(folder, task$file, list(part)) else part
  }, cores)
  parts[readable] <- Map(function(file, own) {
    if (tasks$pieces[own[1]] == 1L) read[[own]] else file_results(folder, file, read[own])
  }, readable, split(seq_len(nrow(tasks)), factor(tasks$file, readable)))
  bind <- function(name) rbindlist(lapply(unname(parts), `[[`, name), use.names = TRUE, fill = TRUE)
  for (i in seq_along(parts)) for (name in c("results", "forks", "left_out")) {
    if (length(parts[[i]][[name]]) > 0) set(parts[[i]][[name]], j = "file", value = shown_name(parts[[i]][[name]]$file))
  }
  forks <- bind("forks")
  if (nrow(forks) == 0) refuse_all(folder, files, bind("left_out"))
  forks[, first := first_places(n)]
  values <- unlist(lapply(unname(parts), `[[`, "values"), use.names = FALSE)
  without_repeats(list(results = bind("results"), forks = forks, values = values, left_out = bind("left_out")))
}

#' The value of an expression; if it refuses a file, the refusal as a finding.
or_finding <- function(file, read) {
  tryCatch(read, refusal = function(problem) {
    list(left_out = finding(problem$what, problem$expected, "file", file))
  })
}

#' Refuse a directory without JSON, and report whether it has results of JMH in another format.
refuse_no_json <- function(folder) {
  others <- list.files(folder, "\\.(csv|tsv|txt|log|out|tex)$", recursive = TRUE, ignore.case = TRUE)
  for (file in utils::head(in_byte_order(others), 100L)) {
    path <- file.path(folder, file)
    if (file.access(path, 4) != 0 || !isTRUE(between(file.size(path), 1, 1e9))) next
    # JMH prints its table of results at the end of its output.
    connection <- file(path, "rb")
    bytes <- readBin(connection, "raw", 1e6)
    close(connection)
    refuse_other_format(path, rawToChar(bytes[bytes != as.raw(0)]))
  }
  refuse(folder, "holds no JSON file", "JMH's results (-rf json)", "name the directory they are in")
}

#' Refuse a directory without any valid result: the first reason in one line.
refuse_all <- function(folder, files, left_out) {
  refused <- left_out[what != foreign_json]
  if (nrow(refused) == 0) refuse(
    folder, sprintf("holds no result of JMH in %s", some_of(files)), "JMH's results (-rf json)",
    "name the directory they are in"
  )
  more <- if (nrow(refused) > 1) sprintf(", and %d more are no better", nrow(refused) - 1L) else ""
  path <- file.path(folder, refused$file[1])
  what <- paste0(refused$what[1], more)
  if (refused$expected[1] == json_expected) refuse(path, what, json_expected, json_remedy)
  not_jmh(path, what, refused$expected[1])
}

#' JSON files below a directory, relative to it, in C order, without hidden ones. Files with one result per line are
#' included. Names may contain any byte.
json_files <- function(folder) {
  files <- list.files(folder, recursive = TRUE)
  files <- files[grepl("\\.(json|ndjson|jsonl)$", files, ignore.case = TRUE, useBytes = TRUE)]
  in_byte_order(files[!grepl("(^|/)\\.", files, useBytes = TRUE)])
}

#' A file's name as text; bytes that are not UTF-8 are shown by their numbers.
shown_name <- function(file) iconv(file, "UTF-8", "UTF-8", sub = "byte")

#' Results, forks and values of one file from its pieces.
#'
#' @return list: `results`, `forks`, `values`, `left_out`, as in `read_jmh_directory`
file_results <- function(folder, file, pieces) {
  refused <- Filter(function(piece) is.null(piece$text), pieces)
  if (length(refused) > 0) return(refused[[1]])
  path <- file.path(folder, file)
  read <- or_finding(file, jmh_results(path, paste(vapply(pieces, `[[`, "", "text"), collapse = "")))
  if (is.null(read)) return(list(left_out = finding(foreign_json, "JMH's results", "file", file)))
  if (is.null(read$results)) return(read)
  results <- read$results
  if (nrow(results) == 0) return(list(left_out = set(read$left_out, j = "file", value = file)))
  damaged <- rbindlist(lapply(pieces, `[[`, "damaged"))[results, on = "block", nomatch = NULL]
  left_out <- rbindlist(list(read$left_out, damaged[, .(
    file = "", entry, benchmark, left_out = fifelse(nzchar(metric), "metric", "result"),
    what = sprintf("result %d (%s) %s", as.integer(entry), benchmark, what), expected
  )]))
  results <- results[!entry %in% damaged[metric == "", entry] & !block %in% damaged$block]
  forks <- rbindlist(lapply(pieces, `[[`, "forks"))
  values <- as.numeric(unlist(lapply(pieces, `[[`, "values"), use.names = FALSE))
  forks[, `:=`(first = first_places(n), iterations = n)]
  forks[results, result := i.result, on = "block"]
  own <- kept_forks(list(results = results[metric == ""], forks = forks, values = values))
  found <- check_raw_data(own$results, own$forks, own$values)
  left_out <- rbindlist(list(left_out, found[, names(no_findings), with = FALSE]))
  results <- results[!entry %in% found[left_out == "result", entry]]
  forks <- forks[!found[left_out == "fork"], on = c("result", "fork")]
  kept <- with_percentiles(kept_forks(list(results = results, forks = forks, values = values)))
  kept$forks <- kept$forks[, .(file = file, result, fork, iterations, n, mean, first)]
  kept$results <- kept$results[result %in% kept$forks$result][, `:=`(file = file, block = NULL)]
  c(kept, list(left_out = set(left_out, j = "file", value = rep(file, nrow(left_out)))))
}

#' Forks of the remaining results, and their values, fork by fork.
kept_forks <- function(read) {
  # A join would not keep the forks in the order of the file.
  kept <- read$forks[result %in% read$results$result]
  places <- sequence(kept$n, kept$first)
  list(results = read$results, forks = kept[, first := first_places(n)][], values = read$values[places])
}

#' Positions of the first value of each fork, fork by fork.
first_places <- function(n) cumsum(c(0L, n))[seq_along(n)] + 1L

#' Percentiles of the samples as separate metrics: forks without values, with the percentile as their mean.
with_percentiles <- function(read) {
  sampled <- read$forks[!is.na(samples) & result %in% read$results[metric == "", result]]
  known <- percentile_names[vapply(percentile_names, function(name) any(!is.na(sampled[[name]])), TRUE)]
  parts <- lapply(seq_along(known), function(i) {
    forks <- copy(sampled)[, `:=`(mean = get(known[i]), n = 0L, result = result + i * max(read$results$result))]
    forks <- forks[!is.na(mean)]
    results <- copy(read$results[metric == ""])[, `:=`(
      result = result + i * max(read$results$result), metric = known[i], score = NaN
    )]
    list(results = results[result %in% forks$result], forks = forks)
  })
  read$results <- rbindlist(c(list(read$results), lapply(parts, `[[`, "results")))
  read$forks <- rbindlist(c(list(read$forks), lapply(parts, `[[`, "forks")))
  read
}

#' `Encrypt.run (bits 1024), avgt`
result_words <- function(result) {
  names <- grep("^param\\.", names(result), value = TRUE)
  names <- names[!vapply(names, function(name) is.na(result[[name]]), TRUE)]
  settings <- vapply(names, function(name) paste(sub("^param\\.", "", name), result[[name]]), "")
  paste0(
    result$benchmark, if (length(settings) > 0) sprintf(" (%s)", paste(settings, collapse = ", ")), ", ", result$mode,
    if (nzchar(result[["metric"]] %||% "")) paste0(", ", result$metric)
  )
}

# Findings: parts of a directory that could not be read as they are, and why. Nothing is left out silently.

#' @param left the part that is left out: `file`, `result`, `fork`, `metric`, or `nothing`, where the data are used
#' @param entry position of the result in its file
finding <- function(what, expected, left, file = "", entry = NA_integer_, benchmark = "") {
  data.table(
    file = file, entry = as.integer(entry), benchmark = benchmark, left_out = left, what = what, expected = expected
  )
}

no_findings <- finding("", "", "")[0]

#' Findings as lines of text. Files that are not JMH's share one line.
#'
#' @param folder above the files
finding_words <- function(folder, findings) {
  foreign <- findings[what == foreign_json, file]
  refused <- findings[what != foreign_json]
  taken <- c(
    file = "the file is left out", result = "the result is left out", fork = "the fork is left out",
    metric = "the metric is left out", nothing = "what is there is taken"
  )
  one_line(c(
    sprintf(
      "%s: %s; expected %s; %s", file.path(folder, refused$file), refused$what, refused$expected,
      taken[refused$left_out]
    ),
    if (length(foreign) > 0) sprintf(
      "%s: %d JSON files that aren't JMH's are left out: %s", folder, length(foreign), some_of(foreign)
    )
  ))
}

foreign_json <- "is JSON without a result of JMH"

# Whether a JMH file's raw data agree with the rest of it, because files are truncated, merged and edited manually.

#' Check the raw data of a file's results. Data that JMH can't have written are left out.
#'
#' @param results primary scores only
#' @param forks with `first`, the position of its first value
#' @return findings (see `finding`) with `result`, and `fork` where a single fork is meant
check_raw_data <- function(results, forks, values) {
  rows <- results[forks, on = "result"]
  counts <- rows[, .(found = .N), by = result][results, on = "result"]
  counts[is.na(found), found := 0L]
  wrong <- which(values <= 0 | is.infinite(values))
  wrong <- data.table(at = wrong, row = findInterval(wrong, rows$first))[!duplicated(rows$result[row])]
  whole <- list(
    findings_of(counts[found == 0], "has no fork", "raw data of one or more forks"),
    findings_of(
      counts[found > pmax(forks_planned, 1)], function(row) sprintf("has %d forks", row$found),
      function(row) sprintf("%g, as it says itself", pmax(row$forks_planned, 1))
    ),
    findings_of(
      rows[n > iterations_planned][!duplicated(result)],
      function(row) sprintf("has %d iterations in fork %d", row$n, row$fork),
      function(row) sprintf("%g, its measurementIterations", row$iterations_planned)
    ),
    findings_of(
      rows[wrong$row],
      function(row) sprintf("has %g in fork %d, iteration %d", values[wrong$at], row$fork, wrong$at - row$first + 1L),
      "more than 0"
    ),
    wrong_scores(rows, values)
  )
  whole <- rbindlist(whole)
  whole <- whole[!duplicated(result)]
  others <- rows[!result %in% whole$result]
  rbindlist(list(
    whole, findings_of(
      others[n == 0], function(row) sprintf("has no iteration in fork %d", row$fork), "one or more", "fork"
    ),
    findings_of(
      others[n > 0 & n < iterations_planned],
      function(row) sprintf("has %d iterations in fork %d", row$n, row$fork),
      function(row) sprintf("%g, its measurementIterations", row$iterations_planned), "nothing"
    )
  ))
}

#' Findings from rows of results. Both `what` and `expected` are texts or functions of these rows.
findings_of <- function(rows, what = "", expected = "", left = "result") {
  words <- function(text) if (is.function(text)) text(rows) else rep(text, nrow(rows))
  if (nrow(rows) == 0) return(cbind(no_findings, data.table(result = integer(), fork = integer())))
  data.table(
    file = "", entry = as.integer(rows$entry), benchmark = rows$benchmark, left_out = left,
    what = sprintf("result %d (%s) %s", as.integer(rows$entry), rows$benchmark, words(what)),
    expected = words(expected),
    result = as.integer(rows$result), fork = if (left == "fork") as.integer(rows$fork) else NA_integer_
  )
}

#' Results whose score differs from the mean of the raw data. In sample mode the score is the mean of all samples, which
#' the first versions of JMH don't keep.
wrong_scores <- function(rows, values) {
  if (nrow(rows) == 0) return(findings_of(rows))
  sums <- fork_sums(rows, values)
  found <- rows[, .(
    score = if (mode[1] == "sample" && is.na(samples[1])) NaN else score[1], benchmark = benchmark[1],
    entry = entry[1], mean = if (is.na(samples[1])) sum(sums[.I]) / sum(n) else sum(mean * samples) / sum(samples)
  ), by = result]
  found <- found[is.finite(score) & is.finite(mean)]
  # Some tools round scores when they rewrite files, so half a unit of the last digit is allowed.
  found[, allowed := pmin(0.5 * last_digit(score), 0.005 * abs(mean)) + 1e-6 * abs(mean)]
  findings_of(
    found[abs(score - mean) > allowed],
    function(row) sprintf("has score %s", vapply(row$score, format, "", digits = 15)),
    function(row) sprintf("%s, the mean of its raw data", vapply(row$mean, format, "", digits = 9))
  )
}

#' Sum of every fork's values.
fork_sums <- function(forks, values) {
  n <- forks$n
  if (length(values) == 0) return(numeric(length(n)))
  if (all(n == n[1])) return(colSums(matrix(values, n[1])))
  sums <- numeric(length(n))
  sums[n > 0] <- as.numeric(rowsum(values, rep(seq_along(n), n), reorder = FALSE))
  sums
}

#' One unit of the last digit of a number as it is written, up to 15 digits.
last_digit <- function(x) {
  text <- vapply(x, format, "", digits = 15)
  exponent <- fifelse(grepl("e", text), suppressWarnings(as.numeric(sub("^.*e", "", text))), 0)
  decimals <- nchar(sub("^[^.]*\\.?", "", sub("e.*$", "", text)))
  10^(exponent - decimals)
}
