# Checks on pairs whose true ratio is known: A/A pairs, an injected slowdown, and the halves of real cells. An A/A pair
# is the same work measured as two cells. None of this enters the verdicts or their correction for multiplicity.

calibration_columns <- columns_of("calibration.csv")

#' Every pair whose true ratio is known.
#'
#' @param forks the table `forks.csv`, as the verdicts use it
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
