# Ratios of runs whose plan has several interim analyses. The test of each stage uses the forks of that stage only, and
# the tests are combined (inverse normal method, below). The next measurements may therefore depend on all earlier data.

#' Fewest forks of a cell in a stage for the stage to have a test. If time ran out on a stage with fewer, it is left out
#' of the test because of its size alone.
least_stage_forks <- 3L

#' Pairs estimated from combined stages.
#'
#' The interval is the repeated confidence interval for all `looks`, `ratio` its middle. `p_support` and `p_refute` are
#' repeated p values, from the largest combined Z so far. `se_log` is the standard error of a t interval of the same
#' width, with the `df` of the smallest stage. `z_lower` and `z_upper` are the combined Z at the target's ends, `stages`
#' is the number of stages with a test.
#'
#' A run may have more stages than a pair has interim analyses. A pair's test uses the first `looks` stages that have a
#' test of it. Later forks, measured for other pairs, are left out.
#'
#' @inheritParams estimate_pairs
#' @param looks number of planned interim analyses
#' @return as `estimate_pairs`
staged_pairs <- function(pairs, forks, looks, confidence, lone, scale, paired) {
  of <- function(rows) single_pairs(pairs, copy(rows)[, stage := 1L], confidence, lone, scale, paired)
  result <- of(forks)
  ratio_of_all <- result$ratio
  stages <- lapply(split(forks, forks$stage), of)
  column <- function(name) do.call(cbind, lapply(stages, `[[`, name))
  usable <- (column("forks_min") >= least_stage_forks & is.finite(column("log_ratio")) & column("se_log") > 0) %in% TRUE
  usable <- matrix(usable, nrow(pairs))
  so_far <- usable %*% upper.tri(diag(ncol(usable)), diag = TRUE)
  usable <- usable & so_far <= looks
  # NA where a pair has no test of the stage.
  part <- lapply(c(log_ratio = "log_ratio", se_log = "se_log", df = "df"), function(name) {
    replace(column(name), !usable, NA_real_)
  })
  combined <- combined_interval(part$log_ratio, part$se_log, part$df, known_constant(looks, 1 - confidence))
  df <- do.call(pmin, c(as.data.frame(part$df), na.rm = TRUE))
  limits <- lapply(list(pairs$target_lower, pairs$target_upper), scale$to)
  set(result, j = c("log_ratio", "ratio", "lower", "upper", "df", "se_log"), value = list(
    combined$middle, scale$back(combined$middle), scale$back(combined$lower), scale$back(combined$upper), df,
    (combined$upper - combined$lower) / 2 / stats::qt((1 + confidence) / 2, df)
  ))
  set(result, j = c("p_support", "p_refute"), value = staged_p_values(part, limits[[1]], limits[[2]], looks))
  sides <- side_p_values(pairs, function(lower, upper) {
    staged_p_values(part, scale$to(lower), scale$to(upper), looks)
  })
  if (!is.null(sides)) set(result, j = names(sides), value = sides)
  set(result, j = c("z_lower", "z_upper"), value = lapply(limits, function(limit) {
    combined_z(stage_z(part$log_ratio, part$se_log, part$df, limit))
  }))
  for (stage in seq_along(stages)) {
    rows <- which(usable[, stage])
    set(result, rows, "method", stages[[stage]]$method[rows])
  }
  # Pairs without a stage that has a test have neither an interval nor p values.
  none <- which(rowSums(usable) == 0)
  set(result, none, c("log_ratio", "se_log", "df", "lower", "upper", "z_lower", "z_upper"), NA_real_)
  set(result, none, c("p_support", "p_refute", names(sides)), NA_real_)
  set(result, none, "ratio", if (lone) ratio_of_all[none] else NA_real_)
  set(result, none, "method", "")
  set(result, j = c("welch_lower", "welch_upper"), value = NA_real_)
  set(result, j = "stages", value = rowSums(usable))
  result[]
}

