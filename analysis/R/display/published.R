# The study's own figures for a claim: what its text states, and what its table gives.

#' The ratio of two printed numbers with its 95 % interval, from JMH's 99.9 % half-widths over n iterations.
#' The errors are carried on the log scale; the interval is of one JVM's iterations, so it is too narrow.
table_ratio <- function(published, study, table) {
  pick <- function(name) published[published$study == study & published$quantity == name, ][1, ]
  a <- pick(table$numerator)
  b <- pick(table$denominator)
  ratio <- a$value / b$value
  if (!is.finite(ratio)) return(NULL)
  se <- function(x) x$error / stats::qt(0.9995, x$n - 1) / x$value
  known <- all(is.finite(c(a$error, b$error, a$n, b$n))) && all(grepl("JMH 99.9", c(a$error_kind, b$error_kind)))
  if (!known) return(list(ratio = ratio, lower = NA_real_, upper = NA_real_))
  variance <- c(se(a), se(b))^2
  df <- sum(variance)^2 / sum(variance^2 / (c(a$n, b$n) - 1))
  half <- stats::qt(0.975, df) * sqrt(sum(variance))
  list(ratio = ratio, lower = ratio * exp(-half), upper = ratio * exp(half))
}

#' `stated`: the number in the text, in the claim's unit (NA if there is none); `words`: what it says instead; `table`:
#' see table_ratio, of the printed numbers whose ratio is the claim's, or of the only ones that contradict it.
published_figures <- function(data, id, claim) {
  told <- data$experiments[[id]]$claims[[claim]]$published
  which <- study_of(data, id)
  main <- own_numbers(told, data$published[study == which], paste(id, claim))[[1]]
  number <- !main$own_said %in% c("table", "words", "") && is.finite(main$point %||% NA)
  words <- if (nzchar(main$words)) main$words else if (main$own_said == "words") main$own else ""
  table <- told$table %||% if (length(told$contradicts) == 1) told$contradicts[[1]]$table
  list(
    stated = if (number) main$point else NA_real_, words = if (!number && nzchar(words)) words,
    table = if (!is.null(table)) table_ratio(data$published, which, table)
  )
}

#' The study's figures in words: "1000; its table gives 278.2 [272.8, 283.7]".
describe_published <- function(figures) {
  said <- c(
    figures$words, if (is.finite(figures$stated)) format_significant_plain(figures$stated),
    if (!is.null(figures$table)) {
      shown <- format_interval(figures$table$ratio, figures$table$lower, figures$table$upper)
      bounds <- if (is.finite(figures$table$lower)) paste0(" ", shown$interval)
      paste0(if (is.finite(figures$stated)) "its table: " else "the table: ", shown$estimate, bounds)
    }
  )
  if (length(said) == 0) "no figure" else paste(said, collapse = "; ")
}

#' A stated number as the study wrote it, no digits added: 1000, 1.3.
format_significant_plain <- function(x) {
  decimals <- nchar(sub("^[^.]*\\.?", "", format(x, scientific = FALSE, digits = 10, drop0trailing = TRUE)))
  format_fixed(x, decimals)
}

#' Where the study's stated figure and its own table disagree beyond the claim's margin, a sentence that says so.
describe_own_table <- function(figures, claim) {
  if (is.null(figures$table) || !is.finite(figures$stated)) return("")
  within <- as.numeric(claim$parameters$within %||% NA)
  shown <- format_interval(figures$table$ratio, figures$table$lower, figures$table$upper)
  apart <- exp(abs(log(figures$stated / figures$table$ratio)))
  disagree <- is.finite(within) && apart > within
  paste0(
    "The study says about ", format_significant_plain(figures$stated), "; its own table gives ", shown$estimate,
    if (is.finite(figures$table$lower)) paste0(" ", shown$interval), ", ",
    if (disagree) {
      paste0(
        format_significant(apart, 2), " times ", if (figures$table$ratio < figures$stated) "less" else "more",
        ". The study's text and table contradict each other."
      )
    } else {
      "which agrees within the claim's margin."
    }
  )
}
