# What the tools for anybody's data share: where they write, and what they say on the way.

#' A file in the directory for results, which is made where it is missing.
out_file <- function(folder, name) {
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  if (!dir.exists(folder)) refuse(folder, "can't be made", "a writable directory", "check its owner and free space")
  file.path(folder, name)
}

#' Say which JSON files were left out, since nothing is dropped in silence.
say_passed_over <- function(folder, files) {
  if (length(files) == 0) return(invisible())
  message(sprintf("%s: %d JSON files that aren't JMH's are left out: %s", folder, length(files), some_of(files)))
}

#' A number on the command line: at least `from`, below `below`.
number_argument <- function(name, text, from, below, expected) {
  value <- suppressWarnings(as.numeric(text))
  if (is.na(value) || value < from || value >= below) {
    refuse("command line", sprintf("--%s is '%s'", name, text), expected, "see --help")
  }
  value
}
