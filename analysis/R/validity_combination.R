# Combined stages, whose sizes depend on all earlier stages. Measures wrong verdicts if the truth is on the limit, and
# the interval's coverage elsewhere.

#' Forks of the first stage, maximum over all stages, and minimum of a later stage.
stage_forks <- c(first = 5L, most = 40L, least = 5L)

validity_combination <- function(simulations, seed, cores) {
  variations <- c(0.01, 0.03, 0.1, 0.3)
  settings <- c(
    lapply(variations, function(cv) {
      list(words = sprintf("two stages, CV %s %%", format(100 * cv)), draw = gamma_forks(cv), off = cv, looks = 2L)
    }),
    list(
      list(words = "three stages, CV 3 %", draw = gamma_forks(0.03), off = 0.03, looks = 3L),
      list(words = "two stages, skewed, CV 30 %", draw = tailed_forks, off = 0.3, looks = 2L),
      list(words = "two stages, two modes, CV 24 %", draw = two_mode_forks, off = 0.24, looks = 2L)
    )
  )
  rows <- lapply(seq_along(settings), function(row) {
    setting <- settings[[row]]
    start <- seed + 100000 * row
    at_limit <- staged_counts(setting, 0, simulations, start, cores)
    elsewhere <- staged_counts(setting, setting$off, simulations, start + 50000, cores)
    words <- paste("5 forks first, at most 40;", setting$words)
    rbind(
      validity_row("wrong verdicts of combined stages, the truth on the limit", words, at_limit$decided, simulations,
                   most = 5),
      validity_row("coverage of the repeated interval of combined stages, a CV off the limit", words,
                   elsewhere$covered, simulations, least = 94.5)
    )
  })
  rbindlist(c(rows, list(many_claims_row(simulations, seed + 900000, cores))))
}

#' Reports of ten claims, each with its truth on the limit: Holm over repeated p values. A claim that passes Holm's
#' first step is decided, and gets no more forks.
many_claims_row <- function(simulations, seed, cores) {
  claims <- 10L
  critical <- pocock_constant(2L, 0.05 / claims)
  property <- "reports with any wrong verdict of combined stages, Holm over repeated p values"
  setting <- "10 claims on the limit; two stages, 5 forks first, at most 40; CV 3 %"
  simulated_row(property, setting, simulations, seed, cores, function(count) {
    largest <- staged_runs(count * claims, gamma_forks(0.03)(count), 0, 2L, critical)$largest
    # If no claim passes the first step, none passes a later one.
    p <- vapply(largest, function(z) if (z < critical) 1 else repeated_p(z, 2L), 0)
    sum(apply(matrix(p, claims), 2, function(own) any(stats::p.adjust(own, "holm") <= 0.05)))
  }, most = 5)
}

#' How many runs are decided, and how many repeated intervals contain the truth.
staged_counts <- function(setting, truth, simulations, seed, cores) {
  critical <- pocock_constant(setting$looks)
  found <- rbindlist(simulate_chunks(simulations, seed, cores, function(count) {
    last_intervals(staged_runs(count, setting$draw(count), truth, setting$looks, critical), critical)
  }))
  list(decided = sum(found$lower > 0 | found$upper < 0), covered = containing(found, truth))
}

#' Log times of the forks of runs, given the number of their run. Each of these functions returns function(run).
gamma_forks <- function(cv) {
  function(count) function(run) log(stats::rgamma(length(run), 1 / cv^2, 1 / cv^2))
}
# A tail towards slow forks, on the log scale too.
tailed_forks <- function(count) function(run) log1p(0.43 * stats::rexp(length(run)))
# The slow mode takes 1.6 times as long. Its share is drawn for each run, from a quarter to three quarters.
two_mode_forks <- function(count) {
  share <- stats::runif(count, 0.25, 0.75)
  function(run) log(1.6) * (stats::runif(length(run)) < share[run]) + stats::rnorm(length(run), 0, 0.01)
}

#' Runs of one claim, "the ratio is below 1" (or above). Each stage determines the size of the next, if any. If the
#' estimate were the truth, the next stage would decide the claim with a probability of 90 %.
#'
#' @param draw function(run) that gives forks' log times; `truth` the log ratio
#'
#' @param critical Pocock's critical value for all `looks`
#'
#' @return list: `stages`, `looks`, `largest`. The first has matrices of the estimates, with a row per run and a column
#'   per stage. The second is the number of analyses of each run. The third is the largest |Z| of these.
staged_runs <- function(count, draw, truth, looks, critical) {
  blank <- matrix(NA_real_, count, looks)
  seen <- list(log_ratio = blank, se_log = blank, df = blank)
  forks <- rep(stage_forks[["first"]], count)
  used <- last <- integer(count)
  largest <- numeric(count)
  open <- seq_len(count)
  for (look in seq_len(looks)) {
    found <- one_stage(open, forks, draw, truth)
    for (name in names(seen)) seen[[name]][open, look] <- found[[name]]
    used[open] <- used[open] + forks
    last[open] <- look
    own <- lapply(seen, function(values) values[open, seq_len(look), drop = FALSE])
    z <- combined_z(stage_z(own$log_ratio, own$se_log, own$df))
    largest[open] <- pmax(largest[open], abs(z))
    more <- ((pmax(critical * sqrt(look + 1) - abs(z) * sqrt(look), 0) + stats::qnorm(0.9)) * found$spread /
               rowMeans(own$log_ratio))^2
    left <- stage_forks[["most"]] - used[open]
    going <- abs(z) < critical & left >= stage_forks[["least"]]
    forks <- pmin(pmax(ceiling(more), stage_forks[["least"]]), left)[going]
    open <- open[going]
    if (length(open) == 0) break
  }
  list(stages = seen, looks = last, largest = largest)
}

