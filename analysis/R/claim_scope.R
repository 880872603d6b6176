# How much of what a claim is about was measured.

#' What of a claim's scope the used cells cover, and what not.
#'
#' Looks at every factor (and the workloads) that the claim leaves open: not compared, not judged separately by `each`.
#'
#' @param experiment the experiment's definition; `claim` one of its claims
#' @param used data.table of cells the verdict rests on
#' @return `at 100 KB; 1 MB and 10 MB not in this tier`, or empty when all of the scope is covered
scope_words <- function(experiment, claim, used) {
  workloads <- unique(used$workload)
  factors <- unique(unlist(lapply(experiment$workloads[workloads], function(workload) workload$factors)))
  closed <- c(claim$compare$factor, unlist(claim$each))
  covered <- character()
  missing <- character()
  for (factor in setdiff(factors, closed)) {
    defined <- names(experiment$factors[[factor]])
    if (!is.null(claim$among[[factor]])) defined <- intersect(defined, as.character(unlist(claim$among[[factor]])))
    found <- unique(used[[column_of(factor)]])
    if (length(setdiff(defined, found)) == 0) next
    covered <- c(covered, level_words(factor, intersect(defined, found)))
    missing <- c(missing, level_words(factor, setdiff(defined, found)))
  }
  absent <- setdiff(as.character(unlist(claim$among$workload)), workloads)
  if (length(absent) > 0) {
    covered <- c(workloads, covered)
    missing <- c(absent, missing)
  }
  if (length(missing) == 0) return("")
  sprintf("at %s; %s not in this tier", list_words(covered), list_words(missing))
}

#' What a claim compares, as far as no cell of `cells` has it: levels, or the workloads of a ratio.
absent_words <- function(cells, claim) {
  if (!is.null(claim$compare)) {
    levels <- as.character(unlist(claim$compare$levels))
    absent <- setdiff(levels, cells[matching(cells, claim$among)][[column_of(claim$compare$factor)]])
    return(list_words(level_words(claim$compare$factor, absent)))
  }
  cells <- cells[matching(cells, claim$among)]
  filters <- unlist(lapply(claim$ratios, function(ratio) list(ratio$numerator, ratio$denominator)), recursive = FALSE)
  lacking <- Filter(function(filter) !any(matching(cells, filter)), filters)
  list_words(unique(vapply(lacking, function(filter) paste(unlist(filter), collapse = " or "), "")))
}
