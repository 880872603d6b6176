# Estimates of ratios of two cells: Welch's over forks, or paired by rounds. Where a cell has a second
# stage, spread and degrees of freedom are stage one's.

#' How two cells are compared: to the scale that means are taken on, and back.
pair_scales <- list(ratio = list(to = log, back = exp), difference = list(to = identity, back = identity))

#' Common rounds from which on a ratio is paired by rounds. Rounds explain a tenth to two fifths of what forks differ
#' by; with fewer the degrees of freedom that pairing costs outweigh that. Counted before any time is looked at, in the
#' first stage alone, so that no choice depends on what it decides about.
paired_from <- 8L

#' Estimate every pair of cells: paired by rounds where both were measured in enough of the same, or in the same forks
#' (`in_one_programme`), else Welch's; from
#' combined stages (`staged_pairs`) where the run's plan looks at its data more than once.
#'
#' @param pairs data.table with `experiment`, `machine_id`, `protocol`, `measure`; `numerator_environment`,
#'   `numerator_image_id`, `numerator_cell`, the same of the denominator (an empty cell stands for 1); targets; where
#'   the sides differ in it, `numerator_protocol` and `denominator_protocol`
#' @param forks the table of `forks_by_measure`
#' @return `pairs` with the estimates of the dictionary's `contrasts.csv`, and `forks_min`. A pair of which a cell has
#'   fewer than 2 forks, or a mean of 0 (CPU time below its clock), has no estimate.
#' @param lone whether a pair keeps its ratio, without an interval, where a cell has a single fork
#' @param scale an entry of `pair_scales`: for a difference `ratio` is the numerator less the denominator, `log_ratio`
#'   and `se_log` are on the measure's own scale
#' @param paired whether to pair at all
estimate_pairs <- function(
  pairs, forks, confidence = 0.95, lone = FALSE, scale = pair_scales$ratio, paired = TRUE
) {
  forks <- forks[experiment %in% pairs$experiment & measure %in% pairs$measure]
  looks <- max(1L, forks$looks)
  if (looks > 1) return(staged_pairs(pairs, forks, looks, confidence, lone, scale, paired))
  single_pairs(pairs, forks, confidence, lone, scale, paired)
}

#' `estimate_pairs` of data that are looked at once; Stein's second stage may be among them.
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

#' One-sided p values for a pair's lying on the side that its claim says, and on the other one; none where the pairs
#' have no `side_lower` (`with_sides`), NA where the claim has no side.
#'
#' @param test function(lower, upper) to both p values for a target
side_p_values <- function(pairs, test) {
  if (is.null(pairs[["side_lower"]])) return(NULL)
  setNames(as.data.table(test(pairs$side_lower, pairs$side_upper)), c("p_same", "p_opposite"))
}

side_of <- function(pairs, which) {
  own <- pairs[, c("experiment", paste0(which, "_", side_columns), "machine_id", "protocol", "measure"), with = FALSE]
  setnames(own, paste0(which, "_", side_columns), side_columns)
  own[, protocol := pairs[[paste0(which, "_protocol")]] %||% protocol][]
}

#' The denominator's side of estimates: where a pair has none it is 1 exactly, which leaves the numerator's own t
#' interval, since Welch's degrees of freedom are n - 1 then (of its first stage, where it has two).
one_where_none <- function(two, one, pairs) {
  none <- which(!nzchar(pairs$denominator_cell))
  if (length(none) > 0) set(two, none, c("n", "first", "mean", "var"), list(one$n[none], one$first[none], 0, 0))
  two
}

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

# Ratios of two cells on the log scale: Welch over forks, and one-sided tests against a target interval.

#' Welch's interval of a log ratio, vectorised.
#'
#' Welch-Satterthwaite degrees of freedom: (a + b)^2 / (a^2 / (n1 - 1) + b^2 / (n2 - 1)), a and b the squared standard
#' errors.
#'
#' @param mean1,var1,n1 mean, variance and number of the log fork means of the numerator; `mean2`, ... of the
#'   denominator
#' @param first1,first2 number of values that each variance is of, where it is not of all: after two stages those of the
#'   first (Stein). Stein's N fixes the standard error, so that each cell's error is a t variable of its own first
#'   stage, and their difference has wider tails than Welch's df allows: at 10 forks first down to 93.8 %
#'   are covered. That of the smaller first stage takes its place (Chapman 1950), which covers 95.0 to 95.6 %
#' @param back from the scale of the means to that of the result: exp for logarithms, identity for a plain difference
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

#' One-sided p values for a ratio's lying inside and outside its target interval.
#'
#' Inside: two one-sided tests (Schuirmann 1987), the larger p; one test where the target is open on one side. Outside:
#' the ratio may lie beyond either end. At the end that the estimate is beyond, the test's level is p; an estimate as
#' extreme beyond the other end adds its probability there, so that p holds for narrow targets too.
#'
#' @param log_ratio,se_log,df estimate on the log scale
#' @param lower,upper the target on the ratio's own scale; 0 and Inf where it is open
#' @param se_above the standard error on the estimate's upper side, where it differs from `se_log`, the lower one's
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
#' @return numeric of 2: the (1 - confidence) / 2 and (1 + confidence) / 2 quantiles of t*; NA where there are too few
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
  # Sums of squares can't tell less than this from 0.
  kept <- se > 1e-7 * sqrt(stats::var(one) / length(one) + stats::var(two) / length(two))
  if (!any(kept)) return(c(NA_real_, NA_real_))
  t_star <- (moments[[1]]$mean - moments[[2]]$mean)[kept] / se[kept]
  stats::quantile(t_star, (1 + c(-1, 1) * confidence) / 2, names = FALSE, type = 6)
}

#' Ratios with bootstrap-t intervals of forks, whatever rounds they are of, and p values that agree with them.
#'
#' The p values need tails that no number of resamples reaches. So Student's t is stretched on each side until its 95 %
#' interval is the bootstrap's, and its tails are taken. `se_log` is the wider side's.
#'
#' @param pairs,forks as for `estimate_pairs`
#' @return Welch's estimates with `lower`, `upper`, `se_log`, `p_support`, `p_refute` anew; pairs with fewer than 3
#'   forks in a cell keep Welch's
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
  quantiles <- with_seed(ratio_seed, vapply(asked, function(row) {
    t_star_quantiles(values[[one[row]]], values[[two[row]]], confidence)
  }, c(0, 0)))
  at <- match(both, both[asked])
  student <- stats::qt((1 + confidence) / 2, pairs$df)
  # The upper quantile makes the lower end.
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
