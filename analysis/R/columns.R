# Columns with types that do not depend on the data, also where a table is empty or missing.

#' Types of columns: c is text, n a number, l TRUE or FALSE.
typed <- function(type, ...) {
  names <- c(...)
  setNames(rep(type, length(names)), names)
}

#' Give a table the columns that are named, with their types; text is never missing. Columns beyond these are text.
#'
#' @param types of `typed`
with_columns <- function(table, types) {
  table <- as.data.table(table)
  for (name in union(names(types), names(table))) {
    type <- if (name %in% names(types)) types[[name]] else "c"
    old <- if (name %in% names(table)) table[[name]] else rep(NA, nrow(table))
    new <- switch(type, n = suppressWarnings(as.numeric(old)), l = as.logical(old), as.character(old))
    if (type == "c") new[is.na(new)] <- ""
    set(table, j = name, value = new)
  }
  table
}
