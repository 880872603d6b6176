# A directory of measurements, ours or not, as forks: JMH's result files, our own rounds, or both.

#' Read a directory, or one file of JMH's.
#'
#' @param path of JMH files (any JMH 1.x), or of rounds as data/README.md describes them
#' @param steady,cores as in `jmh_forks`
#' @return list: `forks` (data.table of `jmh_forks`), `left_out` (see `finding`), `folder` that their files lie in
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

#' Say what of a run could not be taken as it is, all of it at once.
#'
#' @param run of `read_run`; `strict` whether that ends everything
say_left_out <- function(run, strict = FALSE) {
  for (line in finding_words(run$folder, run$left_out)) message(line)
  if (strict && nrow(run$left_out) > 0) refuse(
    run$folder, sprintf("has %d results or files that can't be taken as they are (above)", nrow(run$left_out)),
    "none, since STRICT=yes asks for that", "put them right, or go without STRICT"
  )
}

#' Columns of forks that hold parameters.
parameter_columns <- function(forks) grep("^param\\.", names(forks), value = TRUE)
