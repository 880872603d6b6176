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
