# Ratios of runs whose plan looks at the data several times: each stage is tested by its own forks alone, and the tests
# are combined (combination.R), so that what was measured next may depend on all that was seen.

#' Fewest forks of a cell in a stage for the stage to have a test. A smaller rest of one, which time ran out on, is left
#' out of the test by its number alone.
least_stage_forks <- 3L

#' Pairs estimated from combined stages.
#'
#' `lower` and `upper` are the repeated confidence interval for all `looks`, `ratio` its middle; `p_support` and
#' `p_refute` repeated p values, by the largest combined Z so far. `se_log` is that of the t interval, at the `df` of
#' the smallest stage, which is as wide. `z_lower`, `z_upper`: the combined Z at the target's ends; `stages`: how many
#' have a test. A run may have more stages than a pair has looks: its test is of the first `looks` stages that have one
#' of it, and what was measured later for other pairs is left out.
#'
#' @param pairs,forks,confidence,lone,scale,paired as for `estimate_pairs`; `looks` planned in all
#' @return as `estimate_pairs`
staged_pairs <- function(pairs, forks, looks, confidence, lone, scale, paired) {
  of <- function(rows) single_pairs(pairs, copy(rows)[, stage := 1L], confidence, lone, scale, paired)
  result <- of(forks)[, `:=`(z_lower = NA_real_, z_upper = NA_real_)]
  stages <- lapply(split(forks, forks$stage), of)
  column <- function(name) do.call(cbind, lapply(stages, `[[`, name))
  usable <- column("forks_min") >= least_stage_forks & is.finite(column("log_ratio")) & column("se_log") > 0
  usable[is.na(usable)] <- FALSE
  so_far <- usable %*% upper.tri(diag(ncol(usable)), diag = TRUE)
  usable <- usable & so_far <= looks
  critical <- known_constant(looks, 1 - confidence)
  patterns <- apply(usable, 1, function(row) paste(which(row), collapse = " "))
  for (pattern in setdiff(unique(patterns), "")) {
    rows <- which(patterns == pattern)
    own <- as.integer(strsplit(pattern, " ", fixed = TRUE)[[1]])
    part <- lapply(c(log_ratio = "log_ratio", se_log = "se_log", df = "df"), function(name) {
      column(name)[rows, own, drop = FALSE]
    })
    combined <- combined_interval(part$log_ratio, part$se_log, part$df, critical)
    df <- apply(part$df, 1, min)
    half <- (combined$upper - combined$lower) / 2
    set(result, rows, c("log_ratio", "ratio", "lower", "upper", "df", "se_log"), list(
      combined$middle, scale$back(combined$middle), scale$back(combined$lower), scale$back(combined$upper), df,
      half / stats::qt((1 + confidence) / 2, df)
    ))
    limits <- lapply(list(pairs$target_lower, pairs$target_upper), function(limit) scale$to(limit[rows]))
    set(result, rows, c("p_support", "p_refute"), staged_p_values(part, limits[[1]], limits[[2]], looks))
    set(result, rows, c("z_lower", "z_upper"), lapply(limits, function(limit) {
      combined_z(stage_z(part$log_ratio, part$se_log, part$df, limit))
    }))
    set(result, rows, "method", stages[[max(own)]]$method[rows])
  }
  # Two forks make a ratio and no test.
  none <- which(patterns == "")
  blank <- c("log_ratio", "se_log", "df", "lower", "upper", "p_support", "p_refute", if (!lone) "ratio")
  set(result, none, blank, NA_real_)
  set(result, none, "method", "")
  set(result, j = c("welch_lower", "welch_upper"), value = NA_real_)
  set(result, j = "stages", value = rowSums(usable))
  result[]
}

#' One-sided repeated p values for a ratio's lying inside and outside its target, as `target_p_values` has them of a
#' single test: at the end that the estimate is beyond, with what is as extreme beyond the other one.
#'
#' @param part list of matrices `log_ratio`, `se_log`, `df`, a column for each stage; `lower`, `upper` on their scale,
#'   infinite where open
#' @return list: p of lying inside, p of lying outside
staged_p_values <- function(part, lower, upper, looks) {
  above <- function(limit, sign) {
    z <- stage_z(part$log_ratio, part$se_log, part$df, limit)
    looks_so_far <- lapply(seq_len(ncol(z)), function(k) sign * combined_z(z[, seq_len(k), drop = FALSE]))
    one_sided_p(do.call(pmax, looks_so_far), looks)
  }
  over_lower <- above(lower, 1)
  over_upper <- above(upper, 1)
  under_lower <- above(lower, -1)
  under_upper <- above(upper, -1)
  outside <- fifelse(under_lower <= over_upper, under_lower + under_upper, over_upper + over_lower)
  list(pmax(over_lower, under_upper), pmin(outside, 1))
}

#' Half of the two-sided repeated p value of the largest Z so far; not below a half where no look was on that side.
one_sided_p <- function(z, looks) {
  p <- stats::pnorm(-z)
  positive <- which(z > 0)
  p[positive] <- crossing_table(looks)(z[positive]) / 2
  p
}

crossing_tables <- new.env()

#' `pocock_constant`, computed once for a level.
known_constant <- function(looks, level) {
  name <- sprintf("%d at %.15g", as.integer(looks), level)
  if (is.null(crossing_tables[[name]])) crossing_tables[[name]] <- pocock_constant(looks, level)
  crossing_tables[[name]]
}

#' `crossing_probability` as a function of many critical values: its logarithm between knots, by a cubic spline; beyond
#' them Bonferroni's bound.
crossing_table <- function(looks) {
  name <- as.character(looks)
  if (is.null(crossing_tables[[name]])) {
    knots <- seq(0, 12, by = 0.05)
    logs <- stats::splinefun(knots, log(vapply(knots, crossing_probability, 0, looks = looks)))
    crossing_tables[[name]] <- function(z) {
      fifelse(z <= max(knots), exp(logs(pmin(z, max(knots)))), pmin(1, 2 * looks * stats::pnorm(-z)))
    }
  }
  crossing_tables[[name]]
}
