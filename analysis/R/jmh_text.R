# JMH's result files are read in two parts: the arrays of raw data, which are most of the file, and the text around
# them. This file finds the arrays in the bytes and removes them. The rest stays JSON, with a number in the place of
# each array.

byte <- function(character) charToRaw(character)

#' The arrays of raw data in a piece of a JMH file.
#'
#' @param bytes raw vector; must not begin or end inside such an array
#' @return data.table with a row per array: `named`, `from`, `to`, positions of the key's first quote, and of the
#'   array's first and last bracket; `depth` of the innermost arrays: 2 for rawData (forks, values), 4 for
#'   rawDataHistogram (forks, iterations, pairs of a value and its count); `worded`, whether there is text inside, such
#'   as "NaN". Attribute `brackets`: all brackets of these arrays, see `block_brackets`.
find_blocks <- function(bytes) {
  quotes <- grepRaw("\"", bytes, fixed = TRUE, all = TRUE)
  plain <- bytes_match(bytes, quotes, "\"rawData\"")
  histogram <- bytes_match(bytes, quotes, "\"rawDataHistogram\"")
  blocks <- data.table(named = quotes, depth = fifelse(plain, 2L, 4L))[plain | histogram]
  colon <- next_solid(bytes, blocks$named + fifelse(blocks$depth == 2L, 9L, 18L))
  blocks[, from := next_solid(bytes, colon + 1L)]
  # Anything that isn't a key with an array stays in the text, and the JSON reader checks it.
  blocks <- blocks[byte_at(bytes, colon) == byte(":") & byte_at(bytes, from) == byte("[")]
  brackets <- square_brackets(bytes)
  first <- match(blocks$from, brackets$place)
  last <- closing_brackets(brackets$depth, first, c(first[-1L] - 1L, nrow(brackets))[seq_along(first)])
  blocks[, to := brackets$place[last]]
  whole <- !is.na(last)
  blocks <- blocks[whole]
  worded <- findInterval(blocks$to, quotes) > findInterval(blocks$from, quotes)
  blocks[, worded := worded]
  setattr(blocks, "brackets", block_brackets(bytes, brackets$place, first[whole], last[whole], brackets$depth))
  blocks[]
}

#' All square brackets of bytes: `place`, and `depth`, the number of brackets that are open after each.
square_brackets <- function(bytes) {
  opening <- grepRaw("[", bytes, fixed = TRUE, all = TRUE)
  place <- sort(c(opening, grepRaw("]", bytes, fixed = TRUE, all = TRUE)), method = "radix")
  data.table(place = place, depth = cumsum(fifelse(bytes[place] == byte("["), 1L, -1L)))
}

