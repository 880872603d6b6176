# Series of cells that differ only in size, for claims about how time grows with size.

#' The exponent of every series, or the share of its fixed cost, as its estimate.
#'
#' @param pairs rows of claim_pairs.csv with `series` and `sizes`; `forks` the table of `forks_by_measure`
#'
#' @param parameters of the claim: `deviation`, and `margin` or `intercept`
#'
#' @return `pairs` with the columns that `estimate_pairs` adds. Column `ratio` is the exponent or the fixed share, and
#'   there is no log ratio. Column `spread` is the standard error with one fork per cell. A series with fewer than 2
#'   forks in a cell, or a mean of 0, has no estimate.
estimate_series <- function(pairs, forks, parameters, confidence = 0.95) {
  found <- rbindlist(lapply(seq_len(nrow(pairs)), function(i) {
    row <- pairs[i]
    own <- forks[
      experiment == row$experiment & environment == row$numerator_environment & image_id == row$numerator_image_id &
        machine_id == row$machine_id & protocol == row$protocol & measure == row$measure
    ]
    sizes <- as.numeric(strsplit(row$sizes, ";", fixed = TRUE)[[1]])
    at <- match(own$cell, strsplit(row$series, ";", fixed = TRUE)[[1]])
    times <- own$mean_ns[!is.na(at)]
    size <- sizes[at[!is.na(at)]]
    counts <- tabulate(match(size, sizes), length(sizes))
    forks <- paste(own$round, own$fork)[!is.na(at)]
    # All sizes of a fork are from one programme, so an effect of the fork is in all of them.
    whole <- length(times) > 0 && all(table(forks) == length(sizes)) && uniqueN(forks) > 1 && all(times > 0)
    of_forks <- if (whole) split(seq_along(times), forks)
    estimate <- series_estimate(row, size, times, of_forks, min(counts), parameters, confidence)
    as.data.table(c(estimate, forks_min = min(counts)))
  }))
  cbind(pairs, found)
}

#' The estimate of one series.
#'
#' @param of_forks the positions of each fork's times, if each fork has all sizes; else NULL. With them, each fork
#'   gives an estimate, and the interval is Student's t over forks. The curve must fit the means over forks. The part
#'   `deviation` is the largest allowed relative error at a size.
#' @param least forks of the cell with the fewest
series_estimate <- function(row, size, times, of_forks, least, parameters, confidence) {
  blank <- as.list(stats::setNames(rep(NA_real_, 9), c(
    "ratio", "lower", "upper", "log_ratio", "se_log", "df", "welch_lower", "welch_upper", "spread"
  )))
  estimate <- c(blank, list(
    method = "", blocks = 0L, p_support = NA_real_, p_refute = NA_real_, intercept = NA_real_, slope = NA_real_,
    sentence = "", misfit = FALSE
  ))
  if (least < 2 || any(times <= 0)) return(estimate)
  of_exponent <- is.null(parameters$intercept)
  fit_of <- function(at) {
    if (of_exponent) {
      linearity(size[at], times[at], parameters$margin, confidence)
    } else {
      fixed_share(size[at], times[at], parameters$intercept, confidence)
    }
  }
  fit <- fit_of(seq_along(times))
  misfit <- isTRUE(fit$lack_of_fit_p < 0.05) && fit$largest_deviation > parameters$deviation
  found <- if (is.null(of_forks)) {
    half <- (fit$upper - fit$lower) / 2
    list(
      ratio = fit$estimate, lower = fit$lower, upper = fit$upper, df = fit$df, p_support = fit$p_within,
      p_refute = fit$p_beyond, spread = half / stats::qt((1 + confidence) / 2, fit$df) * sqrt(least)
    )
  } else {
    aim <- if (of_exponent) 1 + c(-1, 1) * parameters$margin else c(-1, 1) * parameters$intercept
    over_forks(vapply(of_forks, function(at) fit_of(at)$estimate, 0), aim, confidence)
  }
  estimate[names(found)] <- found
  if (misfit) estimate$p_support <- 1
  estimate[c("intercept", "slope", "misfit")] <- list(fit$intercept, fit$slope, misfit)
  words <- if (of_exponent) {
    sprintf(
      "the %s grows with the power %s of the size from %s to %s", measure_phrase(row$measure),
      format_measured(estimate$ratio), row$denominator, row$numerator
    )
  } else {
    sprintf(
      "the %1$s before the first byte is %2$s %% of the %1$s at %3$s", measure_phrase(row$measure),
      format_measured(100 * estimate$ratio), row$numerator
    )
  }
  estimate$sentence <- paste0(words, fit_words(fit), if (nzchar(row$scope)) sprintf(" (%s)", row$scope))
  estimate
}

