# Estimates of ratios of two cells: Welch's over forks, or paired by rounds. If a cell has a second stage, spread and
# degrees of freedom are those of stage one.

#' How two cells are compared: the transformation of the means, and its inverse.
pair_scales <- list(ratio = list(to = log, back = exp), difference = list(to = identity, back = identity))

#' Minimum number of common rounds for a ratio to be paired by rounds. Rounds explain a tenth to two fifths of the
#' variation between forks. With fewer rounds, the degrees of freedom that pairing costs outweigh that gain. The count
#' uses the first stage alone, before any time is seen, so that the choice does not depend on the result.
paired_from <- 8L

#' Estimate every pair of cells. Pairs are paired by rounds if both cells were measured in enough common rounds, or in
#' the same forks (`in_one_programme`). Otherwise the estimate is Welch's. If the run's plan has several interim
#' analyses, the estimate combines the stages (`staged_pairs`).
#'
#' @param pairs data.table with `experiment`, `machine_id`, `protocol`, `measure`; targets; `numerator_environment`,
#'   `numerator_image_id`, `numerator_cell`, the same of the denominator. An empty cell stands for 1. If the sides
#'   differ in protocol: `numerator_protocol` and `denominator_protocol`.
#'
#' @param forks the table of `forks_by_measure`
#'
#' @param lone whether a pair keeps its ratio, without an interval, if a cell has a single fork
#'
#' @param scale an entry of `pair_scales`. For a difference, `ratio` is the numerator less the denominator. Then
#'   `log_ratio` and `se_log` are on the scale of the measure.
#'
#' @param paired whether to pair at all
#'
#' @return `pairs` with the estimates of the dictionary's `contrasts.csv`, and `forks_min`. There is no estimate if a
#'   cell has fewer than 2 forks, or a mean of 0 (CPU time below the clock's resolution).
estimate_pairs <- function(
  pairs, forks, confidence = 0.95, lone = FALSE, scale = pair_scales$ratio, paired = TRUE
) {
  forks <- forks[experiment %in% pairs$experiment & measure %in% pairs$measure]
  looks <- max(1L, forks$looks)
  if (looks > 1) return(staged_pairs(pairs, forks, looks, confidence, lone, scale, paired))
  single_pairs(pairs, forks, confidence, lone, scale, paired)
}

#' `estimate_pairs` of data that are analysed once. They may include Stein's second stage.
single_pairs <- function(pairs, forks, confidence, lone, scale, paired) {
  forks[, log_mean := suppressWarnings(scale$to(mean_ns))]
  cells <- forks[, .(n = .N, mean = mean(log_mean), var = stats::var(log_mean)), by = cell_id]
  cells <- rest_on_first(cells, forks, cell_id, "log_mean")
  one <- cells[side_of(pairs, "numerator"), on = cell_id]
  two <- one_where_none(cells[side_of(pairs, "denominator"), on = cell_id], one, pairs)
  estimates <- welch_ratio(
    one$mean, one$var, one$n, two$mean, two$var, two$n, confidence, one$first, two$first, scale$back
  )
  estimates[, `:=`(spread = sqrt(one$var + two$var), method = "Welch", welch_lower = lower, welch_upper = upper)]
  blocks <- block_ratios(pairs, forks, confidence, scale$back)
  estimates[, blocks := blocks$blocks]
  if (paired) {
    rows <- which(blocks$first >= paired_from | (blocks$first >= 2 & in_one_programme(pairs, forks)))
    estimated <- c("log_ratio", "se_log", "df", "ratio", "lower", "upper", "spread")
    set(estimates, rows, estimated, blocks[rows, estimated, with = FALSE])
    set(estimates, rows, "method", "paired")
  }
  set(estimates, which(!nzchar(pairs$denominator_cell)), "method", "Student")
  p_values <- target_p_values(
    estimates$log_ratio, estimates$se_log, estimates$df, pairs$target_lower, pairs$target_upper, scale = scale$to
  )
  sides <- side_p_values(pairs, function(lower, upper) {
    target_p_values(estimates$log_ratio, estimates$se_log, estimates$df, lower, upper, scale = scale$to)
  })
  result <- cbind(pairs, estimates, p_values, sides, forks_min = pmin(fcoalesce(one$n, 0L), fcoalesce(two$n, 0L)))
  unusable <- !is.finite(result$log_ratio) | is.na(result$se_log) | result$forks_min < 2
  blank <- setdiff(c(names(estimates), "p_support", "p_refute", names(sides)), c("blocks", "method", if (lone) "ratio"))
  if (any(unusable)) set(result, which(unusable), blank, NA_real_)
  set(result, which(unusable), "method", "")
  result[]
}

