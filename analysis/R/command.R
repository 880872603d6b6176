# The commands of the analysis. Each is a function `command_<name>(words)` of this package, where `words` are the
# options on its command line.

#' Run a command: `tidy --raw DIR --out DIR`.
#'
#' A refusal prints one line and ends the command with status 2. An internal error prints one line and ends it with
#' status 70 (EX_SOFTWARE of sysexits.h), which nobody can confuse with a verdict.
#'
#' @param words the command's name and its options
run_command <- function(words) {
  tryCatch(
    {
      commands <- package_functions("command")
      name <- words[1]
      if (name %in% c("--help", "-h")) {
        cat("Commands, each with --help:\n", paste0("  ", names(commands), "\n"), sep = "")
        return(invisible())
      }
      if (!name %in% names(commands)) {
        what <- if (is.na(name)) "no command" else sprintf("'%s' is unknown", name)
        refuse("command line", what, paste(names(commands), collapse = ", "), "see --help")
      }
      commands[[name]](words[-1])
    },
    refusal = function(problem) {
      message(conditionMessage(problem))
      leave(2)
    },
    error = function(problem) {
      if (grepl("cannot allocate|vector memory", conditionMessage(problem))) leave(137)
      where <- paste(deparse(conditionCall(problem))[1], collapse = "")
      message(sprintf("analysis: defect in %s: %s", where, gsub("[\r\n]+", " ", conditionMessage(problem))))
      leave(70)
    }
  )
  invisible()
}

#' Ends the process with an exit status.
leave <- function(status) quit(status = status, save = "no")

#' The functions `<prefix>_<name>` of this package. Figures, tables and commands are found by their names.
#'
#' @param first names that come first, in this order; the others follow in alphabetical order
#' @return named list of functions, by `<name>`
package_functions <- function(prefix, first = character()) {
  package <- topenv()
  names <- grep(paste0("^", prefix, "_[a-z_]+$"), ls(package, sorted = FALSE), value = TRUE)
  names <- sort(sub(paste0("^", prefix, "_"), "", names), method = "radix")
  names <- c(intersect(first, names), setdiff(names, first))
  setNames(mget(paste0(prefix, "_", names), package, mode = "function"), names)
}

#' A path in the directory of this package.
analysis_path <- function(...) file.path(getNamespaceInfo(topenv(), "path"), ...)

# Command lines of the thin scripts: only `--name VALUE` and `--help`.

#' Read the arguments of a script.
#'
#' @param options named list, one entry per option: list(text =, required =, folder =, file =, many =). Set `folder` or
#'   `file` to TRUE when it must exist, and `many` to TRUE when the option takes several values
#'
#' @param purpose purpose of the script, for `--help`
#' @param arguments the words of the command line
#'
#' @return named list of strings, or of character vectors where an option takes many; NULL for an option that was
#'   left out
#'
#' @section Errors: refuses unknown, repeated, valueless and missing options, and paths that don't exist.
read_arguments <- function(options, purpose, arguments) {
  if (any(arguments %in% c("--help", "-h"))) {
    cat(usage_text(options, purpose))
    leave(0)
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
