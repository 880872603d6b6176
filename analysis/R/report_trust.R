# Can the run be trusted? Its precision, its self-test, warm-up, disturbances, and how verdicts depend on the analysis.

#' The median of the cells' half-widths under each protocol, for the measure that each experiment's claims use.
width_words <- function(data) {
  cells <- rbindlist(lapply(names(data$experiments), function(id) cells_of(data, id)), fill = TRUE)
  if (nrow(cells) > 0) cells <- cells[is.finite(half_width_pct)]
  if (nrow(cells) == 0) return("No benchmark has an interval: that takes two JVM runs.")
  middle <- cells[, .(half = stats::median(half_width_pct), n = .N), by = .(protocol = protocol_words(protocol))]
  said <- sprintf("\u00b1%s %% %s (%s)", format_percent(middle$half), middle$protocol,
                  vapply(middle$n, format_plural, "", "benchmark"))
  sprintf("Half of the 95 %% intervals are narrower than %s.", format_list(said))
}

#' How much narrower JMH's pooled error bar is than the interval over forks.
pooled_sentence <- function(data) {
  cells <- data$cells[is.finite(half_width_pct) & is.finite(pooled_half_width_pct) & pooled_half_width_pct > 0]
  if (nrow(cells) == 0) return(character())
  sprintf(
    paste(
      "JMH's error bar, which pools iterations, would be narrower than the interval over JVM runs for %s of %s times,",
      "and less than half as wide for %s."
    ),
    format_count(sum(cells$pooled_half_width_pct < cells$half_width_pct)), format_count(nrow(cells)),
    format_count(sum(2 * cells$pooled_half_width_pct < cells$half_width_pct))
  )
}

# Warm-up.

unproven_mark <- "\u2020"

#' Whether a warm-up state is not proven.
is_unproven <- function(warm_up_state) warm_up_state %in% c("still compiling", "unproven")

#' Adds the mark to labels that have a cell in the same place whose warm-up is not proven.
mark_unproven <- function(label, warm_up_state) {
  open <- unique(label[is_unproven(warm_up_state)])
  ifelse(label %in% open, paste(label, unproven_mark), label)
}

#' The last sentence of a figure's caption if the figure has a marked label. Otherwise empty.
unproven_caption <- function(plot_data) {
  words <- Filter(function(column) is.character(column) || is.factor(column), plot_data)
  texts <- unlist(lapply(words, function(column) as.character(unique(column))))
  if (!any(grepl(unproven_mark, texts, fixed = TRUE))) return("")
  paste0(" ", unproven_mark, " warm-up not proven.")
}

#' Warm-up states of the benchmarks in each environment: a row per environment with `proven`, `compiling`, `unproven`.
warm_up_rows <- function(data) {
  sought <- data$cells[nzchar(warm_up_state) & warm_up_state != "by definition"]
  cells <- unique(sought[, c(shown_cell_key, "place", "warm_up_state"), with = FALSE])
  rows <- cells[order(as.integer(place)), .(
    proven = sum(warm_up_state == "proven"), compiling = sum(warm_up_state == "still compiling"),
    unproven = sum(warm_up_state == "unproven")
  ), by = place]
  lapply(seq_len(nrow(rows)), function(i) {
    c(list(place = as.character(rows$place[i])), lapply(rows[i, -"place"], format_count))
  })
}

#' How long programs wait until their code is compiled, according to reference forks, in a sentence.
wait_sentence <- function(data) {
  reference_forks <- data$reference_forks[kind == "reference"]
  if (nrow(reference_forks) == 0) return(character())
  waited <- reference_forks[is.finite(wait_s)]
  longest <- waited[which.max(wait_s)]
  said <- if (nrow(longest) > 0) {
    sprintf(
      " The longest wait was %s s: %s in %s.", format_significant(longest$wait_s, 2),
      as.character(longest$label), longest$place
    )
  }
  paste0(
    sprintf(
      "Of %s, %s had all of their code compiled, %s of them after more than a second.",
      format_plural(nrow(reference_forks), "reference JVM run"), format_count(nrow(waited)),
      format_count(sum(waited$wait_s > 1))
    ), said
  )
}

# The run's self-test.

#' `none of 6 pairs`, `1 of 6 pairs`.
count_of <- function(hits, all) paste(if (hits == 0) "none" else format_count(hits), "of", all)
format_pairs <- function(n) format_plural(n, "pair")

#' A true ratio as the percentage of work that it adds: `5 %`.
effect_words <- function(truth) paste0(sub("\\.0+$", "", format_percent(100 * (truth - 1))), " %")

#' In how many pairs an injected slowdown was found.
found_words <- function(pairs) count_of(sum(pairs$different & pairs$ratio > 1), format_pairs(nrow(pairs)))

#' In how many pairs the project's own run found the injected slowdown. A short run has too few JVM runs to find it on
#' a noisy machine.
own_result_words <- function(data) {
  own <- data$own_results$studies
  if (is.null(own)) return(NULL)
  pairs <- own$calibration[kind == "injected slowdown" & is.finite(lower)]
  if (nrow(pairs) == 0) return(NULL)
  sprintf("%s: it was found in %s.", reference_words(data, own$rounds), found_words(pairs))
}

