# Variance components of nested repetitions (Kalibera and Jones 2013, "Rigorous benchmarking in reasonable time").

#' Components of a balanced design with any number of levels.
#'
#' S_i^2 = sum of (mean at level i-1 minus mean at level i)^2 / [(r_i - 1) * product of r_k for k > i];
#' T_1^2 = S_1^2, T_i^2 = S_i^2 - S_{i-1}^2 / r_{i-1}. The paper prints T in the last term; S is right. A negative T_i^2
#' means no evidence of variation at level i.
#'
#' @param values numeric array; first dimension the lowest level (iteration), last the highest (fork, or build)
#' @return list: `mean`, `s_squared`, `t_squared` (level 1 first, in squared units of the values)
variance_components <- function(values) {
  repetitions <- dim(values)
  levels <- length(repetitions)
  s_squared <- numeric(levels)
  means <- values
  for (level in seq_len(levels)) {
    size <- dim(means) %||% length(means)
    lower <- matrix(means, nrow = size[1])
    upper <- colMeans(lower)
    s_squared[level] <- sum(sweep(lower, 2, upper)^2) / ((size[1] - 1) * ncol(lower))
    means <- if (length(size) > 1) array(upper, size[-1]) else upper
  }
  t_squared <- s_squared - c(0, utils::head(s_squared / repetitions, -1))
  list(mean = mean(values), s_squared = s_squared, t_squared = t_squared)
}

#' The same for two levels when forks differ in their number of iterations (steady states begin at different places).
#'
#' S_1^2 is pooled over forks with their degrees of freedom, S_2^2 is the variance of fork means, and the harmonic mean
#' of the iterations stands for r_1; in a balanced design this is `variance_components`.
#'
#' @param means,sds,counts fork means, standard deviations within forks, iterations of each fork
#' @return list: `s1_squared`, `s2_squared`, `t2_squared`; NA where too few forks or iterations
fork_components <- function(means, sds, counts) {
  inside <- counts > 1
  s1 <- if (any(inside)) sum((counts[inside] - 1) * sds[inside]^2) / sum(counts[inside] - 1) else NA_real_
  s2 <- if (length(means) > 1) stats::var(means) else NA_real_
  list(s1_squared = s1, s2_squared = s2, t2_squared = s2 - s1 * mean(1 / counts))
}
