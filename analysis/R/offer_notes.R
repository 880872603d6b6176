# What the reader must know of providers that lack an algorithm, or disagree about its result.

#' Notes on what was not timed, a row per provider and environment: cells whose result is wrong or not that of the other
#' providers', with the words of the first, and the number of cells that are not offered.
#'
#' @param offers the table `offers.csv`
#' @return data.table: `level`, `where`, `message`
offer_notes <- function(offers) {
  if (nrow(offers) == 0) return(no_notes())
  cells <- unique(offers, by = c("experiment", "environment", "cell"))
  by <- c("experiment", "environment", "provider")
  all <- cells[, .(planned = .N, lacking = sum(offered == "no")), by = by][lacking > 0]
  lacking <- warnings_table(
    sprintf("%s/%s", all$experiment, all$environment),
    sprintf("%s does not offer %d of the %d cells planned; they are not timed", all$provider, all$lacking, all$planned)
  )
  bad <- cells[offered %in% c("wrong", "differs")]
  bad <- bad[, .(n = .N, cells = some_of(sort(cell, method = "radix")), first = why[order(cell)[1]]), by = by]
  disagreeing <- warnings_table(
    sprintf("%s/%s", bad$experiment, bad$environment), sprintf(
      "%s: %d cell%s not timed, because the result is wrong or not that of the other providers (%s): %s",
      bad$provider, bad$n, fifelse(bad$n == 1, "", "s"), bad$cells, bad$first
    )
  )
  rbind(disagreeing, lacking)
}
