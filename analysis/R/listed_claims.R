# The claims of all experiments as the judge takes them: one by one, each with its experiment and its measures.

#' Every claim of every experiment in the order of the files, with its id and experiment added, and `measures`, what
#' it is judged on; `measure` is their names in one. A claim with another clock on one platform stands twice.
#'
#' @section Errors: refuses a form that there is not.
listed_claims <- function(definitions, forms) {
  claims <- list()
  for (experiment in definitions$experiments) {
    for (id in names(experiment$claims)) {
      claim <- experiment$claims[[id]]
      if (!isTRUE(claim$form %in% names(forms))) {
        refuse(
          "definitions.json", sprintf("claim %s has form '%s'", id, claim$form %||% ""), some_of(names(forms)),
          "correct the claim"
        )
      }
      claim[["measures"]] <- as.character(unlist(claim[["measures"]] %||% claim[["measure"]] %||% experiment$measure))
      claim[["measure"]] <- paste(claim[["measures"]], collapse = ";")
      claim$each <- open_parts(claim)
      claims <- c(claims, by_clock(c(claim, list(id = id, experiment = experiment))))
    }
  }
  claims
}

#' A claim as a list of itself; of two, where it has another clock on one platform: that of all other platforms, and
#' that of this one.
by_clock <- function(claim) {
  other <- claim$measure_where
  if (is.null(other)) return(list(claim))
  there <- claim
  there[c("measure", "measures")] <- other$measure
  list(c(claim, list(off_platform = other$platform)), c(there, list(on_platform = other$platform)))
}

#' A claim's `each` without the parts of a place that every verdict has anyway.
open_parts <- function(claim) {
  each <- as.character(unlist(claim$each))
  told <- part_named(each)
  each[is.na(told) | told %in% freed_parts(claim)]
}

#' What claims are counted by: `P7a` and `P7b` are parts of the ledger's P7.
ledger_id <- function(claim) sub("[a-z]$", "", claim)
