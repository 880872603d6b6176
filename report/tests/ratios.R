# Ratios of made-up cells as the analysis estimates them, for a test of the explorer's own: JSON on standard output, a
# list of cases, each with the forks of both sides (`value`, `stage`, `block`) and R's ratio, interval and method; and
# Student's quantiles. Run in the repository's root.
source("analysis/rooms.R", chdir = TRUE)
estimate <- room("estimate")$inside
library(data.table)

set.seed(20140816)
sizes <- list(c(5, 5, 0), c(2, 9, 0), c(8, 8, 0), c(12, 10, 0), c(10, 10, 6), c(5, 5, 4), c(3, 2, 0), c(1, 4, 0))
cases <- lapply(sizes, function(size) {
  side <- function(cell, n, extra) {
    number <- seq_len(n + extra)
    data.table(
      experiment = "e", environment = "v", image_id = "i", machine_id = "m", protocol = "modern", cell = cell,
      measure = "wall", round = sprintf("r%02d", number), number = number, stage = ifelse(number <= n, 1L, 2L),
      mean_ns = 1e5 * exp(stats::rnorm(n + extra, 0, 0.08))
    )
  }
  forks <- rbind(side("one", size[1], size[3]), side("two", size[2], 0))
  pair <- data.table(
    experiment = "e", machine_id = "m", protocol = "modern", measure = "wall", numerator_environment = "v",
    numerator_image_id = "i", numerator_cell = "one", denominator_environment = "v", denominator_image_id = "i",
    denominator_cell = "two", target_lower = 0, target_upper = Inf
  )
  found <- estimate$estimate_pairs(pair, copy(forks), lone = TRUE)
  values <- function(id) forks[cell == id, .(value = mean_ns, stage, block = round)]
  list(one = values("one"), two = values("two"), wanted = as.list(found[, .(ratio, lower, upper, method)]))
})
df <- c(1, 1.5, 2.7, 4, 9.3, 30, 250)
cat(jsonlite::toJSON(
  list(cases = cases, quantiles = data.table(df = df, t = stats::qt(0.975, df))),
  digits = NA, auto_unbox = TRUE, na = "null"
))
