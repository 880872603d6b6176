# Summarises forks of any benchmarks: one row per benchmark and setting, with intervals over forks.

#' Summarise forks.
#'
#' @return data.table, the columns of summary.csv in data/README.md
summarise_run <- function(forks, confidence = 0.95) {
  params <- parameter_columns(forks)
  keys <- c("file", "benchmark", "metric", params, "mode", "threads", "batch", "unit")
  forks <- copy(forks)[, cell := .GRP, by = keys]
  rows <- forks[, {
    known <- !is.na(mean)
    means <- mean[known]
    average <- if (any(known)) mean(means) else NA_real_
    between <- if (length(means) > 1) stats::sd(means) else NA_real_
    half <- t_half_width(between, length(means), confidence)
    parts <- fork_components(means, sd[known], iterations[known])
    list(
      forks = length(means), iterations = sum(iterations),
      mean = average, lower = average - half, upper = average + half,
      half_width_pct = 100 * half / average, sd_between = between, sd_within = sqrt(parts$s1_squared),
      steady = joint_class(steady), note = run_notes(.SD)
    )
  }, by = keys, .SDcols = c(
    "result", "iterations", "iterations_planned", "lost", "mean", "steady", "shared_trend", "forks_planned"
  )]
  setcolorder(rows, keys)
  empty <- params[vapply(params, function(column) all(is.na(rows[[column]])), TRUE)]
  if (length(empty) > 0) rows[, (empty) := NULL]
  setorderv(rows, intersect(keys, names(rows)))[]
}

#' The class that all forks share, or `mixed`.
joint_class <- function(classes) {
  classes <- unique(classes)
  if (length(classes) == 1) classes else "mixed"
}

#' Estimates that are missing, and other facts that the reader must know.
run_notes <- function(forks) {
  known <- sum(!is.na(forks$mean))
  planned <- sum(forks$forks_planned[!duplicated(forks$result)])
  lost <- sum(forks$lost)
  short <- sum(forks$iterations + forks$lost < forks$iterations_planned, na.rm = TRUE)
  classes <- table(factor(forks$steady, c("no steady state", "warm-up", "slowdown")))
  of <- function(class) sprintf("%d of %d forks", classes[[class]], nrow(forks))
  trend <- setdiff(forks$shared_trend, c("", NA))[1]
  notes <- c(
    if (known == 0) "no fork has a number: no mean",
    if (known == 1) "one fork: no interval, no spread between forks",
    if (known > 1 && known < verdict_forks) sprintf(
      "%d forks: too few to rely on the interval, take %d or more", known, verdict_forks
    ),
    if (known < nrow(forks)) sprintf(
      "%d of %d forks have no number and are left out", nrow(forks) - known, nrow(forks)
    ),
    if (!is.na(planned) && nrow(forks) < planned) sprintf(
      "%d of %g planned forks are in the file", nrow(forks), planned
    ),
    if (uniqueN(forks$result) > 1) sprintf("forks of %d results of the file together", uniqueN(forks$result)),
    if (short > 0) sprintf(
      "%d of %d forks have fewer iterations than the %g planned", short, nrow(forks), forks$iterations_planned[1]
    ),
    if (lost > 0) sprintf("%d iterations have no number (NaN) and are left out", lost),
    if (!is.na(trend)) sprintf("the forks %s; the interval is not one of a steady state", trend_words(trend)),
    if (known > 0 && all(forks$iterations <= 1)) "one iteration a fork: no spread within",
    if (classes[["no steady state"]] > 0) sprintf("%s reached no steady state", of("no steady state")),
    if (classes[["warm-up"]] > 0 && !identical(trend, "warm-up")) {
      sprintf("%s warmed up while they were measured", of("warm-up"))
    },
    if (classes[["slowdown"]] > 0 && !identical(trend, "slowdown")) {
      sprintf("%s became slower while they were measured", of("slowdown"))
    }
  )
  paste(notes, collapse = "; ")
}

# Reads a directory of measurements as forks: JMH's result files, our rounds, or both.

#' Read a directory, or one file of JMH's.
#'
#' @param path of JMH files (any JMH 1.x), or of rounds as described in data/README.md
#'
#' @param steady,cores as in `jmh_forks`
#'
#' @return list: `forks` (data.table of `jmh_forks`), `left_out` (see `finding`), `folder` of their files
read_run <- function(path, steady = TRUE, cores = usable_cores()) {
  if (!dir.exists(path)) {
    read <- read_jmh_directory(dirname(path), basename(path), cores)
    return(list(forks = jmh_forks(read, steady, cores), left_out = read$left_out, folder = dirname(path)))
  }
  rounds <- round_folders(path)
  own <- substring(rounds, nchar(normalizePath(path)) + 2L)
  if (any(own == "")) return(list(forks = round_forks(rounds), left_out = no_findings, folder = path))
  files <- json_files(path)
  inside <- Reduce(`|`, lapply(own, function(round) startsWith(files, paste0(round, "/"))), rep(FALSE, length(files)))
  files <- files[!inside]
  parts <- list()
  left_out <- no_findings
  if (length(rounds) > 0) parts$rounds <- round_forks(rounds)
  if (length(rounds) == 0 || length(files) > 0) {
    read <- read_jmh_directory(path, files, cores)
    parts$jmh <- jmh_forks(read, steady, cores)
    left_out <- read$left_out
  }
  list(forks = rbindlist(parts, use.names = TRUE, fill = TRUE), left_out = left_out, folder = path)
}

