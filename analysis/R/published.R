# The studies' own numbers.

#' The numbers of all files of a directory in one table, followed by those that experiments define themselves.
#'
#' @param experiments of definitions.json; `published` of one is a list of rows
#' @section Errors: refuses a file that lacks study, quantity or value, and text in the place of a number.
published_values <- function(folder, experiments = list()) {
  types <- c(
    typed("c", "study", "quantity", "unit", "error_kind", "place", "said", "words", "kind", "claims", "note"),
    typed("n", "value", "error", "n", "lower", "upper")
  )
  files <- sort(list.files(folder, "\\.csv$", full.names = TRUE), method = "radix")
  own <- unlist(lapply(unname(experiments), function(experiment) lapply(experiment$published, as.data.table)), FALSE)
  tables <- c(lapply(files, read_numbers, names(types)[types == "n"]), own)
  with_columns(rbindlist(tables, fill = TRUE), types)
}

#' A file of the studies' numbers. Each value must be a number or empty.
read_numbers <- function(file, numbers) {
  table <- read_table(file, c("study", "quantity", "value"))
  for (column in intersect(numbers, names(table))) {
    # R treats bytes that are not UTF-8 as an invalid number, and stops.
    texts <- one_line(as.character(table[[column]]))
    wrong <- which(!is.na(texts) & !is.finite(suppressWarnings(as.numeric(texts))))[1]
    if (!is.na(wrong)) refuse(
      file, sprintf("%s of '%s' is '%s'", column, one_line(table$quantity[wrong]), texts[wrong]),
      "a number, or nothing", "correct it as the study prints it"
    )
  }
  table
}

# Ratios of numbers that a study printed itself, for the claims to which its table relates.

#' The ratio that a study's table gives, for each claim that names one. It is the ratio of the printed numbers that the
#' claim is about. If the only contradicting numbers are in a table, it is the ratio of those.
#'
#' @return the table `published_ratios.csv` of the dictionary
published_ratios <- function(definitions, published) {
  rows <- lapply(definitions$experiments, function(experiment) {
    own <- published[study == (experiment$study$id %||% experiment$id)]
    lapply(names(experiment$claims), function(id) {
      stated <- experiment$claims[[id]]$published
      table <- stated$table %||% if (length(stated$contradicts) == 1) stated$contradicts[[1]]$table
      found <- if (!is.null(table)) printed_ratio(own, table)
      if (!is.null(found)) c(list(experiment = experiment$id, part = id), found)
    })
  })
  blank <- data.table(experiment = "", part = "", ratio = 0, lower = 0, upper = 0)[0]
  rbindlist(c(list(blank), unlist(rows, recursive = FALSE)), use.names = TRUE)
}

