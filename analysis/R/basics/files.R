# Files that scripts write, and those that they leave out.

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
