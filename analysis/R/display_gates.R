# What the gates broke, in words: one place, so that the first page and the appendix agree.

#' Which gates broke how many forks, in a sentence.
gate_sentence <- function(data) {
  broken <- data$forks[valid %in% FALSE]
  if (nrow(broken) == 0) return("No gate broke a fork.")
  causes <- table(unlist(strsplit(broken$invalid_cause, ";", fixed = TRUE)))
  causes <- sort(causes, decreasing = TRUE)
  reruns <- sum(is.finite(data$forks$rerun_of))
  sprintf(
    "Gates broke %s of %s (%s); %s measured again. Verdicts rest on the others.", format_plural(nrow(broken), "fork"),
    format_count(nrow(data$forks)),
    format_list(paste(gsub("_", " ", names(causes)), format_count(as.numeric(causes)))),
    if (reruns == 1) "1 was" else paste(if (reruns == 0) "none" else format_count(reruns), "were")
  )
}