#' The ratio of two printed numbers with its 95 % interval, from JMH's 99.9 % half-widths over n iterations. The errors
#' are propagated on the log scale. The interval covers the iterations of one JVM, so it is too narrow.
printed_ratio <- function(published, table) {
  pick <- function(name) published[quantity == name][1]
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

# The study's figures for a claim: the statement in its text, and the result from its table.

#' `stated`: the number in the text, in the claim's unit (NA if there is none). Without a number, `words` has the
#' text's statement. `table` is the claim's row of published_ratios.csv.
published_figures <- function(data, id, claim) {
  stated <- data$experiments[[id]]$claims[[claim]]$published
  which <- study_of(data, id)
  main <- own_numbers(stated, data$published[study == which], paste(id, claim))[[1]]
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

#' A stated number as the study wrote it, without added digits: 1000, 1.3.
format_significant_plain <- function(x) {
  decimals <- nchar(sub("^[^.]*\\.?", "", format(x, scientific = FALSE, digits = 10, drop0trailing = TRUE)))
  format_fixed(x, decimals)
}

#' A sentence for a study whose stated figure and table differ by more than the claim's margin; empty for others.
describe_own_table <- function(figures, claim) {
  if (is.null(figures$table) || !is.finite(figures$stated)) return("")
  apart <- exp(abs(log(figures$stated / figures$table$ratio)))
  if (!isTRUE(apart > as.numeric(claim$parameters$within %||% NA))) return("")
  shown <- format_interval(figures$table$ratio, figures$table$lower, figures$table$upper)
  paste0(
    "The study says about ", format_significant_plain(figures$stated), "; its own table gives ", shown$estimate,
    if (is.finite(figures$table$lower)) paste0(" ", shown$interval), ", ", format_significant(apart, 2), " times ",
    if (figures$table$ratio < figures$stated) "less" else "more", ". The study's text and table contradict each other."
  )
}

# A study's numbers in the units of its claims, and the verdicts that the claims' encoding gives for them.

#' The numbers that a study has for a claim, as lists of `point` (a number, or NULL), `order` (levels, or NULL), `own`
#' (the number in words), `own_said` (how the study states it: a value of `said` in data/published, or `table`),
#' `words`, `expected`.
own_numbers <- function(stated, published, where) {
  expected <- stated$expect %||% "holds"
  main <- c(
    list(Filter(function(value) !is.null(value), stated[setdiff(names(stated), c("table", "contradicts"))])),
    if (!is.null(stated$table)) list(list(table = stated$table))
  )
  # If there is only a table, it is the study's number, not a second one.
  if (length(main) > 1 && !any(c("reading", "order", "direction", "stands_for") %in% names(main[[1]]))) main <- main[-1]
  against <- lapply(stated$contradicts, function(entry) c(entry, list(expected = "does-not-hold")))
  lapply(c(main, against), function(entry) {
    c(one_number(entry, published, where), list(expected = entry$expected %||% expected))
  })
}

one_number <- function(stated, published, where) {
  row <- function(name) {
    found <- published[quantity == name]
    if (nrow(found) == 1) return(found)
    refuse("data/published", sprintf("lacks '%s', which %s names", name, where), "one row of it", "correct either")
  }
  known <- if (!is.null(stated$quantity)) row(stated$quantity)
  words <- stated$words %||% known[["words"]] %||% ""
  if (is.na(words)) words <- ""
  given <- function(point, own, said, ranked = NULL) {
    list(point = point, order = ranked, own = own, own_said = said, words = words)
  }
  if (!is.null(stated$table)) {
    value <- row(stated$table$numerator)$value / row(stated$table$denominator)$value
    return(given(value, format_plain(value), "table"))
  }
  if (!is.null(stated$reading)) {
    share <- known$value / 100
    value <- switch(stated$reading, value = known$value, add = 1 + share, less = 1 - share, share = share)
    return(given(value, format_plain(value), known[["said"]] %||% "exact"))
  }
  if (!is.null(stated$stands_for)) return(given(stated$stands_for, format_plain(stated$stands_for), "words"))
  if (!is.null(stated$direction)) return(given(if (stated$direction == "above") Inf else 0, stated$direction, "words"))
  ranked <- as.character(unlist(stated$order))
  if (length(ranked) > 0) return(given(NULL, paste(ranked, collapse = ", "), "words", ranked))
  given(NULL, "", if (nzchar(words)) "words" else "")
}

#' A claim's targets as Python writes them. There is a row for each pair of levels, with their positions in the claim's
#' list, or for each of the claim's ratios.
claim_targets <- function(claim) {
  rbindlist(lapply(claim$decision$targets, function(target) {
    list(
      numerator = target$numerator %||% NA_integer_, denominator = target$denominator %||% NA_integer_,
      target_lower = target$lower, target_upper = target$upper %||% Inf
    )
  }))
}

#' The verdict on a number that is known exactly. It is empty without a number or a target.
own_verdict <- function(claim, number) {
  decision <- claim$decision
  if (!decision$judged || decision$compares == "nothing" || (is.null(number$point) && is.null(number$order))) return("")
  targets <- claim_targets(claim)
  points <- if (is.null(number$order)) {
    if (decision$compares == "differences" && identical(number$point, 0)) -Inf else number$point
  } else {
    ranked_points(targets, as.character(unlist(claim$compare$levels)), number$order)
  }
  good <- all(points >= targets$target_lower & points <= targets$target_upper)
  if (xor(good, decision$reversed)) return("holds")
  sides <- with_sides(copy(targets), as.double(decision$neutral %||% NA), decision$compares == "differences")
  if (all(points > sides$side_lower & points < sides$side_upper) %in% TRUE && all(sides$sized)) return("other-size")
  opposite <- all(points < sides$side_lower | points > sides$side_upper)
  if (opposite %in% TRUE) "opposite" else "does-not-hold"
}

#' The ratio of two levels that an order implies: 0 if the first is ranked before the second, Inf if after it. It is 1
#' if the order names neither.
ranked_points <- function(pairs, levels, ranked) {
  if (anyNA(pairs$numerator)) return(rep(0, nrow(pairs)))
  rank <- match(levels, ranked, nomatch = length(ranked) + 1L)
  apart <- rank[pairs$numerator] - rank[pairs$denominator]
  fcase(apart < 0, 0, apart > 0, Inf, default = 1)
}
