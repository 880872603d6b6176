# Runs of 20 cells, CV 3 %, 5 forks of each and then 5 more, between which the machine becomes slower: how often that is
# marked, and what the intervals of ratios hold where it is not.

validity_drift <- function(simulations, seed, cores, ...) {
  marked <- function(drift, seed) {
    rbindlist(simulate_chunks(simulations, seed, cores, function(count) drifting_runs(count, drift)))
  }
  slower <- marked(function(count) rep(log(1.02), count), seed)
  steady <- marked(function(count) rep(0, count), seed + 50000)
  between <- marked(function(count) stats::runif(count, 0, log(1.02)), seed + 100000)
  setting <- "20 cells, 5 forks and 5 more, CV 3 %"
  kept <- between[marked == FALSE]
  rbind(
    validity_row("a machine that drifts by 2 % between stages is marked", setting, sum(slower$marked), simulations,
                 least = 90),
    validity_row("a machine that does not drift is marked", setting, sum(steady$marked), simulations, most = 5),
    validity_row("coverage of the repeated interval where no drift is marked, drifts from 0 to 2 %", setting,
                 sum(kept$covered), nrow(kept), least = 94)
  )
}

#' @return data.table, a row per run: `marked`; `covered`, whether the interval of the first two cells' ratio holds 1
drifting_runs <- function(count, drift) {
  cells <- 20L
  forks <- 5L
  keys <- simulated_keys(sprintf("%05d-%02d", rep(seq_len(count), each = cells), rep(seq_len(cells), count)))
  shift <- drift(count)
  stages <- lapply(0:1, function(later) {
    logs <- matrix(stats::rnorm(count * cells * forks, 0, 0.03), forks) + later * rep(shift, each = cells * forks)
    first <- seq(1, by = cells, length.out = count)
    both <- sort(c(first, first + 1))
    ratios <- simulated_ratios(forks_of_means(keys[both], exp(logs[, both])), keys[first], keys[first + 1])
    list(means = matrix(colMeans(logs), count, byrow = TRUE), ratios = ratios)
  })
  column <- function(name) cbind(stages[[1]]$ratios[[name]], stages[[2]]$ratios[[name]])
  interval <- combined_interval(column("log_ratio"), column("se_log"), column("df"), pocock_constant(2))
  told <- stage_drift(stages[[2]]$means - stages[[1]]$means)
  data.table(marked = told$marked, covered = interval$lower <= 0 & interval$upper >= 0)
}
