# What of the variance of log times lies between machines that measured the same cells: machine, round, fork, iteration.
#
# The levels are nested: a machine has rounds, a round a fork of each cell, a fork its iterations. Log fork means are
#   y = cell + machine + round + fork, machine and fork with values of their own for each cell, round for all its cells.
# Components are those of an analysis of variance, as Kalibera and Jones have them: the variance S^2 of the means at a
# level, less what the levels below add to it. A cell's variance between machines is of its machines' means (k - 1
# degrees of freedom), less their squared standard errors; a round's is the covariance of the residuals of different
# cells in it, each divided by what it would be expected to be at a variance of 1 (residuals are from a cell's own
# mean); a fork's is what is left within machines after rounds and iterations. They are means over the cells, each
# machine counted once; below 0 they are 0.
#
# The machine's share has an interval for machines like these, from chi-square of k - 1 degrees of freedom, what lies
# within machines taken as known, and as if all cells of a machine were fast or slow together: too wide where they are
# not. The other shares have none: with few machines theirs is that of the machine's, turned over.

nested_levels <- c("machine", "round", "fork", "iteration")

#' Shares of the variance of log time between machines, and within them.
#'
#' @param forks data.table of one protocol: `unit` (the cell, the same on each machine), `machine`, `round`, `mean`
#'   (time per operation), `sd` (within the fork), `iterations`
#' @return data.table by level: `component`, `variance`, `share`, `lower`, `upper` (of the machine's share), `levels`:
#'   how many machines; or NULL where no cell was measured on two
machine_shares <- function(forks, confidence = 0.95) {
  forks <- forks[, if (uniqueN(machine) > 1) .SD, by = unit]
  if (nrow(forks) == 0) return(NULL)
  forks <- copy(forks)[, y := log(mean)]
  cells <- forks[, .(mean = mean(y), s2 = stats::var(y), n = .N, w2 = mean((sd / mean)^2, na.rm = TRUE),
                     per_fork = mean(iterations)), by = .(unit, machine)]
  # A single fork has no variance of its own, and a single iteration neither.
  cells[is.na(s2), s2 := fcoalesce(mean(cells$s2, na.rm = TRUE), 0)]
  cells[is.na(w2), w2 := 0]
  each <- cells[, .(between = stats::var(mean), noise = mean(s2 / n)), by = unit]
  between <- mean(each$between)
  noise <- mean(each$noise)
  machines <- uniqueN(forks$machine)
  rounds <- round_variance(forks)
  iteration <- mean(cells$w2)
  within <- mean(cells$s2 - cells$w2 / cells$per_fork)
  found <- c(machine = between - noise, round = rounds, fork = within - max(rounds, 0), iteration = iteration)
  kept <- pmax(found, 0)
  rest <- sum(kept[-1])
  quantiles <- stats::qchisq(c(1 + confidence, 1 - confidence) / 2, machines - 1)
  ends <- pmax(between * (machines - 1) / quantiles - noise, 0)
  none <- rep(NA_real_, 3)
  data.table(
    component = nested_levels, variance = unname(found), share = unname(kept / sum(kept)),
    lower = c(ends[1] / (ends[1] + rest), none), upper = c(ends[2] / (ends[2] + rest), none), levels = machines
  )
}

#' The variance of what all cells of a round have in common; 0 where no round has two cells.
round_variance <- function(forks) {
  sums <- rbindlist(lapply(split(forks, by = "machine"), function(here) {
    rounds <- unique(here$round)
    units <- unique(here$unit)
    at <- cbind(match(here$unit, units), match(here$round, rounds))
    count <- residual <- matrix(0, length(units), length(rounds))
    # A cell that a round has twice, after a fork was run again, is there once: what a round shares, both have.
    once <- !duplicated(at)
    at <- at[once, , drop = FALSE]
    here <- here[once]
    count[at] <- 1
    residual[at] <- here$y - stats::ave(here$y, here$unit)
    n <- rowSums(count)
    both <- tcrossprod(count)
    expected <- both * (1 - outer(1 / n, 1 / n, "+")) + both^2 / outer(n, n)
    data.table(found = sum(colSums(residual)^2) - sum(residual^2), expected = sum(expected) - sum(diag(expected)))
  }))
  if (sum(sums$expected) <= 0) 0 else sum(sums$found) / sum(sums$expected)
}

# Several machines: one more level of replication, above rounds.

#' Machines from which on there is an interval over them.
least_machines <- 3L

#' Student's interval over machines, and the prediction interval for one more machine like these.
#'
#' What each machine gives by its own rounds is one value, however many rounds it had: machines differ, and no number of
#' rounds tells by how much. With k of them the interval is mean -+ t s / sqrt(k), that for one more mean -+ t s
#' sqrt(1 + 1/k), t of k - 1 degrees of freedom (Hahn and Meeker 1991, sections 2.2 and 2.4).
#'
#' @param values one a machine: log ratios, or differences
#' @return list: `machines`, `mean`, `se`, `df`, `spread` (standard deviation), `lower`, `upper`, `predicted_lower`,
#'   `predicted_upper`, on the scale of the values; but for the first two NA below `least_machines`
over_machines <- function(values, confidence = 0.95) {
  k <- length(values)
  enough <- k >= least_machines
  spread <- if (enough) stats::sd(values) else NA_real_
  t <- if (enough) stats::qt((1 + confidence) / 2, k - 1) else NA_real_
  half <- c(interval = 1 / sqrt(k), prediction = sqrt(1 + 1 / k)) * t * spread
  list(
    machines = k, mean = mean(values), se = spread / sqrt(k), df = if (enough) k - 1 else NA_real_, spread = spread,
    lower = mean(values) - half[["interval"]], upper = mean(values) + half[["interval"]],
    predicted_lower = mean(values) - half[["prediction"]], predicted_upper = mean(values) + half[["prediction"]]
  )
}
