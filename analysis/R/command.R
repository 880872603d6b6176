# The commands of the analysis. Each is a function `command_<name>(words)` of this package, where `words` are the
# options on its command line.

#' Run a command: `tidy --raw DIR --out DIR`. A refusal ends it with its one line and status 2, a defect of ours with
#' one line and status 70 (sysexits.h's number for that), so that nobody takes it for a verdict.
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
      quit(status = 2, save = "no")
    },
    error = function(problem) {
      where <- paste(deparse(conditionCall(problem))[1], collapse = "")
      message(sprintf("analysis: defect in %s: %s", where, gsub("[\r\n]+", " ", conditionMessage(problem))))
      quit(status = 70, save = "no")
    }
  )
  invisible()
}

#' The functions `<prefix>_<name>` of this package: figures, tables and commands are found by their names.
#'
#' @param first names that come first, in this order; the others follow by the alphabet
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
