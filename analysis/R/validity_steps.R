# Steps of an operation in cold JVMs: verdicts on their order by medians, and by sums, where each first call takes as
# long as hundreds of the others.

#' Forks and iterations of a simulated cold measurement, as the study repeats its steps.
step_forks <- 10L
step_repetitions <- 100L

validity_steps <- function(simulations, seed, cores) {
  cases <- list(
    list(what = "wrong verdict on the order of steps in cold JVMs", truth = log(c(1, 2)), most = 5),
    list(what = "same order of steps in cold JVMs found", truth = log(c(2, 2.4)), least = 95)
  )
  rbindlist(lapply(seq_along(cases), function(number) {
    case <- cases[[number]]
    found <- do.call(rbind, simulate_chunks(simulations, seed + 1000 * number, cores, function(count) {
      t(vapply(seq_len(count), function(i) step_decisions(case$truth), c("", "")))
    }))
    setting <- sprintf(
      "by %s, %d forks of %d repetitions, ratios %s", c("medians", "sums"), step_forks, step_repetitions,
      paste(format_plain(exp(case$truth)), collapse = " and ")
    )
    hits <- colSums(if (is.null(case$most)) found == "supported" else found != "")
    rbind(
      validity_row(case$what, setting[1], hits[1], simulations, case$least %||% NA_real_, case$most %||% NA_real_),
      # Sums rarely decide, and are shown beside.
      validity_row(case$what, setting[2], hits[2], simulations)
    )
  }))
}

#' What medians and sums decide of two steps in two settings with these true log ratios: `supported`, `refuted` or
#' nothing, each at a level of 2.5 %, as a verdict has two sides.
step_decisions <- function(truth) {
  logs <- lapply(truth, function(ratio) {
    times <- list(cold_times(step_forks), cold_times(step_forks))
    medians <- lapply(times, function(each) apply(each, 2, stats::median))
    sums <- lapply(times, colSums)
    lapply(list(medians, sums), function(way) log(way[[1]]) + ratio - log(way[[2]]))
  })
  vapply(1:2, function(way) {
    own <- lapply(logs, `[[`, way)
    p <- kept_p_values(
      vapply(own, mean, 0), vapply(own, stats::sd, 0) / sqrt(step_forks), rep(step_forks - 1, 2), alike = 1.25
    )
    if (p$p_support < 0.025) "supported" else if (p$p_refute < 0.025) "refuted" else ""
  }, "")
}

#' Times of a step in cold forks, a column each: a first call that loads classes, code that is compiled on the way,
#' forks that differ by a fifth, and now and then a call that takes many times as long.
cold_times <- function(forks) {
  size <- step_repetitions
  n <- size * forks
  late <- stats::rexp(n) * stats::rbinom(n, 1, 0.03) * 2
  logs <- 0.8 * exp(-seq_len(size) / 20) + stats::rnorm(n, 0, 0.3) + late
  logs <- matrix(logs, size) + rep(stats::rnorm(forks, 0, 0.2), each = size)
  logs[1, ] <- logs[1, ] + stats::rnorm(forks, log(500), 1)
  exp(logs)
}