#' One-sided repeated p values for a ratio inside and outside its target, as `target_p_values` computes them for a
#' single test. The p value of a ratio outside is that at the limit which the estimate exceeds. The p value of an
#' equally extreme result beyond the other limit is added.
#'
#' @param part list of matrices `log_ratio`, `se_log`, `df`, a column for each stage
#' @param lower,upper limits on the same scale, infinite where open
#' @return list: p of lying inside, p of lying outside
staged_p_values <- function(part, lower, upper, looks) {
  above <- function(limit, sign) {
    z <- stage_z(part$log_ratio, part$se_log, part$df, limit)
    looks_so_far <- lapply(seq_len(ncol(z)), function(k) sign * combined_z(z[, seq_len(k), drop = FALSE]))
    one_sided_p(do.call(pmax, c(looks_so_far, na.rm = TRUE)), looks)
  }
  over_lower <- above(lower, 1)
  over_upper <- above(upper, 1)
  under_lower <- above(lower, -1)
  under_upper <- above(upper, -1)
  outside <- fifelse(under_lower <= over_upper, under_lower + under_upper, over_upper + over_lower)
  list(pmax(over_lower, under_upper), pmin(outside, 1))
}

#' Half of the two-sided repeated p value of the largest Z so far; at least 0.5 where Z was never positive.
one_sided_p <- function(z, looks) {
  p <- stats::pnorm(-z)
  positive <- which(z > 0)
  p[positive] <- crossing_table(looks)(z[positive]) / 2
  p
}

crossing_tables <- new.env()

#' `pocock_constant`, computed once for each level and number of interim analyses.
known_constant <- function(looks, level) {
  name <- sprintf("%d at %.15g", as.integer(looks), level)
  if (is.null(crossing_tables[[name]])) crossing_tables[[name]] <- pocock_constant(looks, level)
  crossing_tables[[name]]
}

#' `crossing_probability` as a function of many critical values. A cubic spline interpolates its logarithm between
#' knots. Beyond the knots, the function is Bonferroni's bound.
crossing_table <- function(looks) {
  name <- as.character(looks)
  if (is.null(crossing_tables[[name]])) {
    knots <- c(seq(0, 1, by = 0.05), seq(1.1, 4, by = 0.1), seq(4.25, 12, by = 0.25))
    logs <- stats::splinefun(knots, log(vapply(knots, crossing_probability, 0, looks = looks)))
    crossing_tables[[name]] <- function(z) {
      fifelse(z <= max(knots), exp(logs(pmin(z, max(knots)))), pmin(1, 2 * looks * stats::pnorm(-z)))
    }
  }
  crossing_tables[[name]]
}

# Cells of two stages use the spread and degrees of freedom of stage one.

#' Moments of groups with the variance of stage one where a group has a second stage.
#'
#' @param moments data.table of `by`, `n` and `var` over both stages
#' @param values data.table of `by`, `stage` and `column`
#'
#' @return `moments` with `var` of stage one. The column `first` is the number of values in that variance; its degrees
#'   of freedom are one less. They are NA and 0 where stage one has no values
rest_on_first <- function(moments, values, by, column) {
  moments[, first := n]
  second <- unique(values[stage == 2L, by, with = FALSE])
  if (nrow(second) == 0) return(moments[])
  own <- values[second, c(by, "stage", column), with = FALSE, on = by]
  setnames(own, column, "value")
  own <- own[stage == 1L, .(var = stats::var(value), n = .N), by = by]
  moments[second, `:=`(var = NA_real_, first = 0L), on = by]
  moments[own, `:=`(var = i.var, first = i.n), on = by][]
}

#' Means of cells' values and their intervals.
#'
#' The interval is Student's t. With a second stage, its spread and degrees of freedom are those of stage one. A plan
#' with several interim analyses has the repeated confidence interval of the combined stages.
#'
#' @param forks data.table of a row for each value: `by`, `stage`, and `looks`, the number of planned interim analyses
#' @param values one per row
#' @param by columns of the cells
#' @return data.table, a row for each cell in the order in which they occur: `by`, `forks`, `mean`, `sd`, `lower`,
#'   `upper`. `sd` is that of stage one if Stein's second stage followed. The interval is NA with fewer than 2 values in
#'   stage one, or without a stage that has a test
staged_means <- function(forks, values, by, confidence = 0.95) {
  every <- forks[, c(by, "stage", "looks"), with = FALSE][, value := values]
  every[, cell_number := .GRP, by = by]
  means <- every[, .(
    forks = .N, mean = mean(value), looks = looks[1], stein = looks[1] == 1L && any(stage == 2L)
  ), by = c(by, "cell_number")]
  spread <- every[stage == 1L | !means$stein[cell_number], .(sd = stats::sd(value), n = .N), by = cell_number]
  spread <- spread[means, on = "cell_number"]
  half <- t_half_width(spread$sd, spread$n, confidence) * sqrt(spread$n / spread$forks)
  means[, `:=`(sd = spread$sd, lower = mean - half, upper = mean + half)]
  looked <- which(means$looks > 1L)
  if (length(looked) > 0) {
    set(means, looked, c("lower", "upper"), looked_intervals(every[looks > 1L], means[looked], confidence))
  }
  means[, c(by, "forks", "mean", "sd", "lower", "upper"), with = FALSE]
}

