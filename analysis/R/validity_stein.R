# Coverage of intervals after Stein's two stages, which keep the first stage's spread. The intervals are of one cell,
# of the ratio of two separately planned cells, and of cells planned from their iterations.

validity_stein <- function(simulations, seed, cores) {
  settings <- data.table(first = c(5L, 5L, 10L), spread = c(0.01, 0.025, 0.025))
  single <- rbindlist(lapply(seq_len(nrow(settings)), function(row) {
    first <- settings$first[row]
    spread <- settings$spread[row]
    setting <- sprintf("%d forks first, CV %s %%, half-width 1 %%", first, format(100 * spread))
    simulated_row(
      "coverage after Stein's two stages", setting, simulations, seed + 100000 * row, cores,
      function(count) two_stages(count, first, spread), least = 94.5
    )
  }))
  rbind(
    single, ratio_row(5L, c(0.01, 0.05), simulations, seed + 400000, cores),
    ratio_row(10L, c(0.01, 0.05), simulations, seed + 500000, cores),
    ratio_row(10L, c(0.02, 0.03), simulations, seed + 600000, cores),
    planned_rows(0, simulations, seed + 700000, cores), planned_rows(0.7, simulations, seed + 800000, cores),
    planned_rows(0, simulations %/% 2, seed + 900000, cores, fall = 0.05)
  )
}

#' How many of the intervals contain the truth.
two_stages <- function(count, first, spread) {
  logs <- matrix(stats::rnorm(first * count, log(100), spread), first)
  s0 <- apply(logs, 2, stats::sd)
  forks <- stein_forks(s0, first, 0.01)
  more <- forks - first
  sums <- colSums(logs) + vapply(more, function(n) sum(stats::rnorm(n, log(100), spread)), 0)
  containing(stein_interval(sums / forks, forks, s0, first), 100)
}

#' The ratio of two cells with different spreads, so with different numbers of forks. The second takes 1.3 times as
#' long.
ratio_row <- function(first, spreads, simulations, seed, cores) {
  words <- paste(format(100 * spreads), collapse = " and ")
  setting <- sprintf("%d forks first, CV %s %%, half-width 1 %% each", first, words)
  property <- "coverage of the ratio's 95 % interval after two stages"
  simulated_row(property, setting, simulations, seed, cores, function(count) {
    keys <- pair_keys(count)
    spread <- rep(spreads, each = count)
    means <- matrix(exp(stats::rnorm(first * 2L * count, 0, rep(spread, each = first))), first)
    more <- stein_forks(apply(log(means), 2, stats::sd), first, 0.01) - first
    second <- exp(stats::rnorm(sum(more), 0, rep(spread, more)))
    truth <- rep(c(100, 130), each = count)
    table <- staged_forks(keys$both, sweep(means, 2, truth, "*"), more, rep(truth, more) * second)
    containing(simulated_ratios(table, keys$two, keys$one), 1.3)
  }, least = 94.5)
}

#' The table forks.csv of simulated cells after two stages.
#'
#' @param means matrix of stage one's forks, one column per cell
#'
#' @param more number of forks of each cell in stage two; `second` their means, those of the first cell first
staged_forks <- function(keys, means, more, second) {
  first <- forks_of_means(keys, means)[, stage := 1L]
  again <- first[rep(nrow(means) * seq_along(more), more)]
  number <- nrow(means) + sequence(more)
  again[, `:=`(number = number, fork = number, round = as.character(number), stage = 2L, wall_ns_per_op = second)]
  rbind(first, again)
}

#' Mean and ratio of cells that are planned by fork_plan: 10 forks of 25 iterations, the first 6 twice as slow. Levels
#' of forks vary by 2 %, iterations by 3 %. After the first 6 iterations, times may still exceed their final value by
#' the part `fall`. This excess decays to 1 / e in three iterations. The final value is then the truth. A plan cannot
#' guarantee to wait for it, so these rows have no limit.
planned_rows <- function(correlation, simulations, seed, cores, fall = 0) {
  course <- c(rep(2, 6), 1 + fall * exp(-seq_len(19) / 3))
  found <- simulate_chunks(simulations, seed, cores, function(count) {
    keys <- pair_keys(count)
    truth <- rep(c(100, 130), each = count)
    times <- course * iterations_around(stats::rnorm(20L * count, 1, 0.02), correlation, 0.03, 25L)
    stage_one <- planned_from(keys$both, sweep(times, 2, rep(truth, each = 10L), "*"))
    plan <- stage_one$plan[keys$both$cell, on = "cell"]
    more <- plan$forks
    windows <- Map(seq, plan$warmup_iterations + 1L, plan$iterations)
    second <- unlist(lapply(which(more > 0), function(cell) {
      levels <- stats::rnorm(more[cell], 1, 0.02)
      factors <- course[windows[[cell]]]
      truth[cell] * colMeans(factors * iterations_around(levels, correlation, 0.03, length(factors)))
    }))
    covered(staged_forks(keys$both, stage_one$means, more, second), keys, keys$both, truth, 1.3)
  })
  setting <- sprintf("10 forks first, planned from iterations, autocorrelation %s", format(correlation))
  if (fall > 0) setting <- sprintf("%s, times still falling by %s %%", setting, format(100 * fall))
  least <- if (fall > 0) NA_real_ else 94.5
  total <- function(name) sum(vapply(found, `[[`, 0L, name))
  rbind(
    validity_row("coverage after Stein's two stages", setting, total("mean"), 2 * simulations, least = least),
    validity_row(
      "coverage of the ratio's 95 % interval after two stages", setting, total("ratio"), simulations, least = least
    )
  )
}

#' The plan of cells from their first ten forks, and the means of these forks over the planned window.
#'
#' @param times matrix, one column per fork, those of the first cell first
planned_from <- function(keys, times) {
  size <- nrow(times)
  place <- CJ(cell = factor(keys$cell, keys$cell), number = 1:10, iteration = seq_len(size), sorted = FALSE)
  iterations <- place[, .(
    cell = as.character(cell), round = sprintf("r-%02d", number), fork = as.integer(cell), iteration,
    warmup = "steady-state", duration_ns = c(times), operations = 1, all_operations = 1, worker_cpu_ns = NA_real_,
    process_user_ns = NA_real_, process_system_ns = NA_real_,
    start_epoch_ms = 3000 * as.integer(cell) + 100 * iteration, start_uptime_ms = 400 + 100 * iteration,
    end_uptime_ms = 500 + 100 * iteration
  )]
  by <- c("round", "fork")
  iterations <- mark_measured(iterations, by)
  forks <- fork_means(iterations, by)[, `:=`(cell = keys$cell[fork], protocol = "steady-state", valid = TRUE)]
  plan <- fork_plan(forks, iterations, c("steady-state" = 0.01), 1000)
  row <- match(iterations$cell, plan$cell)
  windows <- plan[row]
  iterations[, measured := iteration > windows$warmup_iterations & iteration <= windows$iterations]
  means <- fork_means(iterations, by)
  list(plan = plan, means = matrix(means[order(fork, round), wall_ns_per_op], 10L))
}