#' One-sided p values that a pair lies on the side that its claim states, and on the other side. They are NULL if the
#' pairs have no `side_lower` (`with_sides`), and NA if the claim has no side.
#'
#' @param test function(lower, upper) that gives both p values for a target
side_p_values <- function(pairs, test) {
  if (is.null(pairs[["side_lower"]])) return(NULL)
  setNames(as.data.table(test(pairs$side_lower, pairs$side_upper)), c("p_same", "p_opposite"))
}

side_of <- function(pairs, which) {
  own <- as.list(pairs)[c("experiment", paste0(which, "_", side_columns), "machine_id", "protocol", "measure")]
  names(own) <- c("experiment", side_columns, "machine_id", "protocol", "measure")
  own$protocol <- pairs[[paste0(which, "_protocol")]] %||% own$protocol
  setDT(own)[]
}

#' The denominator's side of estimates. A pair without a denominator has exactly 1 there. Welch's degrees of freedom
#' are then n - 1 (n of the first stage, if there are two). The result is the numerator's t interval.
one_where_none <- function(two, one, pairs) {
  none <- which(!nzchar(pairs$denominator_cell))
  if (length(none) > 0) set(two, none, c("n", "first", "mean", "var"), list(one$n[none], one$first[none], 0, 0))
  two
}

# Ratios of two cells that were measured in the same rounds, so that both share the machine's state in them.

#' Interval of a log ratio from the covariance of two cells over their common blocks, vectorised.
#'
#' The standard error of the difference of the cells' means is the root of s1^2 / n1 + s2^2 / n2 - 2 s12 m / (n1 n2).
#' Here m blocks are common to the n1 and n2 blocks of the cells. If all blocks are common, this is Student's paired t
#' on the differences. Blocks of one cell alone count too, and are not discarded.
#'
#' After two stages, s1, s2 and s12 are those of the first stage's common blocks, whatever number of forks they led to.
#' For normal forks the means are independent of that covariance matrix. If all blocks are common, the error over its
#' standard error is Student's t with the first stage's degrees of freedom (Stein 1945). Otherwise its tails are
#' narrower, since a sum of two such variances varies less than one. A variance over both stages would be biased: a
#' first stage with a low variance by chance leads to too few forks.
#'
#' @param mean1,n1,mean2,n2 mean of the blocks' log means and number of blocks of either cell
#'
#' @param var1,var2,var_difference variances of the log means and of their difference, over the same `first` blocks
#'
#' @param common number of blocks in common, of both stages; `back` as for `welch_ratio`
#'
#' @return data.table: the columns of `log_interval`, `spread` of one difference, `blocks`, `first`. There is no
#'   interval if `first` is below 2.
paired_ratios <- function(
  mean1, n1, mean2, n2, var1, var2, var_difference, common, first = common, confidence = 0.95, back = exp
) {
  covariance <- (var1 + var2 - var_difference) / 2
  squared <- pmax(var1 / n1 + var2 / n2 - 2 * covariance * common / (n1 * n2), 0)
  squared[first < 2] <- NA_real_
  result <- log_interval(mean1 - mean2, sqrt(squared), pmax(first - 1, 1), confidence, back)
  result[, `:=`(spread = sqrt(var_difference), blocks = as.integer(common), first = as.integer(first))][]
}

#' Paired ratios of pairs of cells. A block is a round; for cells of two environments, rounds of the same number form a
#' block. The forks of one cell in a block count as their mean.
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
  # Only blocks in which neither cell is in its second stage, since they were measured before any plan.
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

