# Files that the analysis reads and writes. The same data give the same bytes, and a file is written completely or not
# at all.

#' A file in the directory for results, which is created where it is missing.
out_file <- function(folder, name) {
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  if (!dir.exists(folder)) refuse(folder, "can't be made", "a writable directory", "check its owner and free space")
  file.path(folder, name)
}

#' Write a file completely or not at all: under a temporary name, flushed to the disk, and then renamed.
#'
#' @param write function(path) that writes it there; its errors and warnings are failures
#' @return `path`, invisibly
#'
#' @section Errors: refuses where the file can't be written, and leaves an older file of that name as it was.
write_file <- function(path, write) {
  temporary <- file.path(dirname(path), paste0(".writing-", basename(path)))
  on.exit(unlink(temporary))
  failed <- function(problem) {
    what <- paste("can't be written:", one_line(conditionMessage(problem)))
    refuse(path, what, "a writable directory with free space", "check its owner and free space")
  }
  flush <- Sys.which("sync")
  tryCatch(
    {
      write(temporary)
      if (nzchar(flush) && system2(flush, shQuote(temporary)) != 0) stop("it can't be flushed to the disk")
      file.rename(temporary, path)
    },
    warning = failed, error = failed
  )
  invisible(path)
}

#' Write lines as UTF-8. R does not report a full disk when it closes a file, so the size is compared.
write_lines <- function(lines, path) {
  bytes <- charToRaw(paste0(enc2utf8(lines), "\n", collapse = ""))
  write_file(path, function(temporary) {
    writeBin(bytes, temporary)
    if (!identical(file.size(temporary), as.numeric(length(bytes)))) stop("the disk is full")
  })
}

#' Write nested lists as JSON: numbers with all their digits, missing values as null.
write_json <- function(value, path) {
  json <- jsonlite::toJSON(value, auto_unbox = TRUE, null = "null", na = "null", digits = NA, pretty = TRUE)
  write_lines(as.character(json), path)
}

#' Write a table as CSV. A name that ends with `.gz` compresses it. Numbers have up to 15 significant digits. Missing
#' values and empty texts are both written as nothing between the commas.
#'
#' A single thread writes it, because compressed blocks would otherwise depend on the number of threads. The lowest
#' level of compression takes half of the usual level's time, for files that are a sixth larger.
write_table <- function(table, path) {
  text <- names(table)[vapply(table, is.character, TRUE)]
  hollow <- text[vapply(text, function(column) "" %in% table[[column]], TRUE)]
  if (length(hollow) > 0) {
    table <- copy(table)
    for (column in hollow) set(table, which(table[[column]] == ""), column, NA_character_)
  }
  write_file(path, function(temporary) {
    compressed <- endsWith(path, ".gz")
    # fwrite truncates the compressed stream of a table without rows (data.table 1.17).
    if (compressed && nrow(table) == 0) return(write_compressed_line(paste(names(table), collapse = ","), temporary))
    fwrite(table, temporary,
      compress = if (compressed) "gzip" else "none", compressLevel = 1L,
      scipen = 10, na = "", quote = "auto", eol = "\n", nThread = 1, showProgress = FALSE
    )
    if (!is_whole_table(temporary, nrow(table), compressed)) stop("the disk is full")
  })
}

#' Whether a table's file has all of its rows. fwrite does not notice when the disk takes only a part of its last block.
is_whole_table <- function(path, rows, compressed) {
  gzip <- Sys.which("gzip")
  if (compressed && nzchar(gzip)) return(system2(gzip, c("--test", shQuote(path)), stderr = FALSE) == 0)
  connection <- gzfile(path, "rb") # reads a plain file too
  on.exit(close(connection))
  lines <- 0
  last <- raw()
  while (length(block <- readBin(connection, "raw", 2^24)) > 0) {
    lines <- lines + sum(block == as.raw(10L))
    last <- block[length(block)]
  }
  # Texts may contain line breaks.
  lines > rows && identical(last, as.raw(10L))
}

write_compressed_line <- function(line, path) {
  connection <- gzfile(path, "wb")
  on.exit(close(connection))
  writeLines(line, connection, useBytes = TRUE)
}

