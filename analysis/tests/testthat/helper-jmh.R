# Result files of JMH, made up.

#' A result as JMH writes it; `raw` a list with a vector of values per fork. Other fields are set by name.
jmh_result <- function(raw, benchmark = "b.B.run", mode = "avgt", unit = "us/op", params = list(size = "1024"), ...) {
  result <- list(
    jmhVersion = "1.37", benchmark = benchmark, mode = mode, threads = 1, forks = length(raw),
    measurementIterations = length(raw[[1]]), measurementBatchSize = 1, params = params,
    primaryMetric = list(
      score = mean(unlist(raw)), scoreError = "NaN", scoreConfidence = list("NaN", "NaN"), scoreUnit = unit,
      rawData = lapply(raw, as.list)
    ),
    secondaryMetrics = structure(list(), names = character())
  )
  utils::modifyList(result, list(...))
}

#' Forks of 12 iterations around a mean.
jmh_forks_of <- function(mean, forks = 6, between = 0.01, iterations = 12) {
  lapply(mean * exp(rnorm(forks, 0, between)), function(level) level * exp(rnorm(iterations, 0, 0.01)))
}

#' Text of results.
jmh_text <- function(..., pretty = TRUE) {
  as.character(jsonlite::toJSON(list(...), auto_unbox = TRUE, digits = NA, pretty = pretty))
}

#' A directory of JSON files from their texts, by name.
jmh_folder <- function(...) {
  folder <- tempfile("jmh")
  texts <- list(...)
  for (name in names(texts)) {
    dir.create(dirname(file.path(folder, name)), recursive = TRUE, showWarnings = FALSE)
    writeLines(texts[[name]], file.path(folder, name))
  }
  folder
}

jmh_fixtures <- function() testthat::test_path("fixtures", "jmh")

#' What of a directory with these texts is left out, in words.
left_out_of <- function(...) {
  folder <- jmh_folder(...)
  read <- read_jmh_directory(folder, cores = 1L)
  sub(paste0(folder, "/"), "", finding_words(folder, read$left_out), fixed = TRUE)
}

#' Expect one line that holds all of these parts.
expect_left_out <- function(words, ...) {
  expect_length(words, 1)
  for (part in c(...)) expect_match(words, part, fixed = TRUE)
}

#' A file's raw data by jsonlite alone: per result, a list of forks, of iterations, of numbers or histogram entries.
raw_data_by_jsonlite <- function(file) {
  results <- jsonlite::fromJSON(paste(readLines(file, warn = FALSE), collapse = "\n"), simplifyVector = FALSE)
  lapply(results, function(result) result$primaryMetric$rawDataHistogram %||% result$primaryMetric$rawData)
}
