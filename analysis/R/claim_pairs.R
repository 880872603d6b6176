# The rows of claim_pairs.csv: which cells each claim compares, for which verdict. Python resolves claims
# (bench/jcarerun/plan/claim_resolver.py); here rows are only estimated and judged.

#' Its columns with their types.
pair_types <- function() column_types("claim_pairs.csv")

#' The table claim_pairs.csv.
#'
#' @section Errors: refuses a missing file and missing columns.
read_claim_pairs <- function(path) {
  if (!file.exists(path)) refuse(path, "is missing", "a table of the tidy directory", "run the step before this one")
  types <- pair_types()
  table <- read_csv_strictly(path, types = list(character = names(types)[types == "c"]))
  lacking <- setdiff(names(types), names(table))
  if (length(lacking) > 0) {
    refuse(path, paste("lacks column", some_of(lacking)), "the columns of data/README.md", "make the tables anew")
  }
  with_columns(table, types)[]
}

#' Every claim in the order of the rows, with its id, its experiment, its rows as `pairs`, and `measures`, what it is
#' judged on; `measure` is their names in one. A claim with another measure on one platform stands twice.
#'
#' @param definitions of definitions.json; `pairs` of `read_claim_pairs`
#' @section Errors: refuses rows of a claim that the definitions lack.
listed_claims <- function(definitions, pairs) {
  experiments <- stats::setNames(definitions$experiments, vapply(definitions$experiments, `[[`, "", "id"))
  lapply(unname(split(pairs, by = c("experiment", "claim", "measures"), sorted = FALSE)), function(rows) {
    experiment <- experiments[[rows$experiment[1]]]
    claim <- experiment$claims[[rows$claim[1]]]
    if (is.null(claim$decision)) {
      refuse("claim_pairs.csv", paste("has claim", rows$claim[1]), "claims of definitions.json", "make both anew")
    }
    claim$measures <- strsplit(rows$measures[1], ";", fixed = TRUE)[[1]]
    claim$measure <- rows$measures[1]
    c(claim, list(id = rows$claim[1], experiment = experiment, pairs = rows))
  })
}

#' What claims are counted by: `P7a` and `P7b` are parts of the ledger's P7.
ledger_id <- function(claim) sub("[a-z]$", "", claim)

#' A claim's rows whose cells both have forks; of a partial form only pairs that have them in all of their settings,
#' and `needed` counts these.
#'
#' @param claim of `listed_claims`; `cells` the cells that have forks, with the keys of forks
pairs_with_forks <- function(claim, cells) {
  rows <- claim$pairs[nzchar(numerator_cell)]
  found <- lapply(c("numerator", "denominator"), function(which) {
    side <- side_of(rows, which)
    key <- setdiff(cell_id, "measure")
    !nzchar(side$cell) | !is.na(cells[side, on = key, which = TRUE, mult = "first"])
  })
  rows[, there := found[[1]] & found[[2]]]
  if (claim$decision$partial) {
    rows[, there := all(there), by = pair]
    rows <- rows[there == TRUE]
    rows[, needed := uniqueN(item), by = group]
  }
  rows[there == TRUE, !"there"]
}
