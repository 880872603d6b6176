# Whether a JMH file's raw data agree with the rest of it: files are truncated, merged and edited by hand.

#' Check the raw data of a file's results. Refuses what JMH can't have written.
#'
#' @param file for errors; `results` of `jmh_results`; `forks` its forks with `result`, `fork`, `n`, `mean`, `samples`,
#'   `first` (place of the first of its values); `values` all of them
check_raw_data <- function(file, results, forks, values) {
  bad <- function(row, what, expected) {
    not_jmh(file, sprintf("result %d (%s) %s", row$result[1], row$benchmark[1], what), expected)
  }
  if (nrow(forks) == 0) not_jmh(file, "has no forks", "raw data of one or more forks")
  rows <- results[forks, on = "result"]
  short <- rows[!is.na(iterations_planned) & n != iterations_planned]
  if (nrow(short) > 0) {
    bad(
      short, sprintf("has %d iterations in fork %d", short$n[1], short$fork[1]),
      sprintf("%g, its measurementIterations", short$iterations_planned[1])
    )
  }
  empty <- rows[n == 0]
  if (nrow(empty) > 0) bad(empty, sprintf("has no iteration in fork %d", empty$fork[1]), "one or more")
  counts <- rows[, .(found = .N, benchmark = benchmark[1], planned = pmax(forks_planned[1], 1)), by = result]
  missing <- results[!result %in% counts$result]
  if (nrow(missing) > 0) bad(missing, "has no fork", "raw data of one or more forks")
  many <- counts[!is.na(planned) & found > planned]
  if (nrow(many) > 0) bad(
    many, sprintf("has %d forks", many$found[1]), sprintf("%g, as it says itself", many$planned[1])
  )
  wrong <- which(values <= 0 | is.infinite(values))
  if (length(wrong) > 0) {
    row <- rows[findInterval(wrong[1], first)]
    bad(
      row, sprintf("has %g in fork %d, iteration %d", values[wrong[1]], row$fork, wrong[1] - row$first + 1L),
      "more than 0"
    )
  }
  check_scores(rows, values, bad)
}

#' The score that JMH wrote is the mean of the raw data. In sample mode it is the mean of all samples, which the first
#' versions of JMH don't keep.
check_scores <- function(rows, values, bad) {
  sums <- fork_sums(rows, values)
  found <- rows[, .(
    score = if (mode[1] == "sample" && is.na(samples[1])) NaN else score[1], benchmark = benchmark[1],
    mean = if (is.na(samples[1])) sum(sums[.I]) / sum(n) else sum(mean * samples) / sum(samples)
  ), by = result]
  found <- found[is.finite(score) & is.finite(mean)]
  # Tools round scores when they rewrite files: half a unit of the last digit is within what is written.
  found[, allowed := pmin(0.5 * last_digit(score), 0.005 * abs(mean)) + 1e-6 * abs(mean)]
  off <- found[abs(score - mean) > allowed]
  if (nrow(off) > 0) {
    bad(
      off, sprintf("has score %s", format(off$score[1], digits = 15)),
      sprintf("%s, the mean of its raw data", format(off$mean[1], digits = 9))
    )
  }
}

#' Sum of every fork's values.
fork_sums <- function(forks, values) {
  n <- forks$n
  if (all(n == n[1])) return(colSums(matrix(values, n[1])))
  as.numeric(rowsum(values, rep(seq_along(n), n), reorder = FALSE))
}

#' One unit of the last digit of a number as it is written, up to 15 digits.
last_digit <- function(x) {
  text <- vapply(x, format, "", digits = 15)
  exponent <- fifelse(grepl("e", text), suppressWarnings(as.numeric(sub("^.*e", "", text))), 0)
  decimals <- nchar(sub("^[^.]*\\.?", "", sub("e.*$", "", text)))
  10^(exponent - decimals)
}
