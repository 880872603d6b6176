# The second stage of a measurement: the length of a cell's forks, and the number of them that its wanted interval
# needs.
#
# Stage one's forks are long enough to detect the warm-up in them. For each cell with a wanted half-width, three numbers
# are planned.
#
# Warm-up w: the iterations after which at least nine forks in ten are warm. The maximum would depend on a single false
# changepoint. Further iterations are added until the times have settled.
#
# Measured iterations r: Kalibera and Jones' best number. It weighs an iteration's cost against that of a fork's start
# and warm-up. It is at least `least_measured`, and w + r is at most stage one's length. The ratio of the variation
# between iterations to that between forks is the median over the cells. If it came from the cell alone, a spread that
# is small by chance would also lengthen the window. The interval would then cover 94.7 % instead of 95 %.
#
# Forks N: Stein's number from s0, the spread of stage one's log fork means over exactly the window w + 1 to w + r.
#
# Both stages are measured on that window, so that their spreads are comparable.

#' Fewest measured iterations of a planned fork. With two, a single disturbed iteration would make up half of the mean.
#' A spread within the fork needs at least two.
least_measured <- 3L

#' Share of a cell's forks that must have completed their warm-up.
warm_part <- 0.9

#' The demands of all experiments of a run: forks that cells need for their wanted half-widths.
#'
#' @return data.table: `demand`, `chance`, `experiment`, `environment`, `protocol` (empty), then `stage_columns`
width_demands <- function(forks, iterations, definitions) {
  every <- c(definitions$experiments, list(definitions$calibration))
  rows <- lapply(Filter(function(entry) length(entry$tier$max_rounds) == 1, every), function(entry) {
    widths <- unlist(lapply(entry$protocols, `[[`, "half_width"))
    places <- unique(forks[experiment == entry$id, environment])
    rbindlist(lapply(places, function(place) {
      here <- function(table) table[experiment == entry$id & environment == place]
      plan <- fork_plan(here(forks), here(iterations), widths, entry$tier$max_rounds)
      plan[, `:=`(
        demand = paste("width", entry$id, place, cell), chance = 1, experiment = entry$id, environment = place,
        protocol = ""
      )][]
    }))
  })
  rbindlist(c(list(no_demands()), rows), use.names = TRUE)
}

#' Plan every cell with a wanted half-width in an experiment and environment.
#'
#' @param forks,iterations of the rounds so far, all of them of one experiment and environment
#' @param half_widths named numbers: protocol to wanted half-width, relative (0.01 is 1 %)
#' @param most forks of a cell in all stages
#' @return data.table with `stage_columns`, as data/README.md has them. Each such cell with at least two valid forks has
#'   a row; `forks` are those that the next stage adds
fork_plan <- function(forks, iterations, half_widths, most) {
  by <- c("round", "fork")
  starts <- fork_starts(iterations)[forks[, c(by, "cell"), with = FALSE], on = by]
  starts <- starts[, .(start_ms = median(start_ms)), by = cell]
  planned <- valid_forks(forks)[protocol %in% names(half_widths)]
  ratio <- variation_ratio(planned, iterations)
  timed <- split_by_cell(iterations, forks)
  forks_of <- split(forks, forks$cell)
  rows <- lapply(sort(unique(planned$cell), method = "radix"), function(name) {
    own <- valid_forks(forks_of[[name]])
    if (nrow(own) < 2L) return(NULL)
    wanted <- unname(half_widths[own$protocol[1]])
    row <- data.table(
      cell = name, forks = 0L, warmup_iterations = NA_integer_, iterations = NA_integer_,
      first_forks = uniqueN(forks_of[[name]]$round), forks_wanted = NA_real_, most_forks = most,
      wanted_half_width_pct = 100 * wanted, s0_log = NA_real_, forks_no_steady = sum(own$steady == "no steady state"),
      reason = ""
    )
    counted <- timed[[name]][own[, by, with = FALSE], on = by]
    planned_cell(row, own, counted, starts[cell == name, start_ms], ratio, wanted)
  })
  found <- rbindlist(rows)
  if (nrow(found) == 0) no_demands()[, stage_columns, with = FALSE] else found[, stage_columns, with = FALSE]
}

split_by_cell <- function(iterations, forks) {
  cells <- forks[iterations, on = c("round", "fork"), x.cell]
  split(iterations, cells)
}

#' The cost of each fork before its first iteration, in ms from the end of the previous fork's last iteration. It
#' includes the shutdown of the previous fork. For a round's first fork, it is the JVM's uptime.
fork_starts <- function(iterations) {
  ends <- iterations[, .(
    from = start_epoch_ms[1], to = start_epoch_ms[.N] + end_uptime_ms[.N] - start_uptime_ms[.N],
    uptime = start_uptime_ms[1]
  ), keyby = .(round, fork)]
  ends[, start_ms := fcoalesce(from - shift(to), uptime), by = round]
  # A clock that was set back would otherwise make a fork cost nothing.
  ends[, .(round, fork, start_ms = pmax(start_ms, uptime))]
}

#' One cell's row, filled in.
planned_cell <- function(row, forks, timed, start_ms, ratio, wanted) {
  size <- min(forks$iterations)
  window <- if (all(forks$steady == "not sought")) {
    c(max(forks$steady_from) - 1, size)
  } else {
    planned_window(forks$steady_from, timed, size, start_ms, ratio, wanted)
  }
  s0 <- window_spread(timed, window)
  asked <- stein_forks(s0, nrow(forks), wanted)
  # Forks that don't count still take their place in a round.
  missing <- asked - nrow(forks)
  allowed <- max(row$most_forks - row$first_forks, 0)
  row[, `:=`(
    warmup_iterations = as.integer(window[1]), iterations = as.integer(window[2]), forks_wanted = asked,
    forks = as.integer(min(missing, allowed)), s0_log = signif(s0, 12)
  )]
  row[, reason := if (missing <= 0) {
    "met by stage one"
  } else if (missing <= allowed) {
    "more forks"
  } else {
    "cap"
  }][]
}