#' Columns of a file that contain text. A file that is not in the schema uses the columns of the studies' numbers.
text_columns <- function(path) {
  name <- sub("[.]gz$", "", basename(path))
  types <- if (is.null(column_schema$tidy[[name]])) column_types("study.csv", "published") else column_types(name)
  names(types)[types == "c"]
}

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
  text <- header[header %in% text_columns(path) | startsWith(header, "factor.")]
  read_csv_strictly(path, types = list(character = text))
}

#' fread with every warning raised as an error, so that rows cannot be lost silently.
#'
#' @param types "character" for all, or a list from type to names of columns
#' @return data.table; whole numbers beyond 2^31 as double
read_csv_strictly <- function(path, types = NULL, ...) {
  complaints <- character()
  # Warnings are collected and raised afterwards, because fread must finish its cleanup.
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
  # fread infers types from a sample of rows. A large number outside of it still makes its column integer64 (data.table
  # 1.17).
  large <- names(table)[vapply(table, inherits, TRUE, "integer64")]
  if (length(large) > 0) return(read_csv_strictly(path, types = c(types, list(numeric = large)), ...))
  if (length(complaints) > 0) {
    what <- sub(paste0(path, ": "), "", sub("\\.? *<<.*$", "", one_line(complaints[1])), fixed = TRUE)
    refuse(path, sub("[. ]+$", "", what), "a whole CSV file", "restore it, or make it anew")
  }
  table
}

# JSON files, read completely or not at all.

#' A JSON file as nested lists. An invalid file is refused with `remedy`.
read_json_strictly <- function(file, remedy) {
  text <- paste(readLines(file, warn = FALSE, skipNul = TRUE, encoding = "UTF-8"), collapse = "\n")
  tryCatch(
    jsonlite::fromJSON(text, simplifyVector = FALSE),
    error = function(problem) refuse(file, "isn't whole JSON (truncated?)", "a JSON document", remedy)
  )
}

# Columns with types that do not depend on the data, even where a table is empty or missing.

#' Types of columns: c is text, n a number, l TRUE or FALSE.
typed <- function(type, ...) {
  names <- c(...)
  setNames(rep(type, length(names)), names)
}

#' Give a table the named columns with their types; text is never missing. Further columns are text.
#'
#' @param types of `typed`
with_columns <- function(table, types) {
  table <- as.data.table(table)
  for (name in union(names(types), names(table))) {
    type <- if (name %in% names(types)) types[[name]] else "c"
    old <- if (name %in% names(table)) table[[name]] else rep(NA, nrow(table))
    new <- switch(type, n = suppressWarnings(as.numeric(old)), l = as.logical(old), as.character(old))
    if (type == "c") new[is.na(new)] <- ""
    set(table, j = name, value = new)
  }
  table
}

# Work on several processor cores.

#' Cores that may be used: 1 where processes can't be forked.
usable_cores <- function() {
  if (.Platform$OS.type == "windows") return(1L)
  max(1L, parallel::detectCores(), na.rm = TRUE)
}

#' lapply over several cores. An error in an item is raised as the error of the whole call; of several, the first in
#' order.
in_parallel <- function(items, work, cores = usable_cores()) {
  if (cores < 2L || length(items) < 2L) return(lapply(items, work))
  caught <- function(item) tryCatch(work(item), error = function(problem) structure(list(problem), class = "caught"))
  done <- parallel::mclapply(items, caught, mc.cores = cores)
  for (result in done) if (inherits(result, "caught")) stop(result[[1]])
  lost <- vapply(done, is.null, TRUE)
  if (any(lost)) stop("a process ended without an answer; is there too little memory?")
  done
}

# Random draws that are reproducible.

#' The value of an expression that draws from R's random number generator, whose state is restored afterwards.
with_seed <- function(seed, value) {
  before <- get0(".Random.seed", globalenv(), inherits = FALSE)
  on.exit(if (is.null(before)) rm(".Random.seed", envir = globalenv()) else assign(".Random.seed", before, globalenv()))
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  value
}