#' Repeated intervals of runs after the last stage of each.
last_intervals <- function(runs, critical) {
  rbindlist(lapply(unique(runs$looks), function(look) {
    own <- lapply(runs$stages, function(values) values[runs$looks == look, seq_len(look), drop = FALSE])
    combined_interval(own$log_ratio, own$se_log, own$df, critical)
  }))
}

#' Estimates of one stage, from the forks of that stage alone.
one_stage <- function(runs, forks, draw, truth) {
  keys <- pair_keys(length(runs))
  run <- rep(runs, forks)
  times <- exp(c(truth + draw(run), draw(run)))
  simulated_ratios(forks_of_means(keys$both, times, c(forks, forks)), keys$one, keys$two)
}

# Runs of 20 cells, CV 3 %, with 5 forks of each and then 5 more. The machine becomes slower in between. Measures how
# often that is marked, and the coverage of ratios' intervals if it is not.

validity_drift <- function(simulations, seed, cores) {
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

#' @return data.table, a row per run: `marked`, and `covered`, whether the interval of the first two cells' ratio
#'   contains 1
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
  found <- stage_drift(stages[[2]]$means - stages[[1]]$means)
  data.table(marked = found$marked, covered = interval$lower <= 0 & interval$upper >= 0)
}

# Coverage over machines with different true ratios: Student's interval, and the prediction for one more machine.

#' Forks of each cell on a machine; their CV is 1 %.
machine_forks <- 5L

validity_machines <- function(simulations, seed, cores) {
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

#' Counts the intervals that contain log 1.3, the centre of the machines' normal log ratios. Also counts the
#' predictions that contain the result of one more machine with the same number of forks.
covered_by_machines <- function(count, machines, between) {
  every <- count * (machines + 1L)
  keys <- pair_keys(every)
  truth <- stats::rnorm(every, log(1.3), between)
  logs <- matrix(stats::rnorm(2L * machine_forks * every, 0, 0.01), machine_forks)
  table <- forks_of_means(keys$both, exp(sweep(logs, 2, c(rep(0, every), truth), "+")))
  # One row per machine; the last row is the additional machine.
  ratios <- matrix(simulated_ratios(table, keys$two, keys$one)$log_ratio, machines + 1L)
  found <- rbindlist(apply(ratios[seq_len(machines), , drop = FALSE], 2, over_machines, simplify = FALSE))
  more <- ratios[machines + 1L, ]
  c(
    interval = containing(found, log(1.3)),
    prediction = found[, sum(predicted_lower <= more & predicted_upper >= more)]
  )
}

# Steps of an operation in cold JVMs: verdicts on their order by medians and by sums. Each first call takes as long as
# hundreds of the others.

#' Forks and iterations of a simulated cold measurement, with the study's repetition of steps.
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
      # Sums rarely decide, so their row has no limits.
      validity_row(case$what, setting[2], hits[2], simulations)
    )
  }))
}

#' Decisions on two steps in two settings with these true log ratios, by medians and by sums. Each is `supported`,
#' `refuted` or empty. Each side has a level of 2.5 %, since a verdict has two sides.
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

#' Times of a step in cold forks, one column each. The first call loads classes, and code is compiled during the fork.
#' Forks differ by a fifth, and an occasional call takes many times as long.
cold_times <- function(forks) {
  size <- step_repetitions
  n <- size * forks
  late <- stats::rexp(n) * stats::rbinom(n, 1, 0.03) * 2
  logs <- 0.8 * exp(-seq_len(size) / 20) + stats::rnorm(n, 0, 0.3) + late
  logs <- matrix(logs, size) + rep(stats::rnorm(forks, 0, 0.2), each = size)
  logs[1, ] <- logs[1, ] + stats::rnorm(forks, log(500), 1)
  exp(logs)
}

# The number of forks that a claim needs: analysis/forks_needed.csv. The full tier is planned by it before anything is
# measured.

#' For each number of forks: the smallest distance of a ratio from its limit that is decided with a probability of 90
#' %.
#'
#' The simulation draws the mean and standard deviation of n normal log ratios of rounds. It applies Student's t test
#' with n - 1 degrees of freedom at a two-sided level of 0.5 %. That is the level of Holm's first step among ten
#' claims.
#'
#' @return data.table: `forks`, and `distance` on the log scale, as a multiple of the standard deviation of one round's
#'   log ratio
forks_table <- function(simulations, seed, forks = 5:40, level = 0.005, power = 0.9) {
  set.seed(seed)
  distances <- vapply(forks, function(n) {
    noise <- stats::rnorm(simulations)
    spread <- sqrt(stats::rchisq(simulations, n - 1) / (n - 1))
    # A run is decided if (noise + distance * sqrt(n)) / spread exceeds the quantile.
    stats::quantile((stats::qt(1 - level / 2, n - 1) * spread - noise) / sqrt(n), power, names = FALSE)
  }, 0)
  data.table(forks = forks, distance = signif(distances, 4))
}
