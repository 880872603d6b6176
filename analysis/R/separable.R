# Which factors of a design can be told apart: levels whose differences are estimable in an additive model.

#' The part of a design in which every factor's levels can be compared, and what falls outside of it.
#'
#' Two levels of a factor can be compared if the difference of their effects is estimable in the additive model of all
#' factors, so through other cells too: Debian 13 and Wine with one JDK, and Debian 13 with two. Where some can't, the
#' largest class of levels that can is kept (the first, of equal ones), for each factor in turn. The cells that are left
#' out are divided in the same way; each such block differs from the others by several factors at once.
#'
#' @param design data.table, one row per combination, columns are factors
#' @return list: `block` of each row (1 is the part that is kept), `confounded`: the factors that differ between blocks
#'   and can't be told apart there
separable_blocks <- function(design) {
  block <- rep(NA_integer_, nrow(design))
  number <- 0L
  while (anyNA(block)) {
    number <- number + 1L
    open <- which(is.na(block))
    block[open[largest_separable(design[open])]] <- number
  }
  confounded <- character()
  if (number > 1) {
    split <- vapply(names(design), function(name) length(unique(level_classes(design, name))) > 1, TRUE)
    confounded <- names(design)[split]
  }
  list(block = block, confounded = confounded)
}

#' Rows of the largest part of a design in which every factor's levels can be compared.
largest_separable <- function(design) {
  rows <- seq_len(nrow(design))
  repeat {
    before <- length(rows)
    for (name in names(design)) {
      class <- level_classes(design[rows], name)
      rows <- rows[class == as.integer(names(which.max(table(class))))]
    }
    if (length(rows) == before) return(rows)
  }
}

#' The class of each row's level of a factor: levels of the same class can be compared.
level_classes <- function(design, name) {
  levels <- unique(design[[name]])
  class <- seq_along(levels)
  matrix <- dummy_matrix(design)
  rank <- qr(matrix)$rank
  column <- function(level) colnames(matrix) == paste(name, level)
  for (i in seq_along(levels)[-1]) {
    for (j in seq_len(i - 1)) {
      if (class[j] != j) next
      contrast <- column(levels[i]) - column(levels[j])
      if (qr(rbind(matrix, contrast))$rank == rank) {
        class[i] <- j
        break
      }
    }
  }
  class[match(design[[name]], levels)]
}

#' A column of 1, and one column of 0 and 1 for each level of each factor.
dummy_matrix <- function(design) {
  columns <- lapply(names(design), function(name) {
    levels <- unique(design[[name]])
    matrix <- outer(design[[name]], levels, "==") + 0
    colnames(matrix) <- paste(name, levels)
    matrix
  })
  do.call(cbind, c(list(rep(1, nrow(design))), columns))
}
