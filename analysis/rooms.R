# Rooms: each folder of R/ is sourced into an environment of its own. What is in it sees base R with stats and utils,
# data.table, and the exports of those rooms and packages that its NAMESPACE imports; nothing else.
# In: sourced with chdir = TRUE. Out: `analysis_dir`, this directory; `room`, `plug_ins`, `script`.

analysis_dir <- getwd()
opened_rooms <- new.env()

#' A room, loaded with all that it imports.
#'
#' @return list: `inside`, the environment of all that it defines; `exports`, the names that others may import
room <- function(name) {
  if (identical(opened_rooms[[name]], "opening")) stop("R/", name, "/NAMESPACE: imports itself, in a circle")
  if (is.null(opened_rooms[[name]])) {
    opened_rooms[[name]] <- "opening"
    folder <- file.path(analysis_dir, "R", name)
    declared <- declarations(folder)
    inside <- new.env(parent = imported(declared$imports))
    for (file in r_files(folder)) define(file, inside)
    missing <- setdiff(declared$exports, names(inside))
    if (length(missing) > 0) stop("R/", name, "/NAMESPACE: exports ", missing[1], ", which nothing defines")
    lockEnvironment(inside, bindings = TRUE)
    opened_rooms[[name]] <- list(inside = inside, exports = declared$exports)
  }
  opened_rooms[[name]]
}

#' The functions that a folder's files promise, each file in an environment of its own below the folder's imports.
#'
#' @param folder with a NAMESPACE; `NN-<name>.R` in it must define `<prefix>_<name>`, its dashes as underscores
#' @return named list of functions, by `<name>`, in the order of the files
plug_ins <- function(folder, prefix) {
  imports <- imported(declarations(folder)$imports)
  files <- r_files(folder)
  names <- sub("^[0-9]+-", "", sub("\\.R$", "", basename(files)))
  functions <- Map(function(file, wanted) {
    space <- new.env(parent = imports)
    define(file, space)
    if (is.null(space[[wanted]])) {
      refuse <- room("basics")$inside$refuse
      refuse(file, "does not define the function that its name promises", paste0(wanted, "()"), "define it")
    }
    space[[wanted]]
  }, files, paste0(prefix, "_", gsub("-", "_", names)))
  stats::setNames(functions, names)
}

#' Run a script's body, a function without parameters that sees the exports of `rooms`, `analysis_dir` and `plug_ins`.
script <- function(rooms, body) {
  seen <- list(analysis_dir = analysis_dir, plug_ins = plug_ins)
  environment(body) <- list2env(seen, parent = imported(union("basics", rooms)))
  room("basics")$inside$run_script(body)
}

declarations <- function(folder) parseNamespaceFile(basename(folder), dirname(folder))

r_files <- function(folder) sort(list.files(folder, "\\.R$", full.names = TRUE), method = "radix")

#' Evaluate a file of definitions. A name that the space or its imports have already is an error: one of the two would
#' silently win. Functions keep their source only where the caller's options say so, as coverage needs.
define <- function(file, space) {
  for (call in parse(file, keep.source = getOption("keep.source"), encoding = "UTF-8")) {
    if (!identical(call[[1]], quote(`<-`)) || !is.name(call[[2]])) stop(file, ": has more than definitions")
    name <- as.character(call[[2]])
    if (name %in% c(names(space), names(parent.env(space)))) stop(file, ": ", name, " is defined already")
    eval(call, space)
  }
}

#' An environment with the exports of rooms and packages, above base R and data.table.
imported <- function(names) {
  space <- new.env(parent = base_r)
  for (name in unlist(names)) {
    own <- dir.exists(file.path(analysis_dir, "R", name))
    from <- if (own) room(name) else package(name)
    twice <- intersect(from$exports, names(space))
    if (length(twice) > 0) stop("import(", name, "): ", twice[1], " is imported already")
    copy_names(from$exports, from$inside, space)
  }
  space
}

copy_names <- function(names, from, to) list2env(mget(names, from, inherits = TRUE), to)

package <- function(name) {
  if (!requireNamespace(name, quietly = TRUE)) {
    message("R: package ", name, " is missing; expected it to be installed; install it, or run in the analysis image")
    quit(status = 2, save = "no")
  }
  list(inside = asNamespace(name), exports = getNamespaceExports(name))
}

base_r <- new.env(parent = baseenv())
for (name in c("stats", "utils", "jsonlite", "data.table")) {
  from <- package(name)
  if (name != "jsonlite") copy_names(from$exports, from$inside, base_r)
}
