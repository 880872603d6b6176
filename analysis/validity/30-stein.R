# Coverage of the interval after Stein's two stages, which keeps the first stage's spread.

validity_stein <- function(simulations, seed, cores) {
  settings <- data.table(first = c(5L, 5L, 10L), spread = c(0.01, 0.025, 0.025))
  rbindlist(lapply(seq_len(nrow(settings)), function(row) {
    first <- settings$first[row]
    spread <- settings$spread[row]
    found <- simulate_chunks(simulations, seed + 100000 * row, cores, function(count) two_stages(count, first, spread))
    setting <- sprintf("%d forks first, CV %s %%, half-width 1 %%", first, format(100 * spread))
    validity_row("coverage after Stein's two stages", setting, sum(unlist(found)), simulations, least = 94.5)
  }))
}

#' How many of the intervals hold the truth.
two_stages <- function(count, first, spread) {
  logs <- matrix(stats::rnorm(first * count, log(100), spread), first)
  s0 <- apply(logs, 2, stats::sd)
  forks <- stein_forks(s0, first, 0.01)
  more <- forks - first
  sums <- colSums(logs) + vapply(more, function(n) sum(stats::rnorm(n, log(100), spread)), 0)
  interval <- stein_interval(sums / forks, forks, s0, first)
  sum(interval$lower <= 100 & interval$upper >= 100)
}
