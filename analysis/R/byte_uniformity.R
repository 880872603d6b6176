# Whether bytes are spread evenly, as those of a good cipher or hash are.

#' Pearson's chi-square test of even counts, Shannon's entropy, and the spread of the counts.
#'
#' chi^2 = sum (count - N/256)^2 / (N/256), 255 degrees of freedom; p is its upper tail, which is small for bytes that
#' are too uneven (and near 1 for bytes that are too even to be random). H = -sum p log2 p, in bits a byte.
#'
#' @param counts of the 256 byte values
#' @return list: `chi_square`, `p`, `entropy`, `sd` (of the counts, n - 1), `min`, `max`
byte_uniformity <- function(counts) {
  expected <- sum(counts) / length(counts)
  chi_square <- sum((counts - expected)^2) / expected
  share <- counts[counts > 0] / sum(counts)
  list(
    chi_square = chi_square, p = stats::pchisq(chi_square, length(counts) - 1, lower.tail = FALSE),
    entropy = -sum(share * log2(share)), sd = stats::sd(counts), min = min(counts), max = max(counts)
  )
}
