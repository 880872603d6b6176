# Tables on disk: the same bytes from the same data, and column types that do not depend on the data.

#' Write a table as CSV; `.gz` in the name compresses it. Up to 15 significant digits; missing values and empty texts
#' are both nothing between the commas.
#'
#' One thread, because compressed blocks would otherwise depend on the number of threads; written under a temporary
#' name, so that a killed run leaves no half table.
write_table <- function(table, path) {
  text <- names(table)[vapply(table, is.character, TRUE)]
  hollow <- text[vapply(text, function(column) "" %in% table[[column]], TRUE)]
  if (length(hollow) > 0) {
    table <- copy(table)
    for (column in hollow) set(table, which(table[[column]] == ""), column, NA_character_)
  }
  temporary <- file.path(dirname(path), paste0(".writing-", basename(path)))
  fwrite(table, temporary,
    compress = if (endsWith(path, ".gz")) "gzip" else "none",
    scipen = 10, na = "", quote = "auto", eol = "\n", nThread = 1, showProgress = FALSE
  )
  if (!file.rename(temporary, path)) {
    refuse(path, "can't be written", "a writable directory", "check its owner and free space")
  }
  invisible(path)
}

identifier_columns <- c(
  "experiment", "environment", "round", "image_id", "machine_id", "cell", "workload", "protocol", "provider",
  "cpu_profile",
  "benchmark", "mode", "warmup", "cause", "invalid_cause", "kind", "steady", "settled", "settled_why", "path",
  "order_seed",
  "plan", "plan_sha256", "reason", "reached", "study", "quantity", "unit"
)

#' Read a tidy table. Identifiers and factor levels stay text (`1024` is a level, not a number).
#'
#' @section Errors: refuses a missing file and missing columns.
read_table <- function(path, columns = character()) {
  if (!file.exists(path)) refuse(path, "is missing", "a table of the tidy directory", "run the step before this one")
  header <- names(read_csv_strictly(path, nrows = 0L))
  missing <- setdiff(columns, header)
  if (length(missing) > 0) {
    refuse(path, paste("lacks column", some_of(missing)), "the columns of data/README.md", "make the tidy tables anew")
  }
  text <- header[header %in% identifier_columns | startsWith(header, "factor.")]
  read_csv_strictly(path, types = list(character = text))
}

#' fread in which any complaint is an error, so that no row is lost in silence.
#'
#' @param types "character" for all, or a list from type to names of columns
#' @return data.table; whole numbers beyond 2^31 as double
read_csv_strictly <- function(path, types = NULL, ...) {
  complaints <- character()
  # Warnings are collected and raised afterwards: fread must be left to clean up.
  table <- withCallingHandlers(
    tryCatch(
      fread(
        path, integer64 = "double", na.strings = "", showProgress = FALSE, sep = ",", colClasses = types, ...
      ),
      error = function(problem) {
        complaints <<- c(complaints, conditionMessage(problem))
        NULL
      }
    ),
    warning = function(problem) {
      complaints <<- c(complaints, conditionMessage(problem))
      invokeRestart("muffleWarning")
    }
  )
  # A large number that fread's sample of the rows lacks makes its column integer64 all the same (data.table 1.17).
  large <- names(table)[vapply(table, inherits, TRUE, "integer64")]
  if (length(large) > 0) return(read_csv_strictly(path, types = c(types, list(numeric = large)), ...))
  if (length(complaints) > 0) {
    what <- sub(paste0(path, ": "), "", sub("\\.? *<<.*$", "", one_line(complaints[1])), fixed = TRUE)
    refuse(path, sub("[. ]+$", "", what), "a whole CSV file", "restore it, or make it anew")
  }
  table
}
