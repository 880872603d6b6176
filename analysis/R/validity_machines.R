# Coverage over machines, whose true ratios differ: Student's interval, and the prediction of one more machine.

#' Forks of each cell on a machine; their CV is 1 %.
machine_forks <- 5L

validity_machines <- function(simulations, seed, cores, ...) {
  settings <- CJ(machines = c(3L, 5L, 8L), between = c(0, 0.05))
  rbindlist(lapply(seq_len(nrow(settings)), function(row) {
    machines <- settings$machines[row]
    between <- settings$between[row]
    found <- simulate_chunks(simulations, seed + 100000 * row, cores, function(count) {
      covered_by_machines(count, machines, between)
    })
    hits <- Reduce(`+`, found)
    setting <- sprintf("%d machines, whose ratios differ by %s %%", machines, format(100 * between))
    rbind(
      validity_row("coverage of the 95 % interval over machines", setting, hits[["interval"]], simulations, 94, 96.5),
      validity_row(
        "coverage of the 95 % prediction of one more machine", setting, hits[["prediction"]], simulations, 94, 96
      )
    )
  }))
}

#' How many intervals hold log 1.3, about which machines' log ratios are normal; how many predictions hold what one more
#' machine gives by as many forks.
covered_by_machines <- function(count, machines, between) {
  every <- count * (machines + 1L)
  one <- simulated_keys(sprintf("a%06d", seq_len(every)))
  two <- simulated_keys(sprintf("b%06d", seq_len(every)))
  truth <- stats::rnorm(every, log(1.3), between)
  logs <- matrix(stats::rnorm(2L * machine_forks * every, 0, 0.01), machine_forks)
  table <- forks_of_means(rbind(one, two), exp(sweep(logs, 2, c(rep(0, every), truth), "+")))
  # A row a machine, the last of them the one more.
  ratios <- matrix(simulated_ratios(table, two, one)$log_ratio, machines + 1L)
  found <- rbindlist(apply(ratios[seq_len(machines), , drop = FALSE], 2, over_machines, simplify = FALSE))
  more <- ratios[machines + 1L, ]
  c(
    interval = found[, sum(lower <= log(1.3) & upper >= log(1.3))],
    prediction = found[, sum(predicted_lower <= more & predicted_upper >= more)]
  )
}
