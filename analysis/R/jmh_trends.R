# Forks that warm up together: a trend over the iterations that all forks of a benchmark share. Their means agree, so an
# interval over forks is narrow, and says nothing of compiled code.

#' Level of the F test, and the change between the first and the last third of the iterations, that make a trend.
trend_level <- 0.001
trend_change <- 0.1

#' Parts into which more iterations are averaged: neighbouring iterations are no independent values.
trend_parts <- 9L

#' Add the trend that each fork shares with the others of its benchmark and setting.
#'
#' Forks of one file are tested together. A fork that is alone in its file is tested with those of other files.
#'
#' @param forks of `jmh_forks`, in the order of `read$values`; `read` of `read_jmh_directory`
#' @return `forks` with `shared_trend`: `warm-up`, `slowdown`, or empty
with_shared_trends <- function(forks, read) {
  setting <- setdiff(names(read$results), c(
    "file", "result", "entry", "unit", "forks_planned", "iterations_planned", "score", "jvm"
  ))
  results <- copy(read$results)[, setting := .GRP, by = setting]
  groups <- forks[, .(row = .I, file, result, n, first, lost, inverse, own)][own == TRUE & n > 1L]
  groups[results, setting := i.setting, on = c("file", "result")]
  groups[, place := if (.N > 1L) file else "", by = .(setting, file)]
  groups[, group := .GRP, by = .(setting, place)]
  groups[, `:=`(size = .N, even = all(n == n[1]) && sum(lost) == 0L), by = group]
  forks[, shared_trend := ""]
  groups <- groups[size > 1L][order(group)]
  if (nrow(groups) == 0) return(forks)
  for (part in split(groups[even == TRUE], by = c("n", "size"))) {
    values <- array(read$values[sequence(part$n, part$first)], c(part$n[1], part$size[1], uniqueN(part$group)))
    set_trends(forks, part, unique(part$group), shared_trends(values))
  }
  for (part in split(groups[even == FALSE], by = "group")) {
    values <- matrix(NA_real_, max(part$n), nrow(part))
    for (i in seq_len(nrow(part))) values[seq_len(part$n[i]), i] <- read$values[part$first[i] + seq_len(part$n[i]) - 1L]
    set_trends(forks, part, part$group[1], uneven_trend(values))
  }
  forks
}

#' Name the trends of groups: times that fall are warm-up, and so is a throughput that rises.
set_trends <- function(forks, part, groups, trends) {
  change <- trends$change[match(part$group, groups)] * fifelse(part$inverse, -1, 1)
  found <- trends$shared[match(part$group, groups)]
  set(forks, part$row[found], "shared_trend", fifelse(change[found] < 0, "warm-up", "slowdown"))
}

#' Whether forks share a trend, by two conditions. A repeated-measures F test of the iterations, on logs, rejects at
#' `trend_level`. The first and the last third of the iterations differ by more than `trend_change`.
#'
#' @param values array of positive numbers: iterations, forks (two or more), sets of forks
#' @return data.table, a row per set: `p` of the F test, `change` (log of last third over first third, mean over forks),
#'   `shared`
shared_trends <- function(values) {
  size <- dim(values)
  logs <- log(in_parts(matrix(values, size[1])))
  k <- nrow(logs)
  forks <- size[2]
  logs <- logs - rep(colMeans(logs), each = k)
  # Mean over forks of each iteration, a column per set.
  profile <- matrix(colMeans(aperm(array(logs, c(k, forks, size[3])), c(2, 1, 3))), k)
  between <- forks * colSums(profile^2)
  within <- pmax(colSums(matrix(logs^2, k * forks)) - between, 0)
  third <- max(k %/% 3L, 1L)
  change <- colMeans(profile[k + 1L - seq_len(third), , drop = FALSE]) -
    colMeans(profile[seq_len(third), , drop = FALSE])
  trend_rows(between, within, k - 1, (k - 1) * (forks - 1), change)
}

#' The same of one set whose forks have different numbers of iterations, or iterations without a number.
#'
#' @param values matrix, a column per fork; NA where an iteration is missing
uneven_trend <- function(values) {
  logs <- log(in_parts(values))
  known <- which(!is.na(logs), arr.ind = TRUE)
  dummies <- function(index) outer(index, unique(index), `==`) * 1
  fork <- dummies(known[, 2])
  y <- logs[!is.na(logs)]
  numbers <- sort(unique(known[, 1]))
  both <- cbind(fork, outer(known[, 1], numbers[-1], `==`) * 1)
  alone <- stats::.lm.fit(fork, y)
  fit <- stats::.lm.fit(both, y)
  within <- sum(fit$residuals^2)
  df <- c(fit$rank - alone$rank, length(y) - fit$rank)
  # Iterations are compared within forks; where that leaves one open, nothing is known.
  if (any(df < 1) || fit$rank < ncol(both)) return(trend_rows(0, 1, 1, 1, 0))
  effects <- c(0, fit$coefficients[ncol(fork) + seq_len(length(numbers) - 1L)])
  third <- max(length(effects) %/% 3L, 1L)
  change <- mean(utils::tail(effects, third)) - mean(utils::head(effects, third))
  trend_rows(sum(alone$residuals^2) - within, within, df[1], df[2], change)
}

trend_rows <- function(between, within, df_between, df_within, change) {
  # Forks that are the same to the last digit leave nothing within.
  f <- (between / df_between) / pmax(within / df_within, 1e-20)
  p <- stats::pf(f, df_between, df_within, lower.tail = FALSE)
  data.table(p = p, change = change, shared = p < trend_level & abs(change) > log1p(trend_change))
}

#' Means of `trend_parts` parts of the rows of a matrix, where it has more rows.
in_parts <- function(values) {
  n <- nrow(values)
  if (n <= trend_parts) return(values)
  part <- ceiling(seq_len(n) * trend_parts / n)
  sums <- rowsum(values, part, na.rm = TRUE)
  counts <- rowsum((!is.na(values)) * 1, part)
  unname(sums / counts)
}

#' Advice for a row whose forks share a trend.
trend_words <- function(trend) {
  c(
    "warm-up" = "warmed up together while they were measured: more warm-up iterations (-wi) are needed",
    slowdown = "became slower together while they were measured",
    identical = "all have the same mean (a coarse clock, or copies), so their spread is not known"
  )[trend]
}