# Ratios of two cells on the log scale: Welch over forks, and one-sided tests against a target interval.

#' Welch's interval of a log ratio, vectorised.
#'
#' Welch-Satterthwaite degrees of freedom: (a + b)^2 / (a^2 / (n1 - 1) + b^2 / (n2 - 1)), a and b the squared standard
#' errors.
#'
#' @param mean1,var1,n1 mean, variance and number of the log fork means of the numerator; `mean2`, ... of the
#'   denominator
#'
#' @param first1,first2 number of values from which each variance was computed, if not from all. After two stages these
#'   are the values of the first (Stein). Stein's N fixes the standard error, so each cell's error is a t variable with
#'   the degrees of freedom of its first stage. The difference of two such errors has wider tails than Welch's df
#'   allows. With 10 first forks the coverage falls to as little as 93.8 %. The df of the smaller first stage replace
#'   Welch's (Chapman 1950). They give a coverage of 95.0 to 95.6 %.
#'
#' @param back from the scale of the means to that of the result: exp for logarithms, identity for a plain difference.
#'
#' @return data.table: `log_ratio`, `se_log`, `df`, `ratio`, `lower`, `upper`
welch_ratio <- function(
  mean1, var1, n1, mean2, var2, n2, confidence = 0.95, first1 = n1, first2 = n2, back = exp
) {
  a <- var1 / n1
  b <- var2 / n2
  se <- sqrt(a + b)
  df <- fifelse(se > 0, (a + b)^2 / (a^2 / (first1 - 1) + b^2 / (first2 - 1)), first1 + first2 - 2)
  staged <- (n1 > first1 | n2 > first2) %in% TRUE
  least <- rep_len(pmin(first1, first2), length(df))
  df[staged] <- fifelse(least > 1, least - 1, NA_real_)[staged]
  log_interval(mean1 - mean2, se, df, confidence, back)
}

log_interval <- function(log_ratio, se_log, df, confidence, back = exp) {
  half <- stats::qt((1 + confidence) / 2, df) * se_log
  data.table(
    log_ratio = log_ratio, se_log = se_log, df = df,
    ratio = back(log_ratio), lower = back(log_ratio - half), upper = back(log_ratio + half)
  )
}

#' One-sided p values that a ratio lies inside and outside its target interval.
#'
#' Inside: two one-sided tests (Schuirmann 1987); the larger p counts. A target that is open on one side needs one
#' test. Outside: the ratio may lie beyond either end. p is the level of the test at the end that the estimate is
#' beyond. The probability of an equally extreme estimate beyond the other end is added. So p is valid for narrow
#' targets too.
#'
#' @param log_ratio,se_log,df estimate on the log scale
#'
#' @param lower,upper the target on the scale of the ratio; 0 and Inf where it is open
#'
#' @param se_above the standard error on the estimate's upper side, if it differs from `se_log` on the lower side
#'
#' @param scale from the target's scale to the estimate's: log, or identity for a plain difference
#' @return data.table: `p_support`, `p_refute`
target_p_values <- function(log_ratio, se_log, df, lower, upper, se_above = se_log, scale = log) {
  from_lower <- log_ratio - scale(lower)
  to_upper <- scale(upper) - log_ratio
  above <- from_lower / fifelse(from_lower > 0, se_log, se_above)
  below <- to_upper / fifelse(to_upper > 0, se_above, se_log)
  above[is.nan(above)] <- 0
  below[is.nan(below)] <- 0
  support <- pmax(upper_tail(above, df), upper_tail(below, df))
  refute <- upper_tail(-pmin(above, below), df) + upper_tail(pmax(above, below), df)
  data.table(p_support = support, p_refute = pmin(refute, 1))
}

upper_tail <- function(t, df) stats::pt(t, df, lower.tail = FALSE)

# Bootstrap-t for ratios of two cells: Welch's interval without Student's distribution (Efron and Tibshirani 1993,
# chapter 16).

#' Bootstrap samples for each contrast, and the generator's start.
ratio_resamples <- 1999L
ratio_seed <- 20260101L

