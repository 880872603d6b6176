# Pairs of providers that use features of the CPU: told, not judged, where a claim excepts them.

#' The features of the CPU that both sides of contrasts use, in words: `corretto: AES-NI`; empty where neither does.
#'
#' @param contrasts of `claim_contrasts` that compare providers; `claim`; `cells` of `claim_cells`; `providers` of
#'   definitions.json, each with `features`: algorithm to features
feature_words <- function(contrasts, claim, cells, providers) {
  at <- match(contrasts$numerator_cell, cells$cell)
  algorithms <- lapply(at, function(row) cell_algorithms(claim$experiment, cells[row]))
  used <- lapply(c("numerator", "denominator"), function(which) {
    vapply(seq_len(nrow(contrasts)), function(i) {
      own <- providers[[contrasts[[which]][i]]]$features
      found <- unique(unlist(own[names(own) %in% algorithms[[i]]]))
      if (length(found) == 0) "" else sprintf("%s: %s", contrasts[[which]][i], format_list(found))
    }, "")
  })
  paste0(used[[1]], fifelse(nzchar(used[[1]]) & nzchar(used[[2]]), "; ", ""), used[[2]])
}

#' The names that a cell's algorithm goes by: the levels of its factors, and what they and its workload stand for.
cell_algorithms <- function(experiment, cell) {
  own <- lapply(names(experiment$factors), function(factor) {
    level <- cell[[column_of(factor)]]
    c(list(level = level), if (!is.null(level)) experiment$factors[[factor]][[level]])
  })
  stood <- c(own, list(experiment$workloads[[cell$workload]]$params))
  named <- unlist(lapply(stood, function(params) params[c("level", "algorithm", "transformation")]))
  unique(c(as.character(named), sub("/.*", "", as.character(named))))
}

#' What became of the order of pairs with features: `corretto and sunjce (corretto: AES-NI) turn round`.
#'
#' @param rows contrasts with `featured`, several settings to each `pair`
featured_sentence <- function(rows) {
  if (nrow(rows) == 0) return("")
  said <- rows[, .(text = sprintf(
    "%s and %s (%s) %s", numerator[1], denominator[1], featured[1],
    if (p_support[1] <= 0.05) "keep their order" else if (p_refute[1] <= 0.05) "turn round" else "are unclear"
  )), by = pair]$text
  paste0("with features of the CPU, which the claim excepts: ", paste(said, collapse = "; "))
}