#' Warm-up, and warm-up with measured iterations, of a cell whose protocol detects steady states.
#'
#' @param steady_from first steady iteration of each fork. Without a steady state, it is the first of the last half
#' @param timed iterations of these forks, those of a fork in order; `size` the number of a fork's
#' @param start_ms cost of a fork's start; `ratio` of `variation_ratio`; `wanted` half-width, relative
#' @return two numbers: w and w + r
planned_window <- function(steady_from, timed, size, start_ms, ratio, wanted) {
  warm <- warm_iterations(steady_from)
  left <- size - warm
  if (left <= least_measured) return(c(warm, size))
  each_ms <- mean(timed$end_uptime_ms - timed$start_uptime_ms)
  costs <- c(each_ms, start_ms + warm * each_ms)
  best <- best_repetitions(costs, c(ratio, 1), left)
  measured <- min(max(best, least_measured), left)
  warm <- steady_warmup(timed, warm, measured, size, wanted)
  c(warm, warm + measured)
}

#' Iterations that `warm_part` of the forks need to be warm.
warm_iterations <- function(steady_from) stats::quantile(steady_from, warm_part, type = 1, names = FALSE) - 1

#' Kalibera and Jones' T_1^2 / T_2^2 of log times after the warm-up, the median over cells; Inf where forks don't vary.
variation_ratio <- function(forks, iterations) {
  timed <- split_by_cell(iterations, forks)
  ratios <- vapply(split(forks, forks$cell), function(own) {
    size <- min(own$iterations)
    warm <- warm_iterations(own$steady_from)
    if (nrow(own) < 2L || size - warm < 2) return(NA_real_)
    keys <- own[, .(round, fork)]
    steady <- timed[[own$cell[1]]][keys, on = c("round", "fork")][iteration > warm & iteration <= size]
    logs <- matrix(log(steady$duration_ns / steady$operations), size - warm)
    parts <- variance_components(logs)$t_squared
    if (parts[1] == 0) 0 else parts[1] / max(parts[2], 0)
  }, 0)
  stats::median(ratios, na.rm = TRUE)
}

#' Standard deviation of the log fork means over a window. It is the larger one of wall and CPU time, so that both reach
#' the wanted width.
window_spread <- function(timed, window) {
  inside <- copy(timed)[, `:=`(measured = iteration > window[1] & iteration <= window[2], steady = "")]
  means <- fork_means(inside, c("round", "fork"))
  spreads <- vapply(paste0(measures, "_ns_per_op"), function(column) {
    values <- means[[column]]
    if (anyNA(values) || any(values <= 0)) NA_real_ else stats::sd(log(values))
  }, 0)
  max(spreads, na.rm = TRUE)
}

# The number of forks for an interval of a wanted width: Stein's two stages (Stein 1945). A measurement that stops as
# soon as the interval looks narrow enough covers too little, because it stops when the spread is small by chance.

#' Number of a cell's forks after the second stage, for a 95 % interval.
#'
#' N = max(n0, ceil((t_{n0-1} * s0 / d)^2)).
#'
#' @param s0 standard deviation of the log fork means of the first stage; `n0` their number (2 or more)
#' @param half_width wanted half-width d on the log scale (0.01 is 1 %)
#' @return number of forks, those of the first stage included; vectorised over s0
stein_forks <- function(s0, n0, half_width) {
  pmax(n0, ceiling((stats::qt(0.975, n0 - 1) * s0 / half_width)^2))
}

#' The final interval. It keeps the first stage's standard deviation and degrees of freedom, whatever the number of
#' later forks.
#'
#' @param log_mean mean of the log fork means of both stages; `n` their number; `s0`, `n0` as in `stein_forks`
#' @return data.table: `mean`, `lower`, `upper` on the linear scale, `half_width_log`
stein_interval <- function(log_mean, n, s0, n0) {
  half <- stats::qt(0.975, n0 - 1) * s0 / sqrt(n)
  data.table(mean = exp(log_mean), lower = exp(log_mean - half), upper = exp(log_mean + half), half_width_log = half)
}

# Number of repetitions of a lower level that pay off (Kalibera and Jones 2013, section 5).

#' Best number of repetitions at every level but the highest.
#'
#' r_i = ceil(sqrt(c_{i+1} / c_i * T_i^2 / T_{i+1}^2)) minimises the variance of the mean at a given cost. A repetition
#' at level i costs c_i, e.g. one iteration. A repetition at level i + 1 adds c_{i+1} to the repetitions in it, e.g. the
#' start and the warm-up of a fork.
#'
#' @param costs c_1, c_2, ..., lowest level first, any unit of time
#' @param t_squared T_1^2, T_2^2, ... of `variance_components`, lowest level first
#' @param most bound where there is no evidence of variation at the level above (T_{i+1}^2 not above 0)
#' @return integer, one per level but the highest; 1 where the level itself shows no variation
best_repetitions <- function(costs, t_squared, most = Inf) {
  lower <- seq_len(length(costs) - 1L)
  upper <- lower + 1L
  variation <- pmax(t_squared, 0)
  best <- ceiling(sqrt(costs[upper] / costs[lower] * variation[lower] / variation[upper]))
  best[variation[lower] == 0] <- 1
  pmin(pmax(best, 1), most)
}
