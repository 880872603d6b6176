# Ratios of made-up cells as the analysis estimates them, for a test of the explorer's own: JSON on standard output, a
# list of cases, each with the forks of both sides (`value`, `stage`, `looks`, `block`) and R's ratio, interval and
# method; and Student's quantiles. Run in the repository's root.
pkgload::load_all("analysis", helpers = FALSE, attach_testthat = FALSE, quiet = TRUE)
library(data.table)

set.seed(20140816)
# Forks of both sides by stage, and how often the plan looks.
sizes <- list(
  list(5, 5), list(2, 9), list(8, 8), list(12, 10), list(c(10, 6), 10), list(c(5, 4), 5), list(3, 2), list(1, 4),
  list(5, 5, looks = 4), list(c(5, 4), c(5, 4), looks = 4), list(c(9, 12, 3), c(9, 12, 3), looks = 4),
  list(c(10, 2, 4), c(8, 3, 5), looks = 3), list(c(5, 6), 5, looks = 2), list(c(2, 2), c(2, 5), looks = 4),
  list(1, 4, looks = 4)
)
cases <- lapply(sizes, function(size) {
  looks <- as.integer(if (is.null(size$looks)) 1L else size$looks)
  side <- function(cell, n) {
    number <- seq_len(sum(n))
    data.table(
      experiment = "e", environment = "v", image_id = "i", machine_id = "m", protocol = "modern", cell = cell,
      measure = "wall", round = sprintf("r%02d", number), number = number, stage = rep(seq_along(n), n), looks = looks,
      mean_ns = 1e5 * exp(stats::rnorm(sum(n), 0, 0.08))
    )
  }
  forks <- rbind(side("one", size[[1]]), side("two", size[[2]]))
  pair <- data.table(
    experiment = "e", machine_id = "m", protocol = "modern", measure = "wall", numerator_environment = "v",
    numerator_image_id = "i", numerator_cell = "one", denominator_environment = "v", denominator_image_id = "i",
    denominator_cell = "two", target_lower = 0, target_upper = Inf
  )
  found <- estimate_pairs(pair, copy(forks), lone = TRUE)
  values <- function(id) forks[cell == id, .(value = mean_ns, stage, looks, block = round)]
  list(one = values("one"), two = values("two"), wanted = as.list(found[, .(ratio, lower, upper, method)]))
})
df <- c(1, 1.5, 2.7, 4, 9.3, 30, 250)
cat(jsonlite::toJSON(
  list(cases = cases, quantiles = data.table(df = df, t = stats::qt(0.975, df))),
  digits = NA, auto_unbox = TRUE, na = "null"
))
