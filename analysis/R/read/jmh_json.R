# JMH's own result files, and whether they tell the same as iterations.csv.

#' Times per operation of the one fork in a JMH result file.
#'
#' @param file written by JMH 1.x with `-rf json`
#' @return list: `benchmark` (full name), `ns_per_op` (one value per iteration)
#' @section Errors: refuses truncated files, several results or forks, unknown units, and values that are no numbers
#'   (JMH writes NaN as a string).
read_jmh_fork <- function(file) {
  bad <- function(what, expected) damaged(file, what, expected)
  results <- read_json_strictly(file, "restore the round, or remove it and run it again")
  if (length(results) != 1 || is.null(results[[1]]$primaryMetric)) {
    bad(sprintf("has %d results", length(results)), "one JMH result")
  }
  metric <- results[[1]]$primaryMetric
  if (length(metric$rawData) != 1) bad(sprintf("has %d forks", length(metric$rawData)), "one fork")
  values <- suppressWarnings(as.numeric(unlist(metric$rawData[[1]])))
  if (length(values) == 0 || !all(is.finite(values))) bad("holds a value that is no number", "one number per iteration")
  list(benchmark = results[[1]]$benchmark, ns_per_op = in_ns_per_op(values, metric$scoreUnit %||% "", bad))
}

in_ns_per_op <- function(values, unit, bad) {
  parts <- strsplit(unit, "/", fixed = TRUE)[[1]]
  if (length(parts) == 2 && parts[2] == "op" && parts[1] %in% names(time_units)) return(values * time_units[[parts[1]]])
  if (length(parts) == 2 && parts[1] == "ops" && parts[2] %in% names(time_units)) {
    return(time_units[[parts[2]]] / values)
  }
  bad(sprintf("is in '%s'", unit), "time per operation or operations per time")
}

#' Every fork's JMH result has its benchmark, its number of iterations and their times per operation (within 1e-6).
check_jmh <- function(folder, forks, iterations) {
  ordered <- iterations[order(fork, iteration)]
  by_fork <- split(ordered$duration_ns / ordered$operations, ordered$fork)
  for (row in seq_len(nrow(forks))) {
    file <- file.path(folder, sprintf("jmh/%03d.json", as.integer(forks$fork[row])))
    told <- read_jmh_fork(file)
    if (!endsWith(told$benchmark %||% "", forks$benchmark[row])) {
      damaged(file, paste("is of", told$benchmark), paste(forks$benchmark[row], "as cells.csv says"))
    }
    ours <- by_fork[[as.character(forks$fork[row])]]
    if (length(ours) != length(told$ns_per_op)) {
      damaged(
        file, sprintf("has %d iterations", length(told$ns_per_op)), sprintf("%d as in iterations.csv", length(ours))
      )
    }
    apart <- which(abs(told$ns_per_op - ours) > 1e-6 * abs(ours))
    if (length(apart) > 0) {
      damaged(
        file, sprintf("iteration %d took %.9g ns/op", apart[1], told$ns_per_op[apart[1]]),
        sprintf("%.9g as in iterations.csv", ours[apart[1]])
      )
    }
  }
}
