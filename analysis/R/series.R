# Series of cells that differ in the size alone, for claims about how time grows with it.

#' The exponent of every series, or the share of its fixed cost, as its estimate.
#'
#' @param pairs rows of claim_pairs.csv with `series` and `sizes`; `forks` the table of `forks_by_measure`
#' @param parameters of the claim: `deviation`, and `margin` or `intercept`
#' @return `pairs` with the columns that `estimate_pairs` adds; `ratio` is the exponent or the fixed share, and there is
#'   no log ratio; `spread` is the standard error's that one fork a cell would leave. A series with fewer than 2 forks
#'   in a cell, or a mean of 0, has no estimate.
estimate_series <- function(pairs, forks, parameters, confidence = 0.95) {
  found <- rbindlist(lapply(seq_len(nrow(pairs)), function(i) {
    row <- pairs[i]
    own <- forks[
      experiment == row$experiment & environment == row$numerator_environment & image_id == row$numerator_image_id &
        machine_id == row$machine_id & protocol == row$protocol & measure == row$measure
    ]
    sizes <- as.numeric(strsplit(row$sizes, ";", fixed = TRUE)[[1]])
    at <- match(own$cell, strsplit(row$series, ";", fixed = TRUE)[[1]])
    times <- own$mean_ns[!is.na(at)]
    size <- sizes[at[!is.na(at)]]
    counts <- tabulate(match(size, sizes), length(sizes))
    forks <- paste(own$round, own$fork)[!is.na(at)]
    # All sizes of a fork are of one programme: what differs between forks is in all of them.
    if (length(times) > 0 && all(table(forks) == length(sizes)) && uniqueN(forks) > 1 && all(times > 0)) {
      return(as.data.table(c(
        programme_estimate(row, size, times, forks, parameters, confidence), forks_min = min(counts)
      )))
    }
    as.data.table(c(series_estimate(row, size, times, min(counts), parameters, confidence), forks_min = min(counts)))
  }))
  cbind(pairs, found)
}

series_estimate <- function(row, size, times, least, parameters, confidence) {
  blank <- as.list(stats::setNames(rep(NA_real_, 9), c(
    "ratio", "lower", "upper", "log_ratio", "se_log", "df", "welch_lower", "welch_upper", "spread"
  )))
  told <- c(blank, list(
    method = "", blocks = 0L, p_support = NA_real_, p_refute = NA_real_, intercept = NA_real_, slope = NA_real_,
    sentence = "", misfit = FALSE
  ))
  if (least < 2 || any(times <= 0)) return(told)
  found <- if (is.null(parameters$intercept)) {
    fit <- linearity(size, times, parameters$margin, confidence)
    list(
      fit = fit, numbers = c(fit$exponent, fit$lower, fit$upper, length(times) - 3),
      p = c(fit$p_linear, fit$p_not_linear),
      words = sprintf(
        "the %s grows with the power %s of the size from %s to %s", measure_phrase(row$measure),
        format_plain(fit$exponent), row$denominator, row$numerator
      )
    )
  } else {
    fit <- fixed_share(size, times, parameters$intercept, confidence)
    list(
      fit = fit, numbers = c(fit$share, fit$lower, fit$upper, fit$df), p = c(fit$p_within, fit$p_beyond),
      words = sprintf(
        "of the %s at %s, %s %% is there before the first byte", measure_phrase(row$measure), row$numerator,
        format_plain(100 * fit$share)
      )
    )
  }
  fit <- found$fit
  misfit <- isTRUE(fit$lack_of_fit_p < 0.05) && fit$largest_deviation > parameters$deviation
  told[c("ratio", "lower", "upper", "df")] <- as.list(found$numbers)
  told[c("intercept", "slope")] <- list(fit$intercept, fit$slope)
  half <- (fit$upper - fit$lower) / 2
  told$spread <- half / stats::qt((1 + confidence) / 2, told$df) * sqrt(least)
  told$misfit <- misfit
  told$p_support <- if (misfit) 1 else found$p[1]
  told$p_refute <- found$p[2]
  scope <- if (nzchar(row$scope)) sprintf(" (%s)", row$scope) else ""
  told$sentence <- paste0(found$words, scope, fit_words(fit))
  told
}

#' The same where each fork has all sizes: exponent or fixed share of each fork, then Student's t over forks. The
#' curve must fit the means over forks, whose sizes it may miss by the part `deviation`.
programme_estimate <- function(row, size, times, forks, parameters, confidence) {
  told <- series_estimate(row, size, times, 2, parameters, confidence)
  margin <- parameters$intercept %||% parameters$margin
  of_forks <- vapply(split(seq_along(times), forks), function(at) {
    if (is.null(parameters$intercept)) {
      linearity(size[at], times[at], margin, confidence)$exponent
    } else {
      fixed_share(size[at], times[at], margin, confidence)$share
    }
  }, 0)
  n <- length(of_forks)
  centre <- if (is.null(parameters$intercept)) 1 else 0
  spread <- stats::sd(of_forks)
  p <- target_p_values(mean(of_forks), spread / sqrt(n), n - 1, centre - margin, centre + margin, scale = identity)
  ends <- log_interval(mean(of_forks), spread / sqrt(n), n - 1, confidence, identity)
  told[c("ratio", "lower", "upper", "df", "spread")] <- list(mean(of_forks), ends$lower, ends$upper, n - 1, spread)
  told[c("p_support", "p_refute")] <- list(if (told$misfit) 1 else p$p_support, p$p_refute)
  told[["method"]] <- "per fork"
  told
}

#' How well the curve fits; nothing where three sizes leave it nothing to miss.
fit_words <- function(fit) {
  if (is.na(fit$lack_of_fit_p)) return("")
  sprintf("; the curve misses no size by more than %s %%", format_plain(100 * fit$largest_deviation))
}