#' The repeated confidence intervals of cells' means: a list of the lower and the upper limits, in the order of `means`.
looked_intervals <- function(values, means, confidence) {
  stages <- values[, .(n = .N, mean = mean(value), se = stats::sd(value) / sqrt(.N)), keyby = .(cell_number, stage)]
  stages <- stages[n >= least_stage_forks & se > 0][, tested := rowid(cell_number)]
  stages[, row := match(cell_number, means$cell_number)]
  stages <- stages[tested <= means$looks[row]]
  column <- function(part) {
    filled <- matrix(NA_real_, nrow(means), max(1L, stages$tested))
    filled[cbind(stages$row, stages$tested)] <- part
    filled
  }
  critical <- vapply(unique(means$looks), known_constant, 0, level = 1 - confidence)
  critical <- critical[match(means$looks, unique(means$looks))]
  combined_interval(column(stages$mean), column(stages$se), column(stages$n - 1), critical)[, list(lower, upper)]
}

# Stages of measurement combined with weights that were fixed in advance (inverse normal method; Bauer and Koehne 1994,
# Lehmacher and Wassmer 1999). The number of forks in a stage, and whether there is one, may depend on all earlier data.
# This is valid because each stage is tested on the forks of that stage only: its p value is uniform whatever its size.
# Matrices have a row for each case and a column for each stage. They are NA where a case has no test of a stage.

#' Normal quantiles of stages' one-sided t tests that a log ratio is above a limit.
#'
#' @param log_ratio,se_log,df of each stage alone
#' @param limit on the log scale, one for each case
#' @return matrix of z; positive where the stage's estimate is above the limit
stage_z <- function(log_ratio, se_log, df, limit = 0) {
  t <- (log_ratio - limit) / se_log
  # Small p values of the nearer tail keep their precision.
  tail <- stats::pt(-abs(t), df, log.p = TRUE)
  sign(t) * stats::qnorm(tail, lower.tail = FALSE, log.p = TRUE)
}

#' Z = (z_1 + ... + z_k) / sqrt(k) after k stages of equal weight; NaN without any.
combined_z <- function(z) rowSums(z, na.rm = TRUE) / sqrt(rowSums(!is.na(z)))

#' The repeated confidence interval (Jennison and Turnbull 1989): every limit that the combined Z does not reject.
#'
#' @inheritParams stage_z
#' @param critical Pocock's constant for all planned interim analyses, for each case or for all of them
#'
#' @return data.table on the log scale: `middle`, the limit at which Z is 0; `lower`, `upper`
combined_interval <- function(log_ratio, se_log, df, critical) {
  at <- function(value) combined_limit(as.matrix(log_ratio), as.matrix(se_log), as.matrix(df), value)
  data.table(middle = at(0), lower = at(critical), upper = at(-critical))
}

#' The limit at which the combined Z equals `value`, found by bisection, since Z decreases as the limit rises. The
#' search starts between the stages' limits, at which each stage's z is an equal share of `value`.
combined_limit <- function(log_ratio, se_log, df, value) {
  part <- value / sqrt(rowSums(!is.na(log_ratio)))
  own <- as.data.frame(log_ratio - se_log * stats::qt(stats::pnorm(part), df))
  low <- do.call(pmin, c(own, na.rm = TRUE))
  high <- do.call(pmax, c(own, na.rm = TRUE))
  for (step in seq_len(45)) {
    # A single stage has its limit at once.
    if (!any(low < high, na.rm = TRUE)) break
    middle <- (low + high) / 2
    above <- combined_z(stage_z(log_ratio, se_log, df, middle)) > value
    low <- fifelse(above, middle, low)
    high <- fifelse(above, high, middle)
  }
  (low + high) / 2
}