#' The numbers of the brackets that close those of number `first`; NA where it is none up to number `limit`.
closing_brackets <- function(depth, first, limit) {
  vapply(seq_along(first), function(i) {
    first[i] + match(depth[first[i]] - 1L, depth[seq_len(max(limit[i] - first[i], 0L)) + first[i]])
  }, 0L)
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

#' The bytes without their blocks, as text. The position of each block in the file replaces the block.
#'
#' @param offset position of the first byte in its file, less 1
block_surroundings <- function(bytes, blocks, offset = 0) {
  from <- c(1L, blocks$to + 1L)
  to <- c(blocks$from - 1L, length(bytes))
  pieces <- vapply(seq_along(from), function(i) {
    if (to[i] < from[i]) return("")
    piece <- bytes[from[i]:to[i]]
    # Zero bytes, which a crash may leave, are invalid in JSON and in R's strings.
    piece[piece == as.raw(0)] <- as.raw(1)
    rawToChar(piece)
  }, "")
  paste0(pieces, c(sprintf("%.0f", offset + blocks$from), ""), collapse = "")
}

#' Whether a text occurs at each position.
bytes_match <- function(bytes, places, text) {
  wanted <- charToRaw(text)
  found <- rep(TRUE, length(places))
  for (i in seq_along(wanted)) found <- found & byte_at(bytes, places + i - 1L) == wanted[i]
  found
}

#' Bytes at positions; 0 beyond the end.
byte_at <- function(bytes, places) {
  inside <- places <= length(bytes) & places >= 1L
  found <- raw(length(places))
  found[inside] <- bytes[places[inside]]
  found
}

#' The first position without white space, from each one on.
next_solid <- function(bytes, places) {
  repeat {
    here <- byte_at(bytes, places)
    blank <- here == as.raw(32) | (here >= as.raw(9) & here <= as.raw(13))
    if (!any(blank)) return(places)
    places[blank] <- places[blank] + 1L
  }
}

# A fast reader for the numbers in JMH's arrays of raw data. The bytes are turned into a table in place and read by
# fread, about 20 times as fast as JSON is read. It reads only arrays in which it understands every byte; jsonlite reads
# others.

#' Numbers of the innermost arrays.
#'
#' @param blocks of `find_blocks`
#' @return list of matrices, one for each block, one row per innermost array; NULL where the fast reader fails
fast_numbers <- function(bytes, blocks) {
  numbers <- vector("list", nrow(blocks))
  brackets <- attr(blocks, "brackets")
  commas <- grepRaw(",", bytes, fixed = TRUE, all = TRUE)
  rows <- innermost_rows(blocks, brackets, commas)
  plain <- well_formed(bytes, blocks, brackets)
  width <- rows[, .(width = if (all(count == count[1])) count[1] else NA_integer_, rows = .N), by = block]
  width <- width[plain[block] & !is.na(width) & (blocks$depth[block] == 2L | width == 2L)]
  # Every length needs a pass over the bytes, so only the most common lengths are read.
  common <- width[, .(rows = sum(rows)), by = width][order(-rows)]
  for (w in utils::head(common$width, 4L)) {
    own <- width[width == w]
    table <- read_rows(bytes, blocks, rows[block %in% own$block], brackets, w)
    if (is.null(table)) next
    ends <- cumsum(own$rows)
    numbers[own$block] <- Map(function(from, to) table[from:to, , drop = FALSE], ends - own$rows + 1L, ends)
  }
  numbers
}

#' Innermost arrays: `block`, `from`, `to` (positions of the brackets), `count` of values by commas, `comma` after it.
innermost_rows <- function(blocks, brackets, commas) {
  inner <- brackets[level == blocks$depth[block]]
  rows <- data.table(
    block = inner[opens == TRUE, block], from = inner[opens == TRUE, place], to = inner[opens == FALSE, place]
  )
  before <- findInterval(rows$from, commas)
  until <- findInterval(rows$to, commas)
  rows[, `:=`(count = until - before + 1L, comma = commas[until + 1L])][]
}

#' Whether the text between the brackets of a block is valid JSON: brackets of rising depth and one comma between
#' arrays. Text and empty arrays are not accepted.
well_formed <- function(bytes, blocks, brackets) {
  after <- next_solid(bytes, brackets$place + 1L)
  follows <- byte_at(bytes, after)
  deepest <- blocks$depth[brackets$block]
  right <- rep(TRUE, nrow(brackets))
  outer <- brackets$opens & brackets$level < deepest
  right[outer] <- follows[outer] == byte("[")
  inner <- brackets$opens & brackets$level >= deepest
  right[inner] <- brackets$level[inner] == deepest[inner] & follows[inner] != byte("]")
  closed <- which(!brackets$opens & brackets$level > 1L)
  comma <- closed[follows[closed] == byte(",")]
  right[closed] <- follows[closed] == byte("]")
  right[comma] <- byte_at(bytes, next_solid(bytes, after[comma] + 1L)) == byte("[")
  wrong <- unique(brackets$block[!right])
  !seq_len(nrow(blocks)) %in% wrong & !blocks$worded
}

#' Read arrays of the same length as a table. Brackets and white space become blanks, and each array becomes a line.
#'
#' @return matrix, or NULL where fread fails or warns
read_rows <- function(bytes, blocks, rows, brackets, width) {
  blank <- as.raw(32)
  used <- unique(rows$block)
  # Bytes before, between and after the blocks.
  from <- c(1L, blocks$to[used] + 1L)
  to <- c(blocks$from[used] - 1L, max(rows$to))
  bytes[sequence(pmax(to - from + 1L, 0L), from)] <- blank
  bytes[grepRaw("\n", bytes, fixed = TRUE, all = TRUE)] <- blank
  # A file with Windows line ends has one in its first bytes. fread skips tabs.
  beginning <- bytes[seq_len(min(10000L, length(bytes)))]
  if (any(beginning == byte("\r"))) bytes[grepRaw("\r", bytes, fixed = TRUE, all = TRUE)] <- blank
  bytes[brackets[block %in% used, place]] <- blank
  bytes[rows$comma[seq_len(nrow(rows) - 1L)]] <- blank
  bytes[rows$to] <- byte("\n")
  file <- tempfile("rows")
  on.exit(unlink(file))
  writeBin(bytes, file)
  table <- tryCatch(
    fread(
      file = file, header = FALSE, sep = ",", quote = "", na.strings = NULL, skip = 0L, nrows = nrow(rows),
      integer64 = "double", showProgress = FALSE, data.table = FALSE, nThread = 1L
    ),
    warning = function(problem) NULL, error = function(problem) NULL
  )
  if (is.null(table) || nrow(table) != nrow(rows) || ncol(table) != width) return(NULL)
  if (!all(vapply(table, is.numeric, TRUE))) return(NULL)
  table <- as.matrix(table)
  storage.mode(table) <- "double"
  if (all(is.finite(table))) unname(table) else NULL
}
