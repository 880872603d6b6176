# Pairs that a user names: two benchmarks of different names, or two values of a parameter, compared with each other.

#' Both sides of a comparison, reduced to the rows of the pairs, under common names.
#'
#' A side of a pair is a benchmark, parameters, or both: `Mill.grind`, `size:10`, `Mill.grind,size:10`. The end of a
#' benchmark's name is enough.
#'
#' @param baseline,candidate forks of `read_run`
#' @param pairs texts `A=B`: A of the baseline, B of the candidate
#'
#' @section Errors: refuses a pair that names nothing, or several benchmarks on a side.
paired_sides <- function(baseline, candidate, pairs) {
  sides <- list(baseline, candidate)
  if (length(pairs) == 0) return(sides)
  parts <- lapply(pairs, one_pair, sides)
  lapply(1:2, function(side) rbindlist(lapply(parts, `[[`, side), use.names = TRUE, fill = TRUE))
}

#' The rows of one pair on both sides.
one_pair <- function(pair, sides) {
  # Values of parameters may contain an equals sign. The split that leaves rows on both sides is the right one.
  at <- gregexpr("=", pair, fixed = TRUE)[[1]]
  splits <- lapply(at[at > 0], function(i) c(substr(pair, 1, i - 1L), substring(pair, i + 1L)))
  selected <- lapply(splits, function(texts) Map(selected_rows, sides, lapply(texts, parse_selection)))
  fits <- vapply(selected, function(rows) all(vapply(rows, nrow, 0L) > 0), TRUE)
  if (!any(fits)) refuse(
    "command line", sprintf("--pair '%s' names no benchmark of both sides", pair),
    "A=B, where A and B are a benchmark, param:value, or Benchmark,param:value", "correct the names"
  )
  at <- which(fits)[1]
  rows <- selected[[at]]
  selections <- lapply(splits[[at]], parse_selection)
  names <- vapply(1:2, function(side) {
    names <- unique(rows[[side]]$benchmark)
    if (is.na(selections[[side]]$benchmark)) return(NA_character_)
    if (length(names) > 1) refuse(
      "command line", sprintf("--pair '%s' names %d benchmarks: %s", pair, length(names), some_of(names)),
      "one benchmark on each side", "name its class and package too"
    )
    names
  }, "")
  # A benchmark named on one side only applies to both.
  names <- fcoalesce(names, rev(names))
  for (side in 1:2) if (!is.na(names[side])) rows[[side]] <- rows[[side]][benchmark == names[side]]
  rows <- lapply(rows, copy)
  joined <- function(values) paste(unique(values), collapse = " -> ")
  params <- union(names(selections[[1]]$params), names(selections[[2]]$params))
  whole <- lapply(rows, copy)
  for (side in 1:2) {
    if (!anyNA(names)) set(rows[[side]], j = "benchmark", value = joined(names))
    for (name in params) {
      values <- vapply(1:2, function(i) one_value(pair, whole[[i]], name, selections[[i]]$params[name]), "")
      set(rows[[side]], j = paste0("param.", name), value = joined(values))
    }
  }
  rows
}

#' The value of a parameter on one side: the named one, or the only one that its rows have.
one_value <- function(pair, rows, name, named) {
  values <- if (is.na(named)) unique(rows[[paste0("param.", name)]] %||% NA_character_) else named
  if (length(values) > 1) refuse(
    "command line", sprintf("--pair '%s' leaves several values of %s on a side: %s", pair, name, some_of(values)),
    "one value on each side", sprintf("name it on both sides: %s:value", name)
  )
  fcoalesce(values[[1]], "none")
}

#' A side of a pair: `benchmark` (NA where none is named) and `params` (values by name).
parse_selection <- function(text) {
  words <- strsplit(text, ",(?=[A-Za-z_$][\\w$]*[:=])", perl = TRUE)[[1]]
  if (length(words) == 0) words <- ""
  param <- grepl("^[A-Za-z_$][\\w$]*[:=]", words, perl = TRUE)
  benchmark <- if (all(param)) NA_character_ else paste(words[!param], collapse = ",")
  values <- sub("^[^:=]*[:=]", "", words[param])
  list(benchmark = benchmark, params = stats::setNames(values, sub("[:=].*$", "", words[param])))
}

#' Forks that a side of a pair names.
selected_rows <- function(forks, selection) {
  keep <- rep(TRUE, nrow(forks))
  if (!is.na(selection$benchmark)) {
    exact <- forks$benchmark == selection$benchmark
    keep <- if (any(exact)) exact else endsWith(forks$benchmark, paste0(".", selection$benchmark))
  }
  for (name in names(selection$params)) {
    values <- forks[[paste0("param.", name)]] %||% NA_character_
    keep <- keep & values %in% selection$params[[name]]
  }
  forks[keep]
}
