# The rooms as they stand in files: what they declare, and the names that their code has.

#' Every name in an expression, defaults of parameters included.
names_in <- function(code) {
  if (is.name(code)) return(as.character(code))
  if (!is.recursive(code) || is.function(code)) return(character())
  unique(unlist(lapply(as.list(code), function(part) if (!missing(part)) names_in(part))))
}

#' What a folder of code imports and exports, and the names in its files.
folder_of_code <- function(folder) {
  declared <- parseNamespaceFile(basename(folder), dirname(folder))
  names <- names_in(lapply(list.files(folder, "\\.R$", full.names = TRUE), parse))
  list(imports = as.character(unlist(declared$imports)), exports = declared$exports, names = names)
}

#' What a script imports, and the names in it; NULL for a file that runs no script.
script_of_code <- function(file) {
  call <- Filter(function(call) identical(call[[1]], quote(script)), parse(file))
  if (length(call) > 0) list(imports = c("basics", eval(call[[1]][[2]])), names = names_in(call[[1]][[3]]))
}

#' What the files of a folder define: a list of code by name.
definitions_of <- function(folder) {
  calls <- unlist(lapply(list.files(folder, "\\.R$", full.names = TRUE), function(file) as.list(parse(file))))
  stats::setNames(lapply(calls, `[[`, 3), vapply(calls, function(call) as.character(call[[2]]), ""))
}

#' Functions that a function calls but can't see (`.` and `:=` are data.table's grammar), and those of `constants` that
#' it uses but can't see. Other variables may be columns.
unseen <- function(user, constants) {
  if (!is.function(user)) return(character())
  found <- codetools::findGlobals(user, merge = FALSE)
  functions <- Filter(function(name) !exists(name, environment(user), mode = "function"), found$functions)
  variables <- Filter(function(name) !exists(name, environment(user)), intersect(found$variables, constants))
  c(setdiff(functions, c(".", ":=")), variables)
}
