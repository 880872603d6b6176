# JSON files, read whole or not at all.

#' A JSON file as nested lists; `remedy` when it isn't one.
read_json_strictly <- function(file, remedy) {
  text <- paste(readLines(file, warn = FALSE, skipNul = TRUE, encoding = "UTF-8"), collapse = "\n")
  tryCatch(
    jsonlite::fromJSON(text, simplifyVector = FALSE),
    error = function(problem) refuse(file, "isn't whole JSON (truncated?)", "a JSON document", remedy)
  )
}
