# The words of a pair of cells: what both share, and what sets each apart.

#' What two cells share, and what sets each apart, in words; row by row, since factors may be shared in one pair only.
pair_words <- function(cells, one, two, claim) {
  columns <- shown_columns(cells, c("workload", factor_columns(cells), "provider"), claim)
  shared <- copy(one)
  for (column in columns) {
    same <- !is.na(one[[column]]) & !is.na(two[[column]]) & one[[column]] == two[[column]]
    set(shared, which(!same), column, NA_character_)
    one <- copy(one)[same, (column) := NA_character_]
    two <- copy(two)[same, (column) := NA_character_]
  }
  list(
    scope = cell_words(shared, columns), numerator = side_words(one, columns), denominator = side_words(two, columns)
  )
}

#' `decrypt with ECB, 100 KB`: the workload, where it sets the cell apart, and the rest.
side_words <- function(cells, columns) {
  rest <- cell_words(cells, setdiff(columns, "workload"))
  workload <- fcoalesce(cells$workload, "")
  paste0(workload, fifelse(nzchar(workload) & nzchar(rest), " with ", ""), rest)
}

#' Columns worth words: `columns`, the CPU profile where there are several, and the system and JDK where a claim
#' compares across one of them (else the place names them).
shown_columns <- function(cells, columns, claim) {
  freed <- freed_parts(claim)
  c(
    intersect(columns, c("workload", factor_columns(cells), "provider")),
    if (any(c("system", "jdk") %in% freed)) c("system_label", "jdk_label"),
    if (uniqueN(cells$own_profile) > 1) "own_profile"
  )
}

#' The column whose words stand for a compared system, platform or JDK; NULL for what is called by its level. A platform
#' is called by its system, so that Wine is never called Windows.
level_label_column <- function(factor) {
  labels <- c(system = "system_label", platform = "system_label", jdk = "jdk_label")
  if (factor %in% names(labels)) labels[[factor]]
}
