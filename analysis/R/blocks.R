# JMH's result files are read in two parts: the arrays of raw data, which are nearly all of the file, and what is around
# them. This file finds the arrays in the bytes and takes them out; the rest stays JSON, with a number in each one's
# place.

byte <- function(character) charToRaw(character)

#' The arrays of raw data in a piece of a JMH file.
#'
#' @param bytes raw vector; must not begin or end inside such an array
#' @return data.table: `named`, `from`, `to` (places of the key's first quote, and of the array's first and last
#'   bracket), `depth` of the innermost arrays: 2 for rawData (forks, values), 4 for rawDataHistogram (forks,
#'   iterations, pairs of a value and its count), `worded` (whether there is text inside, such as "NaN"). Attribute
#'   `brackets`: all brackets of these arrays, see `block_brackets`.
find_blocks <- function(bytes) {
  quotes <- grepRaw("\"", bytes, fixed = TRUE, all = TRUE)
  plain <- bytes_match(bytes, quotes, "\"rawData\"")
  histogram <- bytes_match(bytes, quotes, "\"rawDataHistogram\"")
  blocks <- data.table(named = quotes, depth = fifelse(plain, 2L, 4L))[plain | histogram]
  colon <- next_solid(bytes, blocks$named + fifelse(blocks$depth == 2L, 9L, 18L))
  blocks[, from := next_solid(bytes, colon + 1L)]
  # What isn't a key with an array stays where it is, for the JSON reader to judge.
  blocks <- blocks[byte_at(bytes, colon) == byte(":") & byte_at(bytes, from) == byte("[")]
  brackets <- sort(c(
    grepRaw("[", bytes, fixed = TRUE, all = TRUE), grepRaw("]", bytes, fixed = TRUE, all = TRUE)
  ), method = "radix")
  level <- cumsum(fifelse(bytes[brackets] == byte("["), 1L, -1L))
  first <- match(blocks$from, brackets)
  limit <- c(first[-1L] - 1L, length(brackets))[seq_along(first)]
  last <- vapply(seq_along(first), function(i) {
    first[i] - 1L + match(level[first[i]] - 1L, level[first[i]:limit[i]])
  }, 0L)
  blocks[, to := brackets[last]]
  whole <- !is.na(last)
  blocks <- blocks[whole]
  worded <- findInterval(blocks$to, quotes) > findInterval(blocks$from, quotes)
  blocks[, worded := worded]
  setattr(blocks, "brackets", block_brackets(bytes, brackets, first[whole], last[whole], level))
  blocks[]
}

#' Brackets of blocks: `block`, `place`, `opens`, `level` (of the array that it opens or closes: 1 for the outermost).
block_brackets <- function(bytes, brackets, first, last, level) {
  rows <- sequence(last - first + 1L, first)
  block <- rep(seq_along(first), last - first + 1L)
  opens <- bytes[brackets[rows]] == byte("[")
  data.table(
    block = block, place = brackets[rows], opens = opens,
    level = level[rows] - level[first][block] + fifelse(opens, 1L, 2L)
  )
}

#' The bytes without their blocks, as text: each block's place in the file takes its place.
#'
#' @param offset place of the first byte in its file, less 1
block_surroundings <- function(bytes, blocks, offset = 0) {
  from <- c(1L, blocks$to + 1L)
  to <- c(blocks$from - 1L, length(bytes))
  pieces <- vapply(seq_along(from), function(i) {
    if (to[i] < from[i]) return("")
    piece <- bytes[from[i]:to[i]]
    # Zeros, as a crash may leave them, are no JSON, and no text for R either.
    piece[piece == as.raw(0)] <- as.raw(1)
    rawToChar(piece)
  }, "")
  paste0(pieces, c(sprintf("%.0f", offset + blocks$from), ""), collapse = "")
}

#' Whether a text stands at each place.
bytes_match <- function(bytes, places, text) {
  wanted <- charToRaw(text)
  found <- rep(TRUE, length(places))
  for (i in seq_along(wanted)) found <- found & byte_at(bytes, places + i - 1L) == wanted[i]
  found
}

#' Bytes at places; 0 beyond the end.
byte_at <- function(bytes, places) {
  inside <- places <= length(bytes) & places >= 1L
  found <- raw(length(places))
  found[inside] <- bytes[places[inside]]
  found
}

#' The first place from each one on (`step` 1), or back (`step` -1), that holds no white space.
next_solid <- function(bytes, places, step = 1L) {
  repeat {
    here <- byte_at(bytes, places)
    blank <- here == as.raw(32) | (here >= as.raw(9) & here <= as.raw(13))
    if (!any(blank)) return(places)
    places[blank] <- places[blank] + step
  }
}
