# p values adjusted for their number. Missing ones are passed over and don't count.

#' Holm's step-down adjustment (Holm 1979): the probability of any wrong rejection stays below alpha.
#'
#' @param p p values
#' @return adjusted p values, in the order given
holm <- function(p) stats::p.adjust(p, "holm")

#' Benjamini and Hochberg's step-up adjustment (1995): the expected share of wrong rejections among all stays below
#' alpha.
#'
#' @inheritParams holm
benjamini_hochberg <- function(p) stats::p.adjust(p, "BH")
