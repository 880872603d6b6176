# Stages of measurement combined by weights that were fixed beforehand (inverse normal method; Bauer and Koehne 1994,
# Lehmacher and Wassmer 1999). How many forks a stage gets, and whether there is one, may depend on everything seen so
# far: each stage's own test, of its own forks alone, is a uniform p value whatever its size.
# Matrices: a row for each case, a column for each stage.

#' Normal quantiles of stages' one-sided t tests that a log ratio is above a limit.
#'
#' @param log_ratio,se_log,df of each stage alone; `limit` on the log scale, one for each case
#' @return matrix of z; positive where the stage says above
stage_z <- function(log_ratio, se_log, df, limit = 0) {
  t <- (log_ratio - limit) / se_log
  # By the nearer tail, whose small p values keep their digits.
  tail <- stats::pt(-abs(t), df, log.p = TRUE)
  sign(t) * stats::qnorm(tail, lower.tail = FALSE, log.p = TRUE)
}

#' Z = (z_1 + ... + z_k) / sqrt(k) after k stages of equal weight.
combined_z <- function(z) rowSums(z) / sqrt(ncol(z))

#' The repeated confidence interval (Jennison and Turnbull 1989): every limit that the combined Z does not refuse.
#'
#' @inheritParams stage_z
#' @param critical Pocock's constant for all looks that are planned
#' @return data.table on the log scale: `middle`, the limit at which Z is 0; `lower`, `upper`
combined_interval <- function(log_ratio, se_log, df, critical) {
  at <- function(value) combined_limit(as.matrix(log_ratio), as.matrix(se_log), as.matrix(df), value)
  data.table(middle = at(0), lower = at(critical), upper = at(-critical))
}

#' The limit at which the combined Z has a value: between those at which each stage's own z is its part of it, by
#' halving, since Z falls as the limit rises.
combined_limit <- function(log_ratio, se_log, df, value) {
  part <- value / sqrt(ncol(log_ratio))
  own <- log_ratio - se_log * stats::qt(stats::pnorm(part), df)
  low <- apply(own, 1, min)
  high <- apply(own, 1, max)
  for (step in seq_len(45)) {
    middle <- (low + high) / 2
    above <- combined_z(stage_z(log_ratio, se_log, df, middle)) > value
    low <- fifelse(above, middle, low)
    high <- fifelse(above, high, middle)
  }
  (low + high) / 2
}

#' The part by which times must have moved between stages for it to matter: half of what is too close to call.
drift_that_matters <- 0.01

#' Whether a machine, or its JVM, moved between two stages: Student's t over cells of their log times' change, each cell
#' against itself.
#'
#' @param change matrix, a row for each run, a column for each cell: mean log time in the later stage less that in the
#'   first
#' @return data.table: `drift`, as a factor of time, with its interval `lower` to `upper`; `p`, two-sided; `marked`,
#'   whether it differs from none at `level` and by more than `drift_that_matters`
stage_drift <- function(change, level = 0.05, confidence = 1 - level) {
  cells <- ncol(change)
  mean <- rowMeans(change)
  se <- sqrt(rowSums((change - mean)^2) / (cells - 1) / cells)
  p <- 2 * upper_tail(abs(mean) / se, cells - 1)
  half <- se * stats::qt((1 + confidence) / 2, cells - 1)
  data.table(
    drift = exp(mean), lower = exp(mean - half), upper = exp(mean + half), p = p,
    marked = p <= level & abs(mean) > log1p(drift_that_matters)
  )
}
