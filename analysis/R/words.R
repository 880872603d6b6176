# Numbers and words as the report shows them: pure functions, numbers in, strings out.
# A missing value is an en dash. Thousands are parted by a narrow no-break space from five digits on.

thin_space <- "\u202f"
minus_sign <- "\u2212"
dash <- "\u2013"

#' A number with a fixed count of decimals; a negative count rounds to tens, hundreds, ...
format_fixed <- function(x, decimals = 0) {
  decimals <- rep_len(decimals, length(x))
  shown <- mapply(function(value, places) {
    if (!is.finite(value)) return(dash)
    text <- formatC(abs(round(value, places)), format = "f", digits = max(places, 0))
    parts <- strsplit(text, ".", fixed = TRUE)[[1]]
    if (nchar(parts[1]) > 4) parts[1] <- gsub("(?<=\\d)(?=(\\d{3})+$)", thin_space, parts[1], perl = TRUE)
    sign <- if (round(value, places) < 0) minus_sign else ""
    paste0(sign, paste(parts, collapse = "."))
  }, x, decimals)
  as.character(unlist(shown))
}

#' Decimals that leave `digits` significant digits of a number.
decimals_of <- function(x, digits) {
  if (!is.finite(x) || x == 0) return(0)
  decimals <- digits - 1 - floor(log10(abs(x)))
  # 9.996 at three digits is 10.0, which has one digit before the point more than 9.996 has.
  if (abs(round(x, decimals)) >= 10^(floor(log10(abs(x))) + 1)) decimals <- decimals - 1
  decimals
}

#' A number with `digits` significant digits.
format_significant <- function(x, digits = 3) {
  format_fixed(x, vapply(x, decimals_of, numeric(1), digits = digits))
}

#' Whole numbers.
format_count <- function(x) format_fixed(x, 0)

#' The decimals that an estimate and its interval share: two digits of the interval's shorter side, and of the
#' estimate at least two significant digits and at most five.
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

#' The unit in which a time in nanoseconds reads best, and its size in nanoseconds.
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

#' Per cent: two significant digits, whole numbers from 10 on. The sign stands in the column's head.
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

#' What a ratio's interval is, as captions say it.
interval_words <- function() {
  sprintf("95 %% interval (on log fork means, paired by rounds from %d rounds on, else Welch's)", paired_from)
}

#' "1 claim", "2 claims"; "no claim" for none.
format_plural <- function(n, one, many = paste0(one, "s")) {
  if (n == 0) return(paste("no", one))
  paste(format_count(n), if (n == 1) one else many)
}

#' A variant as it is read: `rsa-bits=1024` is "rsa-bits 1024".
format_variant <- function(variant) gsub(",\\s*", ", ", gsub("=", " ", ifelse(is.na(variant), "", variant)))

#' A range of ratios that a claim wants; either bound may be open.
format_target <- function(lower, upper) {
  low <- format_significant(lower, 4)
  high <- format_significant(upper, 4)
  trim <- function(x) sub("\\.$", "", ifelse(grepl(".", x, fixed = TRUE), sub("0+$", "", x), x))
  shown <- paste(trim(low), "to", trim(high))
  shown <- ifelse(is.finite(lower) & !is.finite(upper), paste("above", trim(low)), shown)
  shown <- ifelse(!is.finite(lower) & is.finite(upper), paste("below", trim(high)), shown)
  ifelse(!is.finite(lower) & !is.finite(upper), dash, shown)
}
