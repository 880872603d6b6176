# When a cell's times have settled: after a changepoint they may still fall for long, too slowly for another one.
# A window of iterations has settled where it shows no drift against those after it, which stage two would leave out.

#' Part of the wanted half-width by which a settled window may be off the iterations after it.
drift_part <- 0.1

#' Level of the paired t test between a window and what follows. Without it every window of noisy times would be put
#' off; it is high because a window put off for nothing costs an iteration, one that drifts makes a mean wrong.
drift_level <- 0.2

#' The shortest warm-up from `warm` on after which `measured` iterations have settled.
#'
#' Drift is the mean over forks of the log times over a window less those over what follows in the fork. It counts where
#' it is more than `drift_part` of the wanted half-width and differs from 0 by a t test.
#'
#' @param timed iterations of the forks, those of a fork in order, at least `size` of each; those up to `size` are
#'   looked at
#' @param wanted half-width, relative
#' @return iterations; `size` - `measured`, the forks' end, where no earlier window has settled
settled_warmup <- function(timed, warm, measured, size, wanted) {
  logs <- matrix(log(timed$duration_ns / timed$operations)[timed$iteration <= size], size)
  over <- function(from, to) colMeans(logs[from:to, , drop = FALSE])
  while (warm + measured < size) {
    end <- warm + measured
    if (!drifts(over(warm + 1, end) - over(end + 1, size), drift_part * wanted)) break
    warm <- warm + 1
  }
  warm
}

#' Whether differences, one of each fork, have a mean beyond `bound` that differs from 0 by a t test.
drifts <- function(differences, bound) {
  n <- length(differences)
  told <- stats::qt(1 - drift_level / 2, n - 1) * stats::sd(differences) / sqrt(n)
  abs(mean(differences)) > max(bound, told)
}
