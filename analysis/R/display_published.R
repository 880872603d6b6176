# The study's own figures for a claim: what its text states, and what its table gives.

#' `stated`: the number in the text, in the claim's unit (NA if there is none); `words`: what it says instead; `table`:
#' its row of published_ratios.csv.
published_figures <- function(data, id, claim) {
  told <- data$experiments[[id]]$claims[[claim]]$published
  which <- study_of(data, id)
  main <- own_numbers(told, data$published[study == which], paste(id, claim))[[1]]
  number <- !main$own_said %in% c("table", "words", "") && is.finite(main$point %||% NA)
  words <- if (nzchar(main$words)) main$words else if (main$own_said == "words") main$own else ""
  table <- data$published_ratios[experiment == id & part == claim]
  list(
    stated = if (number) main$point else NA_real_, words = if (!number && nzchar(words)) words,
    table = if (nrow(table) > 0) as.list(table[1])
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
