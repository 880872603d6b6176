# Ratios of two cells that were measured in the same rounds, which both share what the machine did in them.

#' Interval of a log ratio from the covariance of two cells over their common blocks, vectorised.
#'
#' The standard error is that of the difference of the cells' means, s1^2 / n1 + s2^2 / n2 - 2 s12 m / (n1 n2), with m
#' of n1 and n2 blocks in common; where all are, that is Student's paired t on the differences. What one cell was
#' measured in more than the other counts too, and need not be thrown away.
#'
#' After two stages s1, s2 and s12 are of the first stage's common blocks, whatever number of forks they led to: for
#' normal forks the means are independent of that covariance matrix, so that the error over its standard error is
#' Student's t with the first stage's degrees of freedom where all blocks are common (Stein 1945), and has narrower
#' tails where not, since a sum of two such variances varies less than one. A variance over both stages would be one
#' that the first stage, by luck, gave too few forks.
#'
#' @param mean1,n1,mean2,n2 mean of the blocks' log means and number of blocks of either cell
#' @param var1,var2,var_difference variances of the log means and of their difference, over the same `first` blocks
#' @param common number of blocks in common, of both stages; `back` as for `welch_ratio`
#' @return data.table: the columns of `log_interval`, `spread` of one difference, `blocks`, `first`; no interval below 2
#'   first blocks
paired_ratios <- function(
  mean1, n1, mean2, n2, var1, var2, var_difference, common, first = common, confidence = 0.95, back = exp
) {
  covariance <- (var1 + var2 - var_difference) / 2
  squared <- pmax(var1 / n1 + var2 / n2 - 2 * covariance * common / (n1 * n2), 0)
  squared[first < 2] <- NA_real_
  result <- log_interval(mean1 - mean2, sqrt(squared), pmax(first - 1, 1), confidence, back)
  result[, `:=`(spread = sqrt(var_difference), blocks = as.integer(common), first = as.integer(first))][]
}

#' Paired ratios of pairs of cells. A block is a round; for cells of two environments, rounds of the same number.
#' Several forks of a block count as their mean.
#'
#' @param pairs as for `estimate_pairs`; `forks` of `forks_by_measure`, with `log_mean`
#' @return `paired_ratios`, a row per pair
block_ratios <- function(pairs, forks, confidence, back = exp) {
  between <- pairs$numerator_environment != pairs$denominator_environment |
    pairs$numerator_image_id != pairs$denominator_image_id
  parts <- lapply(c(FALSE, TRUE), function(kind) {
    rows <- which(between == kind)
    if (length(rows) == 0) return(NULL)
    paired_blocks(pairs[rows], forks, if (kind) "number" else "round", confidence, back)[, row := rows]
  })
  rbindlist(parts)[order(row)][, row := NULL][]
}

paired_blocks <- function(pairs, forks, block, confidence, back) {
  blocks <- forks[, .(log_mean = mean(log_mean), stage = max(stage, 1L)), by = c(cell_id, block)]
  cells <- blocks[, .(n = .N, mean = mean(log_mean)), by = cell_id]
  sides <- lapply(c("numerator", "denominator"), function(which) side_of(pairs, which)[, pair := .I])
  met <- merge(
    of_pairs(blocks, sides[[1]], block), of_pairs(blocks, sides[[2]], block), by = c("pair", block),
    suffixes = c(".one", ".two")
  )
  met[, `:=`(difference = log_mean.one - log_mean.two, second = stage.one == 2L | stage.two == 2L)]
  common <- met[, .(common = .N), by = pair]
  # Where no block in common is of the second stage, all that they share was measured before any plan.
  moments <- met[second == FALSE, .(
    first = .N, var1 = stats::var(log_mean.one), var2 = stats::var(log_mean.two), var = stats::var(difference)
  ), by = pair]
  own <- moments[common[data.table(pair = seq_len(nrow(pairs))), on = "pair"], on = "pair"]
  own[is.na(common), common := 0L][is.na(first), first := 0L]
  one <- cells[sides[[1]], on = cell_id]
  two <- cells[sides[[2]], on = cell_id]
  own[, paired_ratios(one$mean, one$n, two$mean, two$n, var1, var2, var, common, first, confidence, back)]
}

of_pairs <- function(blocks, side, block) {
  blocks[side, on = cell_id, nomatch = NULL, allow.cartesian = TRUE][
    , c("pair", block, "log_mean", "stage"), with = FALSE
  ]
}
