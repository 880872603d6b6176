# Command lines of the thin scripts: `--name VALUE` and `--help`, nothing else.

#' Read the arguments of a script.
#'
#' @param options named list, one entry per option: list(text =, required =, folder = / file = TRUE when it must exist,
#'   many = TRUE when it takes several values)
#' @param purpose what the script does, for `--help`
#' @param arguments the words of the command line
#' @return named list of strings, or of character vectors where an option takes many; NULL for an option that was left out
#' @section Errors: refuses unknown, repeated, valueless and missing options, and paths that aren't there.
read_arguments <- function(options, purpose, arguments) {
  if (any(arguments %in% c("--help", "-h"))) {
    cat(usage_text(options, purpose))
    quit(status = 0, save = "no")
  }
  hint <- "see --help"
  values <- list()
  at <- 1
  while (at <= length(arguments)) {
    name <- sub("^--", "", arguments[at])
    if (!startsWith(arguments[at], "--") || !name %in% names(options)) {
      refuse(
        "command line", sprintf("'%s' is unknown", arguments[at]), paste0("--", names(options), collapse = ", "), hint
      )
    }
    if (at == length(arguments) || startsWith(arguments[at + 1], "--")) {
      refuse("command line", sprintf("--%s has no value", name), options[[name]]$text, hint)
    }
    if (!is.null(values[[name]])) refuse("command line", sprintf("--%s is given twice", name), "it once", hint)
    until <- at + 1
    if (isTRUE(options[[name]]$many)) {
      while (until < length(arguments) && !startsWith(arguments[until + 1], "--")) until <- until + 1
    }
    values[[name]] <- arguments[(at + 1):until]
    at <- until + 1
  }
  for (name in names(options)) check_option(name, options[[name]], values[[name]], hint)
  values
}

check_option <- function(name, option, value, hint) {
  if (is.null(value)) {
    if (isTRUE(option$required)) refuse("command line", sprintf("--%s is missing", name), option$text, hint)
    return(invisible())
  }
  if (isTRUE(option$folder) && !dir.exists(value)) {
    refuse(value, "no such directory", sprintf("the directory that --%s names", name), "correct the path")
  }
  absent <- value[!file.exists(value)]
  if (isTRUE(option$file) && length(absent) > 0) {
    refuse(absent[1], "no such file", sprintf("the file that --%s names", name), "correct the path")
  }
}

usage_text <- function(options, purpose) {
  lines <- vapply(names(options), function(name) {
    sprintf("  --%-13s %s%s", name, options[[name]]$text, if (isTRUE(options[[name]]$required)) "" else " (optional)")
  }, "")
  paste0(paste(c(purpose, "", "Options:", lines, "  --help          this text"), collapse = "\n"), "\n")
}

#' A number on the command line: at least `from`, below `below`.
number_argument <- function(name, text, from, below, expected) {
  value <- suppressWarnings(as.numeric(text))
  if (is.na(value) || value < from || value >= below) {
    refuse("command line", sprintf("--%s is '%s'", name, text), expected, "see --help")
  }
  value
}

#' Whether an option that is `yes` or `no` says yes.
yes_argument <- function(name, text) {
  if (!(text %||% "no") %in% c("yes", "no")) {
    refuse("command line", sprintf("--%s is '%s'", name, text), "yes or no", "see --help")
  }
  identical(text, "yes")
}
