# Files that scripts write.

#' A file in the directory for results, which is made where it is missing.
out_file <- function(folder, name) {
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  if (!dir.exists(folder)) refuse(folder, "can't be made", "a writable directory", "check its owner and free space")
  file.path(folder, name)
}