#' Mean of the estimates of the forks with Student's t over forks, and p values for lying within and beyond a target.
over_forks <- function(values, aim, confidence) {
  n <- length(values)
  se <- stats::sd(values) / sqrt(n)
  p <- target_p_values(mean(values), se, n - 1, aim[1], aim[2], scale = identity)
  ends <- log_interval(mean(values), se, n - 1, confidence, identity)
  list(
    ratio = mean(values), lower = ends$lower, upper = ends$upper, df = n - 1, spread = stats::sd(values),
    p_support = p$p_support, p_refute = p$p_refute, method = "per fork"
  )
}

#' How well the curve fits. Empty if there are only three sizes, which the curve fits exactly.
fit_words <- function(fit) {
  if (is.na(fit$lack_of_fit_p)) return("")
  sprintf(", and the curve misses no size by more than %s %%", format_measured(100 * fit$largest_deviation))
}

# Whether time grows linearly with size: the exponent g of time = a + b size^g. A slope on log-log axes is no
# substitute, because a fixed cost per call bends it: 100 + 2n over 4^2 to 4^8 has slope 0.86.

#' Exponent of growth, with its interval, a test that it is near 1, and a test of the curve's fit.
#'
#' Errors are taken as relative: each squared residual is weighted by 1 / mean time^2 at its size. For every g the best
#' a and b follow by linear least squares. The estimate minimises the profile rss(g) of the remaining squares. With s^2
#' = min rss / (N - 3), the interval contains all g with (rss(g) - min rss) / s^2 up to the F quantile (1, N - 3). See
#' Bates and Watts 1988, section 6.1. The two one-sided tests of |g - 1| <= margin take the signed root of that at 1 -
#' margin and 1 + margin. They compare it with Student's t. Lack of fit is an F test. It compares the deviations of the
#' sizes' means from the curve with the variation between forks at the same size.
#'
#' @param size,time one pair per fork: at least 3 sizes and 4 forks in all
#' @param margin for the exponent, e.g. 0.05
#' @return list: `estimate` of the exponent with its interval; `intercept`, `slope`: a and b; `p_within`: small if
#'   |g - 1| is within the margin; `p_beyond`: small if it is beyond it; `lack_of_fit_p`: small if the curve doesn't
#'   fit, NA below 4 sizes, or without repeated forks; `largest_deviation`: of a size's mean, relative
linearity <- function(size, time, margin, confidence = 0.95) {
  means <- stats::ave(time, size)
  weights <- 1 / means^2
  # Sizes are scaled so that their powers stay near 1.
  largest <- max(size)
  fit_at <- function(g) linear_fit((size / largest)^g, time, weights)
  rss <- function(g) fit_at(g)$rss
  exponent <- lowest_point(rss, exponent_range)
  fit <- fit_at(exponent)
  df <- length(time) - 3L
  # Relative errors below 1e-10 are rounding errors.
  variance <- max(fit$rss / df, 1e-20)
  root <- function(g) sign(exponent - g) * sqrt(max(rss(g) - fit$rss, 0) / variance)
  above <- root(1 - margin)
  below <- -root(1 + margin)
  limit <- stats::qt((1 + confidence) / 2, df)
  fitted <- fit$coefficients[1] + fit$coefficients[2] * (size / largest)^exponent
  c(
    list(
      estimate = exponent, df = df,
      lower = crossing(function(g) root(g) - limit, exponent, exponent_range[1]),
      upper = crossing(function(g) root(g) + limit, exponent, exponent_range[2]),
      intercept = fit$coefficients[1], slope = fit$coefficients[2] / largest^exponent,
      p_within = max(upper_tail(above, df), upper_tail(below, df)),
      p_beyond = min(1, upper_tail(-min(above, below), df) + upper_tail(max(above, below), df))
    ),
    lack_of_fit(size, time, weights, fit$rss, parameters = 3L),
    list(largest_deviation = max(abs(means / fitted - 1)))
  )
}

