# How many repetitions of a lower level pay off (Kalibera and Jones 2013, section 5).

#' Best number of repetitions at every level but the highest.
#'
#' r_i = ceil(sqrt(c_{i+1} / c_i * T_i^2 / T_{i+1}^2)): minimises the variance of the mean at a given cost. Repeating at
#' level i costs c_i, e.g. one iteration; a repetition at level i + 1 costs c_{i+1} besides what is repeated in it, e.g.
#' the start and the warm-up of a fork.
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
