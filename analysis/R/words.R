# Formats numbers and words for the report: pure functions, numbers in, strings out. A missing value is an en dash.
# Commas separate thousands from five digits on, as in the pages that Python writes.

minus_sign <- "\u2212"
dash <- "\u2013"

#' A number with a fixed number of decimals. A negative number of decimals rounds to tens, hundreds, ...
format_fixed <- function(x, decimals = 0) {
  decimals <- rep_len(decimals, length(x))
  shown <- mapply(function(value, places) {
    if (!is.finite(value)) return(dash)
    text <- formatC(abs(round(value, places)), format = "f", digits = max(places, 0))
    parts <- strsplit(text, ".", fixed = TRUE)[[1]]
    if (nchar(parts[1]) > 4) parts[1] <- gsub("(?<=\\d)(?=(\\d{3})+$)", ",", parts[1], perl = TRUE)
    sign <- if (round(value, places) < 0) minus_sign else ""
    paste0(sign, paste(parts, collapse = "."))
  }, x, decimals)
  as.character(unlist(shown))
}

#' The number of decimals that gives a number `digits` significant digits.
decimals_of <- function(x, digits) {
  if (!is.finite(x) || x == 0) return(0)
  decimals <- digits - 1 - floor(log10(abs(x)))
  # 9.996 at three digits is 10.0, which has one more digit before the point.
  if (abs(round(x, decimals)) >= 10^(floor(log10(abs(x))) + 1)) decimals <- decimals - 1
  decimals
}

#' A number with `digits` significant digits.
format_significant <- function(x, digits = 3) {
  format_fixed(x, vapply(x, decimals_of, numeric(1), digits = digits))
}

#' Whole numbers.
format_count <- function(x) format_fixed(x, 0)

#' The number of decimals that an estimate and its interval share: two significant digits of the interval's shorter
#' side. The estimate has at least two significant digits, and at most five.
interval_decimals <- function(estimate, lower, upper) {
  side <- suppressWarnings(min(abs(c(estimate - lower, upper - estimate)), na.rm = TRUE))
  if (!is.finite(side) || side == 0) return(decimals_of(estimate, 3))
  min(max(decimals_of(side, 2), decimals_of(estimate, 2)), decimals_of(estimate, 5))
}

#' An estimate and its interval with the same decimals: a table of `estimate` and `interval`.
format_interval <- function(estimate, lower, upper) {
  decimals <- mapply(interval_decimals, estimate, lower, upper)
  known <- is.finite(lower) | is.finite(upper)
  bounds <- paste0("[", format_fixed(lower, decimals), ", ", format_fixed(upper, decimals), "]")
  data.frame(estimate = format_fixed(estimate, decimals), interval = ifelse(known, bounds, dash))
}

#' The unit in which a time in nanoseconds is most readable, and its size in nanoseconds.
time_unit <- function(ns) {
  sizes <- setNames(c(1, 1e3, 1e6, 1e9), c("ns", "\u00b5s", "ms", "s"))
  top <- suppressWarnings(max(abs(ns[is.finite(ns)])))
  sizes[max(1, which(sizes <= max(top, 1) * (1 + 1e-9)))]
}

#' A p value: three decimals, two from 0.1 on.
format_p <- function(p) {
  shown <- ifelse(is.finite(p) & p < 0.1, format_fixed(p, 3), format_fixed(p, 2))
  shown <- ifelse(is.finite(p) & p < 0.001, "< 0.001", shown)
  ifelse(is.finite(p) & p > 0.995, "> 0.99", shown)
}

#' Per cent: two significant digits, whole numbers from 10 on. The sign is in the column's header.
format_percent <- function(x) {
  format_fixed(x, pmin(pmax(vapply(x, decimals_of, numeric(1), digits = 2), 0), 2))
}

#' A list that stops after `most`: "a; b; c and 4 more".
format_some <- function(words, most = 4) {
  words <- as.character(words)
  left <- length(words) - most
  if (left < 2) return(paste(words, collapse = "; "))
  paste(paste(words[seq_len(most)], collapse = "; "), "and", left, "more")
}

#' The kind of a ratio's interval, for captions.
interval_words <- function() {
  sprintf("95 %% interval (on log fork means, paired by rounds from %d rounds on, else Welch's)", paired_from)
}

#' "1 claim", "2 claims"; "no claim" for none.
format_plural <- function(n, noun, many = paste0(noun, "s")) {
  if (n == 0) return(paste("no", noun))
  paste(format_count(n), if (n == 1) noun else many)
}

