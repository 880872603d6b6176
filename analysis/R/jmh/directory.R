# A directory of JMH's result files as one table of forks, with all their values.

#' Read every JMH file below a directory.
#'
#' @param folder the directory; `files` relative to it, all `.json` files if left out; `cores` to use
#' @return list: `results` (data.table of `jmh_results`, with `file`), `forks` (data.table in the order of `values`:
#'   `file`, `result`, `fork`, `n`, `mean` and `samples` in sample mode, `first`), `values`, `passed_over` (JSON files
#'   that aren't JMH's)
#' @section Errors: refuses a directory without JMH's results, and any file that JMH can't have written.
read_jmh_directory <- function(folder, files = json_files(folder), cores = usable_cores()) {
  if (length(files) == 0) refuse(
    folder, "holds no JSON file", "JMH's results (-rf json)", "name the directory they are in"
  )
  # Functions run a few times on long vectors here: to compile them would take longer than they do.
  compiling <- compiler::enableJIT(0L)
  on.exit(compiler::enableJIT(compiling))
  closed <- files[file.access(file.path(folder, files), 4) != 0]
  if (length(closed) > 0) refuse(file.path(folder, closed[1]), "can't be read", "a readable file", "check its owner")
  tasks <- rbindlist(lapply(files, function(file) {
    ends <- piece_ends(file.path(folder, file))
    data.table(file = file, from = c(0, ends[-length(ends)]) + 1, to = ends, pieces = length(ends))
  }))
  read <- in_parallel(seq_len(nrow(tasks)), function(i) {
    task <- tasks[i]
    part <- read_jmh_piece(file.path(folder, task$file), task$from, task$to)
    if (task$pieces == 1L) part <- file_results(folder, task$file, list(part))
    list(part = if (cores > 1L) values_away(part) else part)
  }, cores)
  read <- lapply(read, function(answer) if (cores > 1L) values_back(answer$part) else answer$part)
  parts <- Map(function(file, own) {
    if (tasks$pieces[own[1]] == 1L) read[[own]] else file_results(folder, file, read[own])
  }, files, split(seq_len(nrow(tasks)), factor(tasks$file, files)))
  found <- Filter(Negate(is.null), parts)
  if (length(found) == 0) refuse(
    folder, sprintf("holds no result of JMH in %s", some_of(files)), "JMH's results (-rf json)",
    "name the directory they are in"
  )
  bind <- function(name) rbindlist(lapply(found, `[[`, name), use.names = TRUE, fill = TRUE)
  values <- unlist(lapply(found, `[[`, "values"), use.names = FALSE)
  forks <- bind("forks")
  forks[, first := cumsum(c(0L, n[-.N])) + 1L]
  read <- list(
    results = bind("results"), forks = forks, values = values, passed_over = files[vapply(parts, is.null, TRUE)]
  )
  check_directory(folder, read)
  read
}

#' From one process to another, values are faster in a file than with the rest of a result.
values_away <- function(piece) {
  if (is.null(piece)) return(NULL)
  file <- tempfile("values")
  writeBin(piece$values, file)
  piece$values <- file
  piece
}

values_back <- function(piece) {
  if (is.null(piece)) return(NULL)
  file <- piece$values
  piece$values <- readBin(file, "double", sum(piece$forks$n))
  unlink(file)
  piece
}

#' JSON files below a directory, relative to it, in C order; hidden ones left out.
json_files <- function(folder) {
  files <- list.files(folder, "\\.json$", recursive = TRUE, ignore.case = TRUE)
  sort(files[!grepl("(^|/)\\.", files)], method = "radix")
}

#' Results, forks and values of one file from its pieces; NULL where it isn't JMH's.
file_results <- function(folder, file, pieces) {
  path <- file.path(folder, file)
  results <- jmh_results(path, paste(vapply(pieces, `[[`, "", "text"), collapse = ""))
  if (is.null(results)) return(NULL)
  forks <- rbindlist(lapply(pieces, `[[`, "forks"))
  values <- unlist(lapply(pieces, `[[`, "values"), use.names = FALSE)
  forks[, first := cumsum(c(0L, n[-.N])) + 1L]
  # Secondary metrics have raw data too.
  forks[results, result := i.result, on = "block"]
  wanted <- !is.na(forks$result)
  if (!all(wanted)) {
    values <- values[rep(wanted, forks$n)]
    forks <- forks[wanted]
    forks[, first := cumsum(c(0L, n[-.N])) + 1L]
  }
  check_raw_data(path, results, forks, values)
  results[, `:=`(file = file, block = NULL)]
  list(results = results, forks = forks[, .(file = file, result, fork, n, mean, samples)], values = values)
}

#' What only shows between the results of a directory: results that are there twice, forks that are, units that differ.
check_directory <- function(folder, read) {
  bad <- function(file, what, expected) not_jmh(file.path(folder, file), what, expected)
  results <- read$results
  what <- setdiff(names(results), c("result", "unit", "forks_planned", "iterations_planned", "score"))
  twice <- results[duplicated(results, by = what)]
  if (nrow(twice) > 0) bad(
    twice$file[1], paste("holds", result_words(twice[1]), "twice"), "each benchmark and setting once"
  )
  units <- results[, .(unit, file, first = unit[1], where = file[1]), by = .(benchmark, mode)][unit != first]
  if (nrow(units) > 0) {
    bad(
      units$file[1], sprintf("has %s in %s", units$benchmark[1], units$unit[1]),
      sprintf("%s as in %s", units$first[1], units$where[1])
    )
  }
  forks <- results[, c("file", "result", what), with = FALSE][read$forks, on = c("file", "result")]
  again <- repeated_fork(forks, read$values, setdiff(what, "file"))
  if (is.null(again)) return(invisible())
  one <- forks[again[1]]
  other <- forks[again[2]]
  bad(
    other$file,
    sprintf("has fork %d of %s again, as fork %d of %s is it", other$fork, result_words(other), one$fork, one$file),
    "each fork once"
  )
}

#' Two forks of the same benchmark and setting with identical values that aren't all equal; NULL if there are none.
repeated_fork <- function(forks, values, by) {
  ends <- data.table(n = forks$n, start = values[forks$first], end = values[forks$first + forks$n - 1L])
  marks <- cbind(forks[, by, with = FALSE], ends)
  for (second in which(duplicated(marks))) {
    same <- marks[marks[second], on = names(marks), which = TRUE]
    first <- same[1]
    span <- seq_len(forks$n[first]) - 1L
    one <- values[forks$first[first] + span]
    if (identical(one, values[forks$first[second] + span]) && length(unique(one)) > 1) return(c(first, second))
  }
  NULL
}

#' `Encrypt.run (bits 1024), avgt`
result_words <- function(result) {
  names <- grep("^param\\.", names(result), value = TRUE)
  names <- names[!vapply(names, function(name) is.na(result[[name]]), TRUE)]
  settings <- vapply(names, function(name) paste(sub("^param\\.", "", name), result[[name]]), "")
  sprintf(
    "%s%s, %s", result$benchmark, if (length(settings) > 0) sprintf(" (%s)", paste(settings, collapse = ", ")) else "",
    result$mode
  )
}
