# How much of what a claim is about was measured.

#' Which part of a claim's scope the cells that are used cover, and which they don't.
#'
#' Looks at every factor (and the workloads) that the claim leaves open: not compared, not judged separately by `each`;
#' and at the compared levels of a form that is judged on those that were measured.
#'
#' @param experiment the experiment's definition; `claim` one of its claims
#' @param used data.table of cells the verdict rests on; `measured` all workloads that the claim found in this place
#' @param partial whether some of the compared levels may be missing; `environments` of `environment_parts`
#' @return `at 100 KB; 1 MB and 10 MB not in this tier`, or empty when all of the scope is covered
scope_words <- function(
  experiment, claim, used, measured, partial = FALSE, environments = environment_parts(list())
) {
  workloads <- unique(used$workload)
  factors <- unique(unlist(lapply(experiment$workloads[workloads], function(workload) workload$factors)))
  closed <- c(claim$compare$factor, unlist(claim$each))
  covered <- character()
  missing <- character()
  for (factor in setdiff(factors, closed)) {
    defined <- names(experiment$factors[[factor]])
    asked <- asked_levels(claim, factor)
    if (length(asked) > 0) defined <- intersect(defined, asked)
    found <- unique(used[[column_of(factor)]])
    if (length(setdiff(defined, found)) == 0) next
    covered <- c(covered, level_words(factor, intersect(defined, found)))
    missing <- c(missing, level_words(factor, setdiff(defined, found)))
  }
  # A workload that is judged by itself has a verdict of its own.
  absent <- setdiff(as.character(unlist(claim$among$workload)), if ("workload" %in% closed) measured else workloads)
  if (length(absent) > 0) {
    covered <- c(workloads, covered)
    missing <- c(absent, missing)
  }
  if (partial) {
    levels <- as.character(unlist(claim$compare$levels))
    found <- intersect(levels, used[[column_of(claim$compare$factor)]])
    if (length(found) < length(levels)) {
      covered <- c(part_words(environments, claim$compare$factor, found), covered)
      missing <- c(part_words(environments, claim$compare$factor, setdiff(levels, found)), missing)
    }
  }
  if (length(missing) == 0) return("")
  sprintf("at %s; %s not in this tier", format_list(covered), format_list(missing))
}

#' The levels of a factor that a claim names itself: all else is not its subject. None named: all are.
asked_levels <- function(claim, factor) {
  sides <- unlist(lapply(claim$ratios, function(ratio) list(ratio$numerator, ratio$denominator)), recursive = FALSE)
  filters <- c(list(claim$among, claim$values), sides)
  unique(as.character(unlist(lapply(filters, function(filter) filter[[factor]]))))
}

#' What a claim compares that no cell of `cells` has: levels, or the workloads of a ratio.
absent_words <- function(cells, claim) {
  if (!is.null(claim$compare)) {
    levels <- as.character(unlist(claim$compare$levels))
    absent <- setdiff(levels, cells[matching(cells, claim$among)][[column_of(claim$compare$factor)]])
    return(format_list(level_words(claim$compare$factor, absent)))
  }
  format_list(vapply(lacking_filters(cells, claim), function(filter) paste(unlist(filter), collapse = " or "), ""))
}

#' The filters of a claim's ratios that keep no cell.
lacking_filters <- function(cells, claim) {
  cells <- cells[matching(cells, claim$among)]
  filters <- unlist(lapply(claim$ratios, function(ratio) list(ratio$numerator, ratio$denominator)), recursive = FALSE)
  if (!is.null(claim$values)) filters <- c(filters, list(claim$values))
  unique(Filter(function(filter) !any(matching(cells, filter)), filters))
}

#' Why a claim that compares environments or CPU profiles has no place where it could be tested.
nowhere_reason <- function(cells, claim, environments) {
  lacking <- lacking_filters(cells, claim)
  if (length(lacking) > 0) return(paste("no environment of this run has", filter_words(lacking[[1]])))
  compared <- claim$across %||% claim$compare
  if (is.null(compared)) return("no two cells of one machine differ only in what the claim compares")
  found <- intersect(as.character(unlist(compared$levels)), cells[[column_of(compared$factor)]])
  what <- switch(compared$factor, "cpu-profile" = "CPU profile", jdk = "JDK", compared$factor)
  if (length(found) < 2) {
    words <- part_words(environments, compared$factor, found)
    seen <- if (length(found) == 0) sprintf("no %s", what) else sprintf("only the %s %s", what, words)
    return(sprintf("%s of those that the claim compares was measured", seen))
  }
  sprintf("no two of the claim's levels of %s were measured with all else alike", what)
}

#' `a Windows JVM`, or the names that a filter gives.
filter_words <- function(filter) {
  said <- vapply(names(filter), function(name) {
    values <- as.character(unlist(filter[[name]]))
    if (name != "platform") {
      return(paste("the", sub("cpu-profile", "CPU profile", name), paste(values, collapse = " or ")))
    }
    paste("a", paste(c(linux = "Linux", windows = "Windows")[values], collapse = " or "), "JVM")
  }, "")
  format_list(said)
}
