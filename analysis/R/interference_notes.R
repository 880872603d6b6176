# What the reader must know about forks that were disturbed.

#' How many forks the gates made invalid, by cause, how many were run again, and how many results a round lost for good.
#'
#' @param forks the table `forks.csv`, invalid forks too
#' @return data.table: `level`, `where`, `message`
interference_notes <- function(forks) {
  attempts <- forks[, .(alive = any(valid)), by = .(experiment, environment, image_id, round, cell)]
  lost <- attempts[, .(lost = sum(!alive)), by = .(experiment, environment)]
  counts <- forks[, .(
    first = sum(is.na(rerun_of)), invalid = sum(!valid & is.na(rerun_of)), again = sum(!is.na(rerun_of)),
    causes = invalid_cause_words(invalid_cause[!valid & is.na(rerun_of)])
  ), by = .(experiment, environment)]
  found <- lost[counts, on = c("experiment", "environment")][invalid > 0]
  text <- sprintf(
    paste(
      "%d of %d forks were disturbed (%s) and are left out;",
      "%d were run again, and %d have no undisturbed fork in their round"
    ), found$invalid, found$first, found$causes, found$again, found$lost
  )
  warnings_table(sprintf("%s/%s", found$experiment, found$environment), text)
}

#' `steal_share 3, spin_ratio 1`, the commonest first; a fork with two causes counts for both.
invalid_cause_words <- function(causes) {
  single <- unlist(strsplit(causes, ";", fixed = TRUE))
  if (length(single) == 0) return("")
  counts <- data.table(cause = single)[, .N, by = cause][order(-N, cause)]
  paste(counts$cause, counts$N, collapse = ", ")
}
