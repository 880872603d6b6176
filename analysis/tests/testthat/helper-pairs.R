# Rows of claim_pairs.csv for made-up cells. Python alone resolves claims, and the analysis image has no Python: so its
# answers are recorded in fixtures/claim_pairs.json, which bench/tests/claim_fixtures.py writes and a test there checks.

recorded_file <- testthat::test_path("fixtures", "claim_pairs.json")
recorded_pairs <- if (file.exists(recorded_file)) jsonlite::fromJSON(recorded_file, simplifyVector = FALSE) else list()

#' Definitions whose claims have their decisions, and the rows of claim_pairs.csv for the cells of some forks.
#'
#' @return list: `definitions`, `pairs`
resolved <- function(forks, definitions) {
  keys <- setdiff(cell_columns(forks), character())
  cells <- unique(forks[, keys, with = FALSE])
  request <- list(
    experiments = definitions$experiments, environments = definitions$environments %||% list(),
    providers = lapply(definitions$providers %||% list(), function(one) list(features = one$features %||% list())),
    cells = list(columns = names(cells), rows = unname(as.list(as.data.table(t(as.matrix(cells))))))
  )
  text <- as.character(jsonlite::toJSON(request, auto_unbox = TRUE, null = "null", na = "null", digits = NA))
  file <- tempfile()
  writeLines(text, file)
  key <- unname(tools::md5sum(file))
  answer <- recorded_pairs[[key]]
  if (is.null(answer)) {
    requests <- testthat::test_path("fixtures", "requests")
    if (!dir.exists(requests)) stop("no rows are recorded for this claim; run `python bench/tests/claim_fixtures.py`")
    writeLines(text, file.path(requests, paste0(key, ".json")))
    testthat::skip("rows of this claim are being recorded")
  }
  rows <- tempfile(fileext = ".csv")
  writeLines(unlist(answer$pairs), rows)
  list(definitions = with_recorded_decisions(definitions, answer), pairs = read_claim_pairs(rows))
}

with_recorded_decisions <- function(definitions, answer) {
  for (i in seq_along(definitions$experiments)) {
    for (claim in names(definitions$experiments[[i]]$claims)) {
      definitions$experiments[[i]]$claims[[claim]]$decision <- answer$decisions[[i]][[claim]]
    }
  }
  definitions
}

#' `judge_claims` of made-up forks.
judge_made_up <- function(forks, definitions, ...) {
  found <- resolved(forks, definitions)
  judge_claims(forks, found$definitions, found$pairs, ...)
}