#' A range of ratios that a claim states. Either bound may be open.
format_target <- function(lower, upper) {
  low <- format_significant(lower, 4)
  high <- format_significant(upper, 4)
  trim <- function(x) sub("\\.$", "", ifelse(grepl(".", x, fixed = TRUE), sub("0+$", "", x), x))
  shown <- paste(trim(low), "to", trim(high))
  shown <- ifelse(is.finite(lower) & !is.finite(upper), paste("above", trim(low)), shown)
  shown <- ifelse(!is.finite(lower) & is.finite(upper), paste("below", trim(high)), shown)
  ifelse(!is.finite(lower) & !is.finite(upper), dash, shown)
}

# Errors for users: one line with the file, the problem, what was expected, and the remedy.

#' Stop with an error for users.
#'
#' @param file the file (or option) that is wrong
#'
#' @param what,expected,remedy the problem, what was expected, and what to do. The condition keeps all four, for
#'   callers that continue without the file.
refuse <- function(file, what, expected, remedy) {
  text <- sprintf("%s: %s; expected %s; %s", file, what, expected, remedy)
  stop(structure(
    class = c("refusal", "error", "condition"),
    list(
      message = one_line(text), call = NULL, file = file, what = what, expected = expected, remedy = remedy
    )
  ))
}

#' Names in one line of prose, at most five of them.
some_of <- function(names) {
  names <- as.character(names)
  shown <- paste(utils::head(names, 5), collapse = ", ")
  if (length(names) > 5) sprintf("%s and %d more", shown, length(names) - 5) else shown
}

#' The left value unless it is NULL (R gained this operator in 4.4).
`%||%` <- function(left, right) if (is.null(left)) right else left

#' A text, or another one if it is missing or empty.
`%|%` <- function(text, other) if (length(text) == 0 || is.na(text) || !nzchar(text)) other else text

# Parts of texts, and texts made of parts.

#' Texts from arbitrary files as one line each, for users. Control characters and line breaks become spaces, and
#' invalid UTF-8 bytes become their numbers. So a name can neither fake a line nor send control sequences to a
#' terminal.
one_line <- function(text) {
  gsub("[\\p{Cc}\\p{Zl}\\p{Zp}]+", " ", iconv(text, "UTF-8", "UTF-8", sub = "byte"), perl = TRUE)
}

#' First group of a pattern in each text; NA if the pattern does not occur.
picked <- function(text, pattern) {
  if (length(text) == 0) return(character())
  found <- regexpr(pattern, text, perl = TRUE, useBytes = TRUE)
  start <- attr(found, "capture.start")[, 1]
  group <- substring(text, start, start + attr(found, "capture.length")[, 1] - 1L)
  group[found < 0] <- NA_character_
  group
}

#' Words as a list in a sentence: `one`, `one and two`, `one, two and three`.
format_list <- function(words, last = "and") {
  words <- as.character(words)
  if (length(words) < 2) return(paste(words, collapse = ""))
  paste(paste(words[-length(words)], collapse = ", "), last, words[length(words)])
}

#' A number in a sentence of a tidy table: `digits` significant digits, no exponent, no added zeros.
format_plain <- function(x, digits = 3) {
  format_one <- function(value) format(signif(value, digits), scientific = FALSE, trim = TRUE, digits = 15)
  vapply(x, format_one, "")
}

#' A measured number in a sentence of a tidy table: three significant digits, zeros kept, no thousands separator.
format_measured <- function(x) {
  gsub(minus_sign, "-", gsub(",", "", format_significant(x), fixed = TRUE), fixed = TRUE)
}

#' Seconds since 1970 of times in UTC, as ISO 8601 writes them; the decimal mark may be a comma.
utc_seconds <- function(text) {
  as.numeric(as.POSIXct(sub(",", ".", text, fixed = TRUE), format = "%Y-%m-%dT%H:%M:%OS", tz = "UTC"))
}

#' Names in the order of their bytes. R's radix order refuses names without a declared encoding.
in_byte_order <- function(names) {
  bytes <- names
  Encoding(bytes) <- "bytes"
  names[order(bytes, method = "radix")]
}

# Names of measures in a sentence.

# The steps of a benchmark that times its parts.
step_words <- c(
  "generate-key" = "key generation", "create-cipher" = "getInstance", initialise = "initialisation",
  encrypt = "encryption", decrypt = "decryption", serialise = "serialisation", deserialise = "deserialisation",
  "wrap-key" = "wrapping the key", "unwrap-key" = "unwrapping the key"
)

