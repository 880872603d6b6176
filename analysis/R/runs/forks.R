# A directory of measurements, ours or not, as forks: JMH's result files, our own rounds, or both.

#' Read a directory.
#'
#' @param folder of JMH files (any JMH 1.x), or of rounds as data/README.md describes them
#' @param steady,cores as in `jmh_forks`
#' @return list: `forks` (data.table of `jmh_forks`), `passed_over` (JSON files that aren't JMH's)
read_run <- function(folder, steady = TRUE, cores = usable_cores()) {
  rounds <- round_folders(folder)
  own <- substring(rounds, nchar(normalizePath(folder)) + 2L)
  if (any(own == "")) return(list(forks = round_forks(rounds), passed_over = character()))
  files <- json_files(folder)
  inside <- Reduce(`|`, lapply(own, function(round) startsWith(files, paste0(round, "/"))), rep(FALSE, length(files)))
  files <- files[!inside]
  parts <- list()
  passed_over <- character()
  if (length(rounds) > 0) parts$rounds <- round_forks(rounds)
  if (length(rounds) == 0 || length(files) > 0) {
    read <- read_jmh_directory(folder, files, cores)
    parts$jmh <- jmh_forks(read, steady, cores)
    passed_over <- read$passed_over
  }
  list(forks = rbindlist(parts, use.names = TRUE, fill = TRUE), passed_over = passed_over)
}

#' Columns of forks that hold parameters.
parameter_columns <- function(forks) grep("^param\\.", names(forks), value = TRUE)
