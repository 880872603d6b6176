# Our own rounds as results like JMH's: the same forks, and the iterations that the protocol measures.

#' Directories of rounds below a directory, or itself.
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
#' @return data.table with the columns of `jmh_forks`; what names a cell are parameters, and `file` is the experiment
#'   and the environment
round_forks <- function(rounds) {
  parts <- lapply(split(rounds, dirname(dirname(dirname(rounds)))), function(own) {
    raw <- dirname(dirname(dirname(own[1])))
    tidy <- tidy_rounds(raw, substring(own, nchar(raw) + 2L))
    where <- c("experiment", "environment", "round", "cell")
    benchmarks <- rbindlist(lapply(own, function(round) {
      cells <- read_cells_csv(round)
      told <- tail(strsplit(round, "/", fixed = TRUE)[[1]], 3)
      cells[, .(experiment = told[1], environment = told[2], round = told[3], cell, benchmark, mode)]
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
    mean = forks$wall_ns_per_op, sd = forks$sd_within_wall_ns, steady = forks$steady
  )]
  by <- c("file", "benchmark", "mode", names(params))
  result[, result := .GRP, by = by]
  result[, fork := seq_len(.N), by = result]
  result[]
}
