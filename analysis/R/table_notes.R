# What the reader must know about the data: errors first, then warnings, as the analysis wrote them.

table_notes <- function(data) {
  notes <- data$notes[order(match(level, c("error", "warning"), nomatch = 3L))]
  lapply(seq_len(nrow(notes)), function(i) as.list(notes[i, .(level, where, message)]))
}