#' The results for the pairs of known ratio, in sentences.
self_test_sentences <- function(data) {
  known <- data$calibration[is.finite(lower) & is.finite(upper)]
  twins <- known[kind == "A/A"]
  injected <- known[truth != 1]
  halves <- known[kind == "halves of a cell"]
  if (nrow(twins) + nrow(injected) == 0) return("The run's test of itself was not measured.")
  c(
    if (nrow(twins) > 0) sprintf(
      "The same work, measured as two benchmarks, was found different in %s; chance gives 1 in 20.",
      count_of(sum(twins$different), format_pairs(nrow(twins)))
    ),
    if (nrow(injected) > 0) sprintf(
      "The injected slowdown of %s was found in %s.", effect_words(injected$truth[1]), found_words(injected)
    ),
    if (nrow(injected) > 0) own_result_words(data),
    if (nrow(halves) > 0) sprintf(
      "Split in two halves, %s benchmarks differ from themselves; chance gives 1 in 20.",
      count_of(sum(halves$different), format_count(nrow(halves)))
    )
  )
}

#' The pairs of known ratio as rows.
self_test_rows <- function(data, most = 8L) {
  own <- data$calibration[kind != "halves of a cell"][order(as.integer(place), kind, workload)]
  own <- own[seq_len(min(most, .N))]
  lapply(seq_len(nrow(own)), function(i) {
    row <- own[i]
    shown <- format_interval(row$ratio, row$lower, row$upper)
    found <- row$different %in% TRUE
    right <- if (row$truth == 1) !found else found && row$ratio > 1
    list(
      id = row$calibration_id, pair = paste(
        level_words(data$words, "workload", row$workload), level_words(data$words, "provider", row$provider),
        sep = ", "
      ),
      place = where_words(data, row$place, row$cpu_profile), truth = format_fixed(row$truth, 2),
      estimate = shown$estimate,
      interval = shown$interval,
      outcome = if (!is.finite(row$lower)) "no interval" else if (found) "different" else "alike",
      right = right
    )
  })
}

# Disturbances, and how verdicts depend on the analysis.

#' How many forks each gate marked, in a sentence.
gate_sentence <- function(data) {
  broken <- data$forks[valid %in% FALSE]
  if (nrow(broken) == 0) return("No JVM run was disturbed.")
  reruns <- sum(is.finite(data$forks$rerun_of))
  sprintf(
    "%s of %s were disturbed (%s) and decide nothing; %s measured again.", format_count(nrow(broken)),
    format_plural(nrow(data$forks), "JVM run"),
    invalid_cause_words(data$words, broken$invalid_cause),
    if (reruns == 1) "1 was" else paste(if (reruns == 0) "none" else format_count(reruns), "were")
  )
}

#' For each alternative analysis: how many verdicts differ, and on which claims.
sensitivity_rows <- function(data) {
  words <- c(
    "all forks" = "with disturbed JVM runs",
    "without iterations hit by a pause" = "without iterations that a pause hit",
    "bootstrap-t" = "with bootstrap-t intervals, not paired", "warm-up ignored" = "as if all warm-ups were proven"
  )
  lapply(intersect(names(words), data$sensitivity$analysis), function(name) {
    rows <- data$sensitivity[analysis == name]
    changed <- rows[changes %in% TRUE]
    list(
      analysis = words[[name]], judged = format_count(nrow(rows)), changed = format_count(nrow(changed)),
      claims = format_list(unique(changed$claim))
    )
  })
}

#' Relevant drifts, in a sentence.
drift_sentence <- function(data) {
  if (nrow(data$drifts) == 0) return(character())
  marked <- data$drifts[marked %in% TRUE]
  if (nrow(marked) == 0) return("Times did not drift during the run.")
  worst <- marked[which.max(abs(log(drift)))]
  sprintf(
    "Times drifted in %s of %s comparisons between stages or sessions, at most by %s %% (%s). Ratios are not affected.",
    format_count(nrow(marked)), format_count(nrow(data$drifts)), format_percent(100 * abs(worst$drift - 1)), worst$place
  )
}

#' Notes on the data; equal messages appear once, and there are at most six notes.
note_lines <- function(data, most = 6L) {
  # The study's page shows its contradictions. A separate sentence covers what the time limit left out.
  notes <- data$notes[!grepl("had no room for|^the study's own", message)]
  notes <- notes[order(match(level, c("error", "warning"), nomatch = 3L))]
  # Messages that differ only in their numbers appear once.
  notes <- notes[, .(where = format_some(where, 2), message = message[1]), by = .(level, gsub("[0-9]+", "", message))]
  lines <- notes[, sprintf("%s: %s", where, message)]
  c(head(lines, most), if (length(lines) > most) sprintf("%s more in notes.csv", format_count(length(lines) - most)))
}

table_trust <- function(data) {
  list(
    precision = as.list(c(width_words(data), pooled_sentence(data))),
    self_test = as.list(self_test_sentences(data)), pairs = self_test_rows(data), warm_up = warm_up_rows(data),
    waits = as.list(wait_sentence(data)), disturbed = as.list(c(gate_sentence(data), drift_sentence(data))),
    sensitivity = sensitivity_rows(data), notes = as.list(note_lines(data))
  )
}
