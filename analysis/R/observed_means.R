# What was observed besides time, over forks: the means that figures draw.

observed_mean_columns <- c(
  "observed_id", "measure", "forks", "mean", "lower", "upper", "geometric_mean", "geometric_lower", "geometric_upper"
)

#' Mean of every observed measure of every cell.
#'
#' @param forks the table `forks.csv`, of forks that count; `observed` the table `observed.csv`
#' @return the table `observed_means.csv` of the dictionary, in the order of its keys. Where a value is not above 0
#'   there is no geometric mean
observed_means <- function(forks, observed, confidence = 0.95) {
  long <- with_observed(forks_by_measure(forks), observed)[!measure %in% measures]
  keys <- cell_columns(forks)
  means <- long[, {
    plain <- staged_mean(mean_ns, stage, confidence, looks[1])
    logs <- staged_mean(if (all(mean_ns > 0)) log(mean_ns) else rep(NA_real_, .N), stage, confidence, looks[1])
    c(list(forks = .N), plain, stats::setNames(lapply(logs, exp), paste0("geometric_", names(logs))))
  }, by = c(keys, "measure")]
  if (nrow(means) == 0) means[, setdiff(observed_mean_columns, names(means)) := numeric()]
  setorderv(means, c("experiment", "environment", "image_id", "machine_id", "cell", "measure"))
  means[, observed_id := sprintf("o%d", .I)]
  means[, c(keys, observed_mean_columns), with = FALSE]
}
