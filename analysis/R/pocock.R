# Pocock's boundary (1977): one critical value for every look at data that grow, so that looking often costs no errors.

#' Steps of the numerical integration between the boundaries, an even number; 400 give ten digits.
integration_steps <- 400L

#' Probability that under the null |Z_k| = |z_1 + ... + z_k| / sqrt(k) reaches a critical value at one of some looks.
#'
#' The density of the sum while it has not crossed is carried from look to look by Simpson's rule (Armitage, McPherson
#' and Rowe 1969); what leaves at each look is added up, so that small probabilities keep their digits.
#'
#' @param critical positive; `looks` how many there are in all
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
    density <- drop(stats::dnorm(outer(following, sums, "-")) %*% mass)
    sums <- following
  }
  crossed
}

#' Pocock's critical value for |Z| at every one of `looks`, at a two-sided level.
pocock_constant <- function(looks, level = 0.05) {
  single <- stats::qnorm(level / 2, lower.tail = FALSE)
  # Bonferroni's is too much.
  most <- stats::qnorm(level / (2 * looks), lower.tail = FALSE) + 1e-6
  if (looks == 1) return(single)
  difference <- function(critical) log(crossing_probability(critical, looks) / level)
  stats::uniroot(difference, c(single, most), tol = 1e-10)$root
}

#' Repeated p value (Jennison and Turnbull 1984): the smallest two-sided level at which Pocock's boundary for `looks` is
#' crossed by the largest |Z| so far. It holds at whatever look it is read, and Holm over claims may use it at each
#' (Maurer and Bretz 2013).
#'
#' @param z combined z of the looks so far, of one claim
repeated_p <- function(z, looks) crossing_probability(max(abs(z)), looks)