#' `time`, `CPU time`, `share of key generation`, `deviation of byte counts`.
measure_phrase <- function(measure) {
  own <- c(
    wall = "time", cpu = "CPU time", "gc.alloc.rate.norm" = "allocated memory", total = "time of all steps",
    "server-cpu" = "CPU time of the server",
    "client-jvm-cpu" = "CPU time of the client's JVM", "server-jvm-cpu" = "CPU time of the server's JVM",
    "client-utilisation" = "client's utilisation", "server-utilisation" = "server's utilisation",
    "busier-utilisation" = "busier side's utilisation", "both-utilisation" = "utilisation of both sides",
    "server-per-client" = "server's CPU time over the client's",
    "gc.stopped-over-reported" = "time that threads were stopped over the pauses that the collector reports",
    answered = "number of answered connections", "free-threads" = "number of free threads",
    "answered-share" = "share of answered connections"
  )
  if (measure %in% names(own)) return(own[[measure]])
  parts <- strsplit(measure, ".", fixed = TRUE)[[1]]
  parts[-1] <- fcoalesce(unname(step_words[parts[-1]]), parts[-1])
  rest <- paste(parts[-1], collapse = " ")
  switch(parts[1],
    share = paste("share of", rest), step = paste("time of", rest),
    "step-ratio" = sprintf("time of %s over that of %s", parts[2], parts[3]),
    "median-step-ratio" = sprintf("median time of %s over that of %s", parts[2], parts[3]),
    later = measure_phrase(sub("^later\\.", "", measure)),
    deviation = "deviation of byte counts", entropy = "entropy a byte", "zero-share" = "share of zero bytes",
    "low16-zero-share" = "share of zero among the bytes 0 to 15",
    "low32-zero-share" = "share of zero among the bytes 0 to 31", "counts-sd" = "standard deviation of byte counts",
    "uneven-share" = "share of streams whose byte counts differ",
    "top-share" = "share of the commonest byte", gsub(".", " ", measure, fixed = TRUE)
  )
}

#' Whether a measure is a time, so that a sentence says "takes" instead of "has".
is_time <- function(measure) {
  grepl("^(wall|cpu|server-cpu|(client|server)-jvm-cpu|latency\\..*|(later\\.)?(total|step\\..*))$", measure)
}

#' Whether a measure needs proven times: a time, or a quotient of times of code that may not be compiled yet.
rests_on_times <- function(measure) {
  quotients <- c(
    "throughput", "[a-z]+-utilisation", "server-per-client", "calls\\..*", "(later\\.|median-)?step-ratio\\..*"
  )
  is_time(measure) | grepl(sprintf("^(%s)$", paste(quotients, collapse = "|")), measure)
}

# Sentences of the verdicts.

#' The statement of a contrast in one sentence without its full stop: both sides, the measure and the number.
#'
#' `AES takes 0.120 times the CPU time of Blowfish (encryption, 100 KB, SunJCE)`
#'
#' @param contrast a row of `claim_contrasts`; `points` whether a difference is in percentage points
contrast_sentence <- function(contrast, points = FALSE) {
  what <- measure_phrase(contrast$measure)
  shown <- format_measured(abs(contrast$ratio))
  said <- if (!nzchar(contrast$denominator)) {
    sprintf("the %s is %s for %s", what, shown, contrast$numerator)
  } else if (isFALSE(contrast[["ratio_scale"]])) {
    sprintf(
      "the %s is %s%s %s for %s than for %s", what, shown, if (points) " points" else "",
      if (contrast$ratio < 0) "lower" else "higher", contrast$numerator, contrast$denominator
    )
  } else if (contrast$measure == "wall") {
    sprintf("%s takes %s times as long as %s", contrast$numerator, shown, contrast$denominator)
  } else if (is_time(contrast$measure)) {
    sprintf("%s takes %s times the %s of %s", contrast$numerator, shown, what, contrast$denominator)
  } else {
    sprintf("the %s is %s times as high for %s as for %s", what, shown, contrast$numerator, contrast$denominator)
  }
  if (nzchar(contrast$scope)) sprintf("%s (%s)", said, contrast$scope) else said
}

#' A target interval in words.
#'
#' @param ratio whether the target is of a ratio, for which 0 is an open end
target_words <- function(lower, upper, ratio = TRUE) {
  open <- ratio && lower == 0
  if (open && is.infinite(upper)) return("the same clear order in all")
  if (lower == upper) return(format_plain(lower))
  if (open) return(paste("below", format_plain(upper)))
  if (is.infinite(upper)) return(paste("above", format_plain(lower)))
  sprintf("%s to %s", format_plain(lower), format_plain(upper))
}

#' The reason of a verdict, without what it leaves uncovered.
verdict_reason <- function(row) {
  if (row$verdict %in% unjudged_kinds || nzchar(row$reason)) return(row$reason)
  if (row$verdict != "undecided") return(row$sentence)
  text <- if (is.na(row$p)) {
    sprintf("%d forks; a verdict needs %d. So far %s", as.integer(row$forks_min), verdict_forks, row$sentence)
  } else {
    sprintf(
      "%s, interval %s to %s, wanted %s", row$sentence, format_measured(row$lower), format_measured(row$upper),
      row$target
    )
  }
  if (row$cause == "too few forks") text else paste0(text, "; ", undecided_words(row))
}