#' The cost of a call before its first byte, as a share of the time of the largest size. It is a / (a + b) of the
#' straight line time = a + b size / largest, with relative errors as above. Its standard error is by the delta method:
#' the gradient is (b, -a) / (a + b)^2. The exponent is fixed at 1, since a free exponent would absorb any fixed cost.
#'
#' @return list as for `linearity`, with `se`; `slope` is b / largest, `p_within` is small within the margin of 0
fixed_share <- function(size, time, margin, confidence = 0.95) {
  means <- stats::ave(time, size)
  weights <- 1 / means^2
  x <- size / max(size)
  fit <- linear_fit(x, time, weights)
  a <- fit$coefficients[1]
  b <- fit$coefficients[2]
  gradient <- c(b, -a) / (a + b)^2
  # Relative errors below 1e-10 are rounding errors.
  variance <- drop(gradient %*% fit$covariance %*% gradient) * max(fit$rss / fit$df, 1e-20)
  share <- a / (a + b)
  se <- sqrt(variance)
  p <- target_p_values(share, se, fit$df, -margin, margin, scale = identity)
  c(
    list(estimate = share, se = se, df = fit$df, p_within = p$p_support, p_beyond = p$p_refute),
    as.list(log_interval(share, se, fit$df, confidence, identity)[, .(lower, upper)]),
    list(intercept = a, slope = b / max(size)),
    lack_of_fit(size, time, weights, fit$rss, parameters = 2L),
    list(largest_deviation = max(abs(means / (a + b * x) - 1)))
  )
}

#' Range of exponents that are searched.
exponent_range <- c(0.05, 4)

#' The minimum of a function: the best point of a grid, then golden section search around it.
lowest_point <- function(f, range) {
  grid <- seq(range[1], range[2], by = 0.05)
  best <- grid[which.min(vapply(grid, f, 0))]
  stats::optimize(f, pmin(pmax(best + c(-0.05, 0.05), range[1]), range[2]), tol = 1e-9)$minimum
}

#' The point where a function changes sign between two points; the second point if it doesn't.
crossing <- function(f, from, to) {
  if (sign(f(from)) == sign(f(to))) return(to)
  stats::uniroot(f, sort(c(from, to)), tol = 1e-9)$root
}

#' F test of the deviations of group means from a curve against the spread within groups.
lack_of_fit <- function(group, values, weights, rss, parameters) {
  groups <- length(unique(group))
  between_df <- groups - parameters
  within_df <- length(values) - groups
  if (between_df < 1 || within_df < 1) return(list(lack_of_fit_f = NA_real_, lack_of_fit_p = NA_real_))
  within <- sum(weights * (values - stats::ave(values, group))^2)
  f <- (max(rss - within, 0) / between_df) / (within / within_df)
  list(lack_of_fit_f = f, lack_of_fit_p = stats::pf(f, between_df, within_df, lower.tail = FALSE))
}

# A straight line by least squares.

#' Least squares of y = b0 + b1 x, by QR decomposition (certified data sets like NIST's need its digits).
#'
#' @param weights of the squared residuals
#' @return list: `coefficients` b0 and b1, `standard_errors`, `covariance` (of both, over the residual variance),
#'   `residual_sd`, `rss` (weighted sum of squares), `df`
linear_fit <- function(x, y, weights = rep(1, length(x))) {
  scale <- sqrt(weights)
  fit <- stats::.lm.fit(cbind(scale, scale * x), scale * y, tol = 1e-12)
  # Of equal x, no slope can be estimated.
  coefficients <- if (fit$rank == 2L) fit$coefficients else c(fit$coefficients[1], NA_real_)
  rss <- sum(fit$residuals^2)
  df <- length(x) - 2L
  spread <- chol2inv(fit$qr[1:2, ])
  list(
    coefficients = coefficients, standard_errors = sqrt(diag(spread) * rss / df),
    covariance = spread,
    residual_sd = sqrt(rss / df), rss = rss, df = df
  )
}
