# One row per fork of JMH's results: mean, spread, and how it started.

#' Iterations that a fork must have before its start can be classed.
classed_iterations <- 10L

#' Estimate every fork.
#'
#' @param read of `read_jmh_directory`
#' @param steady whether forks are classed too; `cores` to use
#' @return data.table: the columns of the results (benchmark, settings), `fork`, `iterations` (with a number), `lost`
#'   (without one), `mean`, `sd` (between its iterations), and `steady`: a class of `classify_steady_many`, `too few
#'   iterations`, or `not sought` of what isn't the benchmark's own score. The mean is over all iterations that JMH
#'   measured, so that it agrees with JMH's score.
jmh_forks <- function(read, steady = TRUE, cores = usable_cores()) {
  compiling <- compiler::enableJIT(0L)
  on.exit(compiler::enableJIT(compiling))
  forks <- copy(read$forks)
  forks[read$results, `:=`(inverse = i.mode == "thrpt", own = i.metric == ""), on = c("file", "result")]
  without <- is.nan(read$values)
  forks[, lost := 0L]
  if (any(without)) forks[, lost := as.integer(fork_sums(forks, as.integer(without)))]
  # Forks of the same length are worked on together, some at a time.
  size <- min(ceiling(nrow(forks) / cores), 10000L)
  chunks <- forks[, .(row = .I, n, lost, inverse, own)][n > 0L]
  chunks[, chunk := paste(.GRP, (seq_len(.N) - 1L) %/% size), by = .(n, lost > 0L, inverse, own)]
  chunks <- split(chunks$row, factor(chunks$chunk, unique(chunks$chunk)))
  parts <- in_parallel(unname(chunks), function(rows) {
    chunk_forks(forks[rows], read$values, steady && forks$own[rows[1]])
  }, cores)
  parts <- rbindlist(parts)
  forks[, `:=`(average = NA_real_, sd = NA_real_, steady = NA_character_)]
  forks[unlist(chunks), `:=`(
    iterations = parts$iterations, average = parts$average, sd = parts$sd, steady = parts$steady
  )]
  if (steady) forks[own == FALSE, steady := "not sought"]
  # Where the values are means of samples, those with more samples count more.
  forks[, mean := fcoalesce(mean, average)]
  forks <- read$results[, setdiff(names(read$results), c("score", "entry", "jvm")), with = FALSE][
    forks[, .(file, result, fork, iterations, lost, mean, sd, steady)], on = c("file", "result")
  ]
  forks[]
}

#' Estimates of forks of the same length, all with or all without lost iterations.
chunk_forks <- function(forks, values, steady) {
  n <- forks$n[1]
  rows <- matrix(values[rep(forks$first, each = n) + (seq_len(n) - 1L)], n)
  if (forks$lost[1] > 0L) {
    return(rbindlist(lapply(seq_len(ncol(rows)), function(fork) {
      kept <- rows[!is.nan(rows[, fork]), fork]
      column_estimates(matrix(kept, ncol = 1L), steady, forks$inverse[1])
    })))
  }
  column_estimates(rows, steady, forks$inverse[1])
}

column_estimates <- function(rows, steady, inverse) {
  n <- nrow(rows)
  average <- colMeans(rows)
  sd <- sqrt(colSums((rows - rep(average, each = n))^2) / (n - 1))
  if (n < 2L) sd <- rep(NA_real_, ncol(rows))
  class <- if (!steady) NA_character_ else if (n < classed_iterations) "too few iterations" else
    classify_steady_many(if (inverse) 1 / rows else rows)$steady
  data.table(iterations = n, average = fifelse(is.finite(average), average, NA_real_), sd = sd, steady = class)
}
