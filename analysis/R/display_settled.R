# How a reader is told which times are not proved settled: a mark behind a cell's label, a sentence where it stands, and
# the counts of the first page.

unsettled_mark <- "\u2020"

#' Whether a state is not settled.
is_unsettled <- function(settled) settled %in% c("still compiling", "not proved")

#' Labels with the mark behind those that have a cell, in whatever place, that is not settled.
mark_unsettled <- function(label, settled) {
  open <- unique(label[is_unsettled(settled)])
  ifelse(label %in% open, paste(label, unsettled_mark), label)
}

#' The sentence that a figure's caption ends with where it draws a marked label; empty elsewhere.
unsettled_caption <- function(plot_data) {
  words <- Filter(function(column) is.character(column) || is.factor(column), plot_data)
  texts <- unlist(lapply(words, function(column) as.character(unique(column))))
  if (!any(grepl(unsettled_mark, texts, fixed = TRUE))) return("")
  paste0(" ", unsettled_mark, " not proved settled, at least in one place: the code may not be compiled yet.")
}

#' `Of 82 cells that look for steady times, 60 are proved settled; 2 were still compiling, 20 are not proved.`
settled_sentence <- function(cells) {
  sought <- unique(cells[nzchar(settled) & settled != "by definition", c(shown_cell_key, "settled"), with = FALSE])
  if (nrow(sought) == 0) return(character())
  counts <- vapply(c("proved", "still compiling", "not proved"), function(state) sum(sought$settled == state), 0L)
  said <- sprintf(
    c("%d %s proved settled by what the JVM had compiled", "%d %s still compiling", "%d %s not proved"),
    counts, ifelse(counts == 1, c("is", "was", "is"), c("are", "were", "are"))
  )
  looking <- if (nrow(sought) == 1) "looks" else "look"
  sprintf("Of %s that %s for steady times, %s.", format_plural(nrow(sought), "cell"), looking, toString(said))
}