#' Quantiles of t* for two cells: both are resampled, and t* = (difference of means* - difference of means) / standard
#' error*, with Welch's standard error. Resamples without variation have no t* and don't count.
#'
#' @param one,two log fork means, at least 3 each
#'
#' @return numeric of 2: the (1 - confidence) / 2 and (1 + confidence) / 2 quantiles of t*; NA if there are too few
#'   forks
t_star_quantiles <- function(one, two, confidence = 0.95, resamples = ratio_resamples) {
  if (min(length(one), length(two)) < 3) return(c(NA_real_, NA_real_))
  moments <- lapply(list(one, two), function(values) {
    draws <- fork_resamples(values - mean(values), resamples)
    n <- length(values)
    means <- colMeans(draws)
    list(mean = means, squared = pmax(colMeans(draws^2) - means^2, 0) / (n - 1))
  })
  se <- sqrt(moments[[1]]$squared + moments[[2]]$squared)
  # Smaller values can't be distinguished from 0, because of rounding in the sums of squares.
  kept <- se > 1e-7 * sqrt(stats::var(one) / length(one) + stats::var(two) / length(two))
  if (!any(kept)) return(c(NA_real_, NA_real_))
  t_star <- (moments[[1]]$mean - moments[[2]]$mean)[kept] / se[kept]
  stats::quantile(t_star, (1 + c(-1, 1) * confidence) / 2, names = FALSE, type = 6)
}

#' Ratios with bootstrap-t intervals of forks, not paired by rounds, and p values that agree with them.
#'
#' The p values need tails that no number of resamples reaches. Student's t is therefore scaled on each side until its
#' 95 % interval is the bootstrap's. The p values are the tails of the scaled t. `se_log` is that of the wider side.
#'
#' @param pairs,forks as for `estimate_pairs`
#'
#' @return Welch's estimates with new `lower`, `upper`, `se_log`, `p_support`, `p_refute`. Pairs with fewer than 3
#'   forks in a cell keep Welch's.
bootstrap_estimates <- function(pairs, forks, confidence = 0.95) {
  pairs <- estimate_pairs(pairs, forks, confidence, paired = FALSE)
  forks <- forks[experiment %in% pairs$experiment & measure %in% pairs$measure & mean_ns > 0]
  values <- split(log(forks$mean_ns), do.call(paste, c(forks[, cell_id, with = FALSE], sep = "\r")))
  key <- function(which) do.call(paste, c(side_of(pairs, which)[, cell_id, with = FALSE], sep = "\r"))
  one <- key("numerator")
  two <- key("denominator")
  both <- paste(one, two)
  asked <- which(!is.na(pairs$se_log) & pairs$se_log > 0)
  asked <- asked[!duplicated(both[asked])]
  # The generator starts anew for each pair, so that its quantiles do not depend on the other pairs.
  quantiles <- vapply(asked, function(row) {
    with_seed(ratio_seed, t_star_quantiles(values[[one[row]]], values[[two[row]]], confidence))
  }, c(0, 0))
  at <- match(both, both[asked])
  student <- stats::qt((1 + confidence) / 2, pairs$df)
  # The upper quantile gives the lower limit.
  below <- pairs$se_log * pmax(quantiles[2, at], 0) / student
  above <- pairs$se_log * pmax(-quantiles[1, at], 0) / student
  known <- which(is.finite(below) & is.finite(above))
  pairs[known, `:=`(
    lower = exp(log_ratio - (student * below)[known]), upper = exp(log_ratio + (student * above)[known]),
    se_log = pmax(below, above)[known]
  )]
  pairs[known, c("p_support", "p_refute") := target_p_values(
    log_ratio, below[known], df, target_lower, target_upper, above[known]
  )]
  sides <- side_p_values(pairs[known], function(lower, upper) {
    target_p_values(pairs$log_ratio[known], below[known], pairs$df[known], lower, upper, above[known])
  })
  if (!is.null(sides)) set(pairs, known, names(sides), sides)
  pairs[]
}

#' Bootstrap samples of forks, one per column.
fork_resamples <- function(values, resamples) {
  n <- length(values)
  matrix(values[sample.int(n, n * resamples, replace = TRUE)], n)
}
