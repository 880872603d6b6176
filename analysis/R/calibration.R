# Checks on pairs whose true ratio is known: A/A pairs, an injected slowdown, and the halves of real cells. An A/A pair
# is the same work measured as two cells. None of this enters the verdicts or their correction for multiplicity.

calibration_columns <- columns_of("calibration.csv")

#' Every pair whose true ratio is known.
#'
#' @param calibration the calibration's definition; NULL where a run has none. Each of its workloads has one factor,
#'   whose levels differ in `bytes` at most
#'
#' @return the table `calibration.csv` of the dictionary
calibration_table <- function(forks, calibration, confidence = 0.95) {
  halves <- half_pairs(forks[!experiment %in% calibration$id], confidence)
  rows <- rbind(planted_pairs(forks, calibration, confidence), halves, use.names = TRUE)
  rows[, `:=`(
    calibration_id = sprintf("k%d", .I), different = lower > 1 | upper < 1,
    covers_truth = lower <= truth & truth <= upper
  )]
  rows[, upper_share := NA_real_]
  rows[, upper_share := upper_share(sum(different %in% TRUE), .N), by = kind]
  rows[, calibration_columns, with = FALSE]
}

#' A/A pairs and injected slowdowns: each level of a factor compared with its first level. The true ratio is the ratio
#' of their bytes, since a digest's work is proportional to them.
planted_pairs <- function(forks, calibration, confidence) {
  cells <- unique(forks[experiment %in% calibration$id, cell_columns(forks), with = FALSE])
  parts <- lapply(names(calibration$factors), function(factor) {
    column <- paste0("factor.", factor)
    sizes <- vapply(calibration$factors[[factor]], function(level) as.numeric(level$bytes), 0)
    if (!column %in% names(cells)) return(NULL)
    here <- cells[!is.na(cells[[column]]) & nzchar(cells[[column]])]
    here[, `:=`(level = here[[column]], bytes = sizes[here[[column]]])]
    by <- c("experiment", place_columns, "workload", "provider")
    keep <- c(by, "cell", "bytes")
    first <- here$level == names(sizes)[1]
    merge(
      here[!first, keep, with = FALSE], here[first, keep, with = FALSE], by = by, suffixes = c(".one", ".two"),
      sort = FALSE
    )
  })
  pairs <- rbindlist(parts)
  if (nrow(pairs) == 0) return(NULL)
  pairs[, `:=`(truth = bytes.one / bytes.two, measure = calibration$measure, target_lower = 1, target_upper = 1)]
  pairs[, `:=`(numerator_cell = cell.one, denominator_cell = cell.two)]
  for (which in c("numerator", "denominator")) {
    set(pairs, j = paste0(which, c("_environment", "_image_id")), value = pairs[, .(environment, image_id)])
  }
  # No stage is planned from these forks, so they are analysed once, however often claims are looked at.
  found <- estimate_pairs(pairs, forks_by_measure(forks)[, `:=`(looks = 1L, stage = 1L)], confidence)
  setorderv(found, c(place_columns, "workload", "provider", "numerator_cell"))
  found[, kind := fifelse(truth == 1, "A/A", "injected slowdown")]
  found[, setdiff(calibration_columns, c("calibration_id", "different", "covers_truth", "upper_share")), with = FALSE]
}

#' The halves of real cells with 10 forks or more, as pairs.
half_pairs <- function(forks, confidence) {
  pairs <- real_pair_ratios(forks, confidence)[is.finite(lower) & is.finite(upper)]
  about <- unique(forks[, c("experiment", place_columns, "cell", "workload", "provider"), with = FALSE])
  pairs <- about[pairs, on = c("experiment", place_columns[1:4], "cell"), mult = "first"]
  pairs[, .(
    kind = "halves of a cell", experiment, environment, image_id, machine_id, protocol, cpu_profile, workload, provider,
    numerator_cell = cell, denominator_cell = cell, forks_min, ratio, lower, upper, method = "Welch", truth = 1
  )]
}

# A/A pairs of a real run: every cell with enough forks, split into two.

#' Ratios of the halves of cells.
#'
#' The forks of a cell are assigned alternately to two halves, in the order of their rounds. The 95 % interval of their
#' ratio should exclude 1 in one case of twenty. Only forks of the first stage count, since the number in the second
#' depends on the first stage's results. Cells with fewer than 10 are left out.
#'
#' @return data.table: `cell_id`, `forks_min` (of a half), the estimates of `welch_ratio`. There is no interval if a
#'   half has a mean of 0.
real_pair_ratios <- function(forks, confidence = 0.95) {
  long <- forks_by_measure(forks)[measure == "wall" & stage == 1L]
  long[, count := .N, by = cell_id]
  halves <- long[count >= 2L * verdict_forks]
  setorderv(halves, c(cell_id, "number", "fork"))
  halves[, half := c("one", "two")[(seq_len(.N) - 1L) %% 2L + 1L], by = cell_id]
  means <- halves[, .(n = .N, mean = mean(log(mean_ns)), var = stats::var(log(mean_ns))), by = c(cell_id, "half")]
  pairs <- merge(means[half == "one"], means[half == "two"], by = cell_id, suffixes = c(".one", ".two"))
  ratios <- welch_ratio(
    pairs$mean.one, pairs$var.one, pairs$n.one, pairs$mean.two, pairs$var.two, pairs$n.two, confidence
  )
  cbind(pairs[, c(cell_id), with = FALSE], forks_min = pmin(pairs$n.one, pairs$n.two), ratios)
}

#' How often the halves of cells are found different.
#'
#' @return list: `pairs` with an interval, `different` (how many), `upper` (`upper_share` of it)
real_pairs <- function(forks) {
  ratios <- real_pair_ratios(forks)
  known <- is.finite(ratios$lower) & is.finite(ratios$upper)
  different <- sum((ratios$lower > 1 | ratios$upper < 1)[known])
  list(pairs = sum(known), different = different, upper = upper_share(different, sum(known)))
}

#' Upper bound of a share, one-sided 95 % (Clopper and Pearson 1934).
upper_share <- function(hits, runs) {
  if (runs == 0 || hits == runs) 1 else stats::qbeta(0.95, hits + 1, runs - hits)
}

# The row of the validity table that comes from a real run.

#' The name of the row of real pairs in the validity table.
real_pairs_property <- "real A/A pairs found different: upper bound"

#' The row of the validity table. With 200 pairs or more, the share's upper bound must be at most 8 %. With fewer pairs
#' the row is only shown.
real_pairs_row <- function(forks) {
  found <- real_pairs(forks)
  row <- validity_row(
    real_pairs_property, sprintf(
      "%d of %d pairs", found$different, found$pairs
    ), found$upper, 1, most = 8
  )
  row[, simulations := NA_integer_]
  if (found$pairs < 200) row[, `:=`(bar = "shown (fewer than 200 pairs)", met = NA)]
  row[]
}

#' The row of real pairs from an existing validity table. It is needed when only the simulations are run again, without
#' a run to make the row from.
#'
#' @param file the table, which may be missing
#' @return the row, or NULL
earlier_real_pairs_row <- function(file) {
  if (!file.exists(file)) return(NULL)
  columns <- c("property", "setting", "bar", "measured_pct", "simulations", "met")
  row <- read_table(file, columns)[property == real_pairs_property, columns, with = FALSE]
  if (nrow(row) > 0) row
}
