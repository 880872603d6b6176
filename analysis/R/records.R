# The records that every round keeps beside its timings, read for display.

#' The parsed JSON file of a round, or NULL where it is missing or broken (notes.csv says so).
read_record <- function(data, path, name) {
  file <- file.path(data$raw, path, name)
  if (!file.exists(file)) return(NULL)
  tryCatch(jsonlite::fromJSON(file, simplifyVector = FALSE), error = function(problem) NULL)
}

#' Nested lists as one named vector: a.b.c = value. NULL becomes NA, which is shown as "not exposed".
flatten_json <- function(value, name = "") {
  if (is.null(value)) return(setNames(NA_character_, name))
  if (!is.list(value)) return(setNames(paste(as.character(value), collapse = ", "), name))
  if (length(value) == 0) return(setNames("none", name))
  if (is.null(names(value)) && !any(vapply(value, is.list, TRUE))) {
    return(setNames(paste(unlist(lapply(value, function(x) x %||% "not exposed")), collapse = ", "), name))
  }
  keys <- if (is.null(names(value))) as.character(seq_along(value)) else names(value)
  if (nzchar(name)) keys <- paste(name, keys, sep = ".")
  parts <- Map(flatten_json, value, keys)
  unlist(unname(parts))
}