#' Report all parts of a run that could not be used as they are.
say_left_out <- function(run, strict = FALSE) {
  for (line in finding_words(run$folder, run$left_out)) message(line)
  if (strict && nrow(run$left_out) > 0) refuse(
    run$folder, sprintf("has %d results or files that can't be taken as they are (above)", nrow(run$left_out)),
    "none, since STRICT=yes asks for that", "put them right, or go without STRICT"
  )
}

#' Columns of forks that contain parameters.
parameter_columns <- function(forks) grep("^param\\.", names(forks), value = TRUE)

# Our rounds in the form of JMH's results: the same forks, and the iterations that the protocol measures.

#' Directories of rounds below a directory, or the directory itself.
#'
#' @return character, absolute; hidden directories (unfinished rounds) left out
round_folders <- function(folder) {
  files <- list.files(folder, "^round\\.json$", recursive = TRUE)
  files <- files[!grepl("(^|/)\\.", files, useBytes = TRUE)]
  in_byte_order(dirname(file.path(normalizePath(folder), files)))
}

#' Forks of rounds.
#'
#' @param rounds of `round_folders`
#'
#' @return data.table with the columns of `jmh_forks`. The columns that identify a cell are parameters. Column `file`
#'   is the experiment and the environment.
round_forks <- function(rounds) {
  parts <- lapply(split(rounds, dirname(dirname(dirname(rounds)))), function(own) {
    raw <- dirname(dirname(dirname(own[1])))
    tidy <- tidy_rounds(raw, substring(own, nchar(raw) + 2L))
    where <- c("experiment", "environment", "round", "cell")
    benchmarks <- rbindlist(lapply(own, function(round) {
      cells <- read_cells_csv(round)
      path_parts <- tail(strsplit(round, "/", fixed = TRUE)[[1]], 3)
      cells[, .(experiment = path_parts[1], environment = path_parts[2], round = path_parts[3], cell, benchmark, mode)]
    }))
    benchmarks[valid_forks(tidy$forks), on = where]
  })
  forks <- rbindlist(parts, use.names = TRUE, fill = TRUE)
  named <- c(
    "experiment", "environment", "image_id", "machine_id", "workload", "protocol", "provider", "cpu_profile",
    factor_columns(forks)
  )
  result <- data.table(
    file = paste(forks$experiment, forks$environment, sep = "/"), benchmark = forks$benchmark, metric = "",
    mode = c("average-time" = "avgt", "single-shot" = "ss")[forks$mode], unit = "ns/op", threads = 1, batch = 1
  )
  params <- forks[, named, with = FALSE]
  setnames(params, paste0("param.", sub("^factor\\.", "", named)))
  for (column in names(params)) params[!nzchar(get(column)), (column) := NA_character_]
  result <- cbind(result, params)
  result[, `:=`(
    forks_planned = NA_real_, iterations_planned = NA_real_, lost = 0L,
    iterations = as.integer(forks$measured_iterations),
    mean = forks$wall_ns_per_op, sd = forks$sd_within_wall_ns, steady = forks$steady, shared_trend = "",
    of_rounds = TRUE
  )]
  by <- c("file", "benchmark", "mode", names(params))
  result[, result := .GRP, by = by]
  result[, fork := seq_len(.N), by = result]
  result[]
}

command_summarise <- function(words) {
  arguments <- read_arguments(
    list(
      raw = list(
        text = "JMH result file (-rf json, any JMH 1.x), or a directory of them or of rounds of this project",
        required = TRUE, file = TRUE
      ),
      out = list(text = "directory for summary.csv and left_out.csv", required = TRUE),
      strict = list(text = "yes: refuse a directory of which something can't be taken as it is")
    ),
    "Summarises benchmarks: mean over forks, its 95 % interval, spread, and whether the forks were steady.",
    words
  )
  run <- read_run(arguments$raw)
  say_left_out(run, yes_argument("strict", arguments$strict))
  rows <- summarise_run(run$forks)
  written <- write_table(rows, out_file(arguments$out, "summary.csv"))
  write_table(run$left_out, out_file(arguments$out, "left_out.csv"))
  message(sprintf(
    "%s: %s, of %s%s", written, format_plural(nrow(rows), "row"), format_plural(uniqueN(rows$file), "file"),
    if (nrow(run$left_out) > 0) sprintf("; %s in left_out.csv", format_plural(nrow(run$left_out), "finding")) else ""
  ))
}
