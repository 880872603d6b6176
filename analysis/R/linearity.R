# Whether time grows linearly with size: the exponent g of time = a + b size^g.
# A slope on log-log axes can't tell: a fixed cost per call bends it (100 + 2n over 4^2 to 4^8 has slope 0.86).

#' Exponent of growth, with its interval, a test that it is near 1, and whether the curve fits.
#'
#' Errors are taken as relative (each squared residual is weighted by 1 / mean time^2 at its size). For every g the best
#' a and b follow by linear least squares; the profile of what remains, rss(g), is smallest at the estimate. With
#' s^2 = min rss / (N - 3), the interval holds all g with (rss(g) - min rss) / s^2 up to the F quantile (1, N - 3)
#' (Bates and Watts 1988, section 6.1), and the two one-sided tests of |g - 1| <= margin take the signed root of that at
#' 1 - margin and 1 + margin for Student's t. Lack of fit: what the curve leaves between the sizes' means against what
#' forks differ by at the same size, an F test.
#'
#' @param size,time one pair per fork: at least 3 sizes and 4 forks in all
#' @param margin for the exponent, e.g. 0.05; `confidence` of the interval
#' @return list: `exponent`, `lower`, `upper`, `intercept`, `slope` (a and b), `p_linear` (small: |g - 1| is within the
#'   margin), `p_not_linear` (small: beyond it), `lack_of_fit_f`, `lack_of_fit_p` (small: the curve doesn't fit; NA
#'   below 4 sizes or without repeated forks), `largest_deviation` (of a size's mean from the curve, relative)
linearity <- function(size, time, margin, confidence = 0.95) {
  means <- stats::ave(time, size)
  weights <- 1 / means^2
  # Sizes are scaled so that powers of them stay near 1.
  largest <- max(size)
  fit_at <- function(g) linear_fit((size / largest)^g, time, weights)
  rss <- function(g) fit_at(g)$rss
  exponent <- lowest_point(rss, exponent_range)
  fit <- fit_at(exponent)
  df <- length(time) - 3L
  # Relative errors below 1e-10 are rounding.
  variance <- max(fit$rss / df, 1e-20)
  root <- function(g) sign(exponent - g) * sqrt(max(rss(g) - fit$rss, 0) / variance)
  above <- root(1 - margin)
  below <- -root(1 + margin)
  limit <- stats::qt((1 + confidence) / 2, df)
  fitted <- fit$coefficients[1] + fit$coefficients[2] * (size / largest)^exponent
  c(
    list(
      exponent = exponent,
      lower = crossing(function(g) root(g) - limit, exponent, exponent_range[1]),
      upper = crossing(function(g) root(g) + limit, exponent, exponent_range[2]),
      intercept = fit$coefficients[1], slope = fit$coefficients[2] / largest^exponent,
      p_linear = max(upper_tail(above, df), upper_tail(below, df)),
      p_not_linear = min(1, upper_tail(-min(above, below), df) + upper_tail(max(above, below), df))
    ),
    lack_of_fit(size, time, weights, fit$rss, parameters = 3L),
    list(largest_deviation = max(abs(means / fitted - 1)))
  )
}

#' What a call takes before its first byte, as a share of the time of the largest size: a / (a + b) of the straight line
#' time = a + b size / largest, with relative errors as above. Its standard error by the delta method: the gradient is
#' (b, -a) / (a + b)^2. The exponent is held at 1 here, since a free one takes any fixed cost up.
#'
#' @inheritParams linearity
#' @return list: `share`, `lower`, `upper`, `df`, `se`, `p_within` (small: within the margin of 0), `p_beyond`,
#'   `intercept`, `slope` (a and b / largest), `lack_of_fit_p`, `largest_deviation` as for `linearity`, of the line
fixed_share <- function(size, time, margin, confidence = 0.95) {
  means <- stats::ave(time, size)
  weights <- 1 / means^2
  x <- size / max(size)
  fit <- linear_fit(x, time, weights)
  a <- fit$coefficients[1]
  b <- fit$coefficients[2]
  gradient <- c(b, -a) / (a + b)^2
  # Relative errors below 1e-10 are rounding.
  variance <- drop(gradient %*% fit$covariance %*% gradient) * max(fit$rss / fit$df, 1e-20)
  share <- a / (a + b)
  se <- sqrt(variance)
  p <- target_p_values(share, se, fit$df, -margin, margin, scale = identity)
  c(
    list(share = share, se = se, df = fit$df, p_within = p$p_support, p_beyond = p$p_refute),
    as.list(log_interval(share, se, fit$df, confidence, identity)[, .(lower, upper)]),
    list(intercept = a, slope = b / max(size)),
    lack_of_fit(size, time, weights, fit$rss, parameters = 2L),
    list(largest_deviation = max(abs(means / (a + b * x) - 1)))
  )
}

#' Exponents that are looked at.
exponent_range <- c(0.05, 4)

#' Where a function is lowest: the best of a grid, then golden section around it.
lowest_point <- function(f, range) {
  grid <- seq(range[1], range[2], by = 0.05)
  best <- grid[which.min(vapply(grid, f, 0))]
  stats::optimize(f, pmin(pmax(best + c(-0.05, 0.05), range[1]), range[2]), tol = 1e-9)$minimum
}

#' Where a function changes sign between two points; the far one if it doesn't.
crossing <- function(f, from, to) {
  if (sign(f(from)) == sign(f(to))) return(to)
  stats::uniroot(f, sort(c(from, to)), tol = 1e-9)$root
}

#' F test of what a curve leaves between group means against the spread within groups.
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
#' @param x,y numeric; `weights` of the squared residuals
#' @return list: `coefficients` b0 and b1, `standard_errors`, `covariance` (of both, over the residual variance),
#'   `residual_sd`, `rss` (weighted sum of squares), `df`
linear_fit <- function(x, y, weights = rep(1, length(x))) {
  scale <- sqrt(weights)
  design <- qr(cbind(scale, scale * x), tol = 1e-12)
  coefficients <- qr.coef(design, scale * y)
  rss <- sum(qr.resid(design, scale * y)^2)
  df <- length(x) - 2L
  spread <- chol2inv(qr.R(design))
  list(
    coefficients = unname(coefficients), standard_errors = sqrt(diag(spread) * rss / df),
    covariance = spread,
    residual_sd = sqrt(rss / df), rss = rss, df = df
  )
}