#' The smallest relevant relative change of times between stages: half of `close_part`.
drift_that_matters <- 0.01

#' Whether a machine, or its JVM, drifted between two stages: Student's t over cells of the change of their log times.
#'
#' @param change matrix, a row for each run and a column for each cell. Its values are the mean log time in the later
#'   stage less that in the first
#'
#' @return data.table: `drift`, as a factor of time, with its interval `lower` to `upper`; `p`, two-sided.
#'   The drift is `marked` if it differs from 1 at `level` and by more than `drift_that_matters`
stage_drift <- function(change, level = 0.05, confidence = 1 - level) {
  cells <- ncol(change)
  mean <- rowMeans(change)
  se <- sqrt(rowSums((change - mean)^2) / (cells - 1) / cells)
  p <- 2 * upper_tail(abs(mean) / se, cells - 1)
  half <- se * stats::qt((1 + confidence) / 2, cells - 1)
  data.table(
    drift = exp(mean), lower = exp(mean - half), upper = exp(mean + half), p = p,
    marked = p <= level & abs(mean) > log1p(drift_that_matters)
  )
}

# Pocock's boundary (1977): one critical value for every interim analysis of accumulating data, which keeps the overall
# error rate at its level.

#' Steps of the numerical integration between the boundaries, an even number; 400 give ten digits.
integration_steps <- 400L

#' Probability under the null hypothesis that |Z_k| = |z_1 + ... + z_k| / sqrt(k) reaches a critical value at any of
#' `looks` interim analyses.
#'
#' Simpson's rule propagates the density of the sum that has not crossed from one analysis to the next (Armitage,
#' McPherson and Rowe 1969). The crossing probability of each analysis is added up, so that small probabilities keep
#' their precision.
#'
#' @param critical positive
#' @param looks total number of interim analyses
#' @return probability, the two-sided level of that boundary
crossing_probability <- function(critical, looks) {
  crossed <- 2 * stats::pnorm(-critical)
  if (looks == 1) return(crossed)
  weights <- c(1, rep(c(4, 2), length.out = integration_steps - 1), 1) / 3
  grid <- function(look) seq(-1, 1, length.out = integration_steps + 1) * critical * sqrt(look)
  sums <- grid(1)
  density <- stats::dnorm(sums)
  for (look in 2:looks) {
    mass <- density * weights * (sums[2] - sums[1])
    bound <- critical * sqrt(look)
    crossed <- crossed + sum(mass * (stats::pnorm(sums - bound) + stats::pnorm(-bound - sums)))
    following <- grid(look)
    # The density is symmetric: only the upper half of the grid is computed. exp() is faster than dnorm().
    upper <- following[seq(integration_steps / 2 + 1, integration_steps + 1)]
    half <- drop(exp(-outer(upper, sums, "-")^2 / 2) %*% mass) / sqrt(2 * pi)
    density <- c(rev(half[-1]), half)
    sums <- following
  }
  crossed
}

#' Pocock's critical value for |Z| at each of `looks` interim analyses, at a two-sided level.
pocock_constant <- function(looks, level = 0.05) {
  single <- stats::qnorm(level / 2, lower.tail = FALSE)
  # Bonferroni's critical value is conservative, so it is an upper bound.
  most <- stats::qnorm(level / (2 * looks), lower.tail = FALSE) + 1e-6
  if (looks == 1) return(single)
  difference <- function(critical) log(crossing_probability(critical, looks) / level)
  stats::uniroot(difference, c(single, most), tol = 1e-10)$root
}

#' Repeated p value (Jennison and Turnbull 1984): the smallest two-sided level at which the largest |Z| so far crosses
#' Pocock's boundary for `looks`. It is valid at every interim analysis, and Holm's procedure over claims may use it at
#' each (Maurer and Bretz 2013).
#'
#' @param z combined z of the interim analyses so far, of one claim
repeated_p <- function(z, looks) crossing_probability(max(abs(z)), looks)
