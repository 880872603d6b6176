# Whether a JMH file's raw data agree with the rest of it: files are truncated, merged and edited by hand.

#' Check the raw data of a file's results: what JMH can't have written is left out.
#'
#' @param results of `jmh_results`, only the results' own scores; `forks` with `result`, `fork`, `n`, `mean`, `samples`,
#'   `first` (place of the first of its values); `values` all of them
#' @return findings (see `finding`) with `result`, and `fork` where a single one is meant
check_raw_data <- function(results, forks, values) {
  rows <- results[forks, on = "result"]
  counts <- rows[, .(found = .N), by = result][results, on = "result"]
  counts[is.na(found), found := 0L]
  wrong <- which(values <= 0 | is.infinite(values))
  wrong <- data.table(at = wrong, row = findInterval(wrong, rows$first))[!duplicated(rows$result[row])]
  whole <- list(
    told(counts[found == 0], "has no fork", "raw data of one or more forks"),
    told(
      counts[found > pmax(forks_planned, 1)], function(row) sprintf("has %d forks", row$found),
      function(row) sprintf("%g, as it says itself", pmax(row$forks_planned, 1))
    ),
    told(
      rows[n > iterations_planned][!duplicated(result)],
      function(row) sprintf("has %d iterations in fork %d", row$n, row$fork),
      function(row) sprintf("%g, its measurementIterations", row$iterations_planned)
    ),
    told(
      rows[wrong$row],
      function(row) sprintf("has %g in fork %d, iteration %d", values[wrong$at], row$fork, wrong$at - row$first + 1L),
      "more than 0"
    ),
    wrong_scores(rows, values)
  )
  whole <- rbindlist(whole)
  whole <- whole[!duplicated(result)]
  others <- rows[!result %in% whole$result]
  rbindlist(list(
    whole, told(
      others[n == 0], function(row) sprintf("has no iteration in fork %d", row$fork), "one or more", "fork"
    ),
    told(
      others[n > 0 & n < iterations_planned],
      function(row) sprintf("has %d iterations in fork %d", row$n, row$fork),
      function(row) sprintf("%g, its measurementIterations", row$iterations_planned), "nothing"
    )
  ))
}

#' Findings of rows of results; `what` and `expected` are texts or functions of these rows.
told <- function(rows, what = "", expected = "", left = "result") {
  words <- function(text) if (is.function(text)) text(rows) else rep(text, nrow(rows))
  if (nrow(rows) == 0) return(cbind(no_findings, data.table(result = integer(), fork = integer())))
  data.table(
    file = "", entry = as.integer(rows$entry), benchmark = rows$benchmark, left_out = left,
    what = sprintf("result %d (%s) %s", as.integer(rows$entry), rows$benchmark, words(what)),
    expected = words(expected),
    result = as.integer(rows$result), fork = if (left == "fork") as.integer(rows$fork) else NA_integer_
  )
}

#' The score that JMH wrote is the mean of the raw data. In sample mode it is the mean of all samples, which the first
#' versions of JMH don't keep.
wrong_scores <- function(rows, values) {
  if (nrow(rows) == 0) return(told(rows))
  sums <- fork_sums(rows, values)
  found <- rows[, .(
    score = if (mode[1] == "sample" && is.na(samples[1])) NaN else score[1], benchmark = benchmark[1],
    entry = entry[1], mean = if (is.na(samples[1])) sum(sums[.I]) / sum(n) else sum(mean * samples) / sum(samples)
  ), by = result]
  found <- found[is.finite(score) & is.finite(mean)]
  # Tools round scores when they rewrite files: half a unit of the last digit is within what is written.
  found[, allowed := pmin(0.5 * last_digit(score), 0.005 * abs(mean)) + 1e-6 * abs(mean)]
  told(
    found[abs(score - mean) > allowed],
    function(row) sprintf("has score %s", vapply(row$score, format, "", digits = 15)),
    function(row) sprintf("%s, the mean of its raw data", vapply(row$mean, format, "", digits = 9))
  )
}

#' Sum of every fork's values.
fork_sums <- function(forks, values) {
  n <- forks$n
  if (length(values) == 0) return(numeric(length(n)))
  if (all(n == n[1])) return(colSums(matrix(values, n[1])))
  sums <- numeric(length(n))
  sums[n > 0] <- as.numeric(rowsum(values, rep(seq_along(n), n), reorder = FALSE))
  sums
}

#' One unit of the last digit of a number as it is written, up to 15 digits.
last_digit <- function(x) {
  text <- vapply(x, format, "", digits = 15)
  exponent <- fifelse(grepl("e", text), suppressWarnings(as.numeric(sub("^.*e", "", text))), 0)
  decimals <- nchar(sub("^[^.]*\\.?", "", sub("e.*$", "", text)))
  10^(exponent - decimals)
}
