# The first page: a line for each study, and how wide a run's intervals are.

#' The words of the first of a study's headline numbers that this run has something beside; of the first one where it
#' has none.
#'
#' @param study an entry of `table_then_now`
#' @return list: `quantity`, `then`, `now` (a list of lines for each protocol of the study), and `claims`, their ids
headline_row <- function(study, headline) {
  wanted <- strsplit(headline, ";", fixed = TRUE)[[1]]
  rows <- Filter(Negate(is.null), lapply(wanted, function(name) {
    Find(function(row) row$quantity == name, study$rows)
  }))
  measured <- Filter(function(row) any(lengths(row$now) > 0), rows)
  row <- c(measured, rows)[1]
  if (is.null(row[[1]])) return(list(quantity = "", then = dash, now = lapply(study$protocols, function(name) list())))
  c(row[[1]][c("quantity", "then", "now")], list(claims = strsplit(row[[1]]$claims, ", ", fixed = TRUE)[[1]]))
}

#' The claims of a study under each protocol of the report: a mark for each verdict, and `sure` in words.
#'
#' @param rows of `claim_verdict_rows`, `quoted` of `quoted_verdicts`, of this study
verdict_strip <- function(rows, quoted, protocols) {
  lapply(protocols, function(name) {
    own <- rows[protocol == name]
    list(
      protocol = name, sure = sure_words(own, quoted[base_protocol(protocol) == name]),
      marks = lapply(seq_len(nrow(own)), function(i) {
        list(id = own$claim[i], verdict = own$verdict[i], letter = verdict_letter(own$verdict[i]))
      })
    )
  })
}

#' `3 of 9 decided; open: 4 not settled and 2 too wide`, of the claims that could be judged; empty without any.
sure_words <- function(rows, quoted) {
  own <- rows[!verdict %in% unjudged_kinds]
  if (nrow(own) == 0) return("")
  causes <- cause_counts(quoted$cause)
  decided <- sum(own$verdict %in% c("supported", "refuted"))
  paste0(decided, " of ", nrow(own), " decided", if (nzchar(causes)) paste0("; open: ", causes))
}

#' What a study's verdicts come to, in a line: the claim that the protocol turns, else one that does not hold, else one
#' that does, its headline claims first; else why nothing is decided.
#'
#' @param rows its rows of `claim_verdict_rows`, `texts` the claims' texts by their ids
lesson_words <- function(rows, texts, first) {
  judged <- rows[!verdict %in% unjudged_kinds][order(!claim %in% first)]
  found <- function(ids, words) {
    if (length(ids) == 0) return(NULL)
    sprintf("%s (%s): \u201c%s\u201d", words, ids[1], texts[[ids[1]]])
  }
  kinds <- judged[, .(kinds = list(verdict), last = verdict[.N]), by = claim]
  has <- function(...) vapply(kinds$kinds, function(own) all(c(...) %in% own), TRUE)
  found(kinds[has("supported", "refuted")]$claim, "Depends on the protocol") %||%
    found(kinds[has("refuted")]$claim, "Does not hold") %||%
    found(kinds[has("supported")]$claim, "Holds") %||%
    if (nrow(judged) > 0) "Nothing is decided yet." else "Nothing of it could be judged in this run."
}

#' A study's line of the first page.
#'
#' @param study an entry of the report's then and now: `id`, `experiments`, `protocols`, `rows`
#' @param rows of `claim_verdict_rows`, `quoted` of `quoted_verdicts`
#' @return list: `question`, its headline number as `quantity`, `then` and `now` (lines for each protocol), the `strip`
#'   of its verdicts, and `lesson`
front_entry <- function(data, study, rows, quoted) {
  wanted <- study$id
  layout <- data$layout$studies[match(wanted, data$layout$studies$study)]
  own <- rows[study == wanted]
  headline <- headline_row(study, layout$headline %|% "")
  claims <- unlist(unname(lapply(data$experiments[unlist(study$experiments)], function(one) one$claims)), FALSE)
  texts <- vapply(claims, function(claim) claim$text, "")
  texts <- texts[!duplicated(ledger_id(names(texts)))]
  list(
    question = layout$question %|% "", quantity = headline$quantity, then = headline$then, now = headline$now,
    strip = verdict_strip(own, quoted[study_of(data, experiment) == wanted], unlist(study$protocols)),
    lesson = lesson_words(own, stats::setNames(texts, ledger_id(names(texts))), headline$claims)
  )
}

#' A text, or another where it is missing or empty.
`%|%` <- function(text, other) if (length(text) == 0 || is.na(text) || !nzchar(text)) other else text

#' The median of the cells' half-widths under each protocol, in the measure that each experiment's claims are about.
width_words <- function(data) {
  cells <- rbindlist(lapply(names(data$experiments), function(id) cells_of(data, id)))
  if (nrow(cells) > 0) cells <- cells[is.finite(half_width_pct)]
  if (nrow(cells) == 0) return("No cell has an interval: that takes two forks.")
  middle <- cells[, .(half = stats::median(half_width_pct), n = .N), by = .(protocol = base_protocol(protocol))]
  told <- sprintf("\u00b1%s %% (%s, %s)", format_percent(middle$half), middle$protocol,
                  vapply(middle$n, format_plural, "", "interval"))
  sprintf("The median 95 %% interval of its cells is %s.", format_list(told))
}

# The first page's picture: for every claim with a number of its study, that number and ours.

#' Statements with a number of the study to hold ours against: a row for each claim's part and protocol, that of the
#' verdict which the first page quotes. A number here may lie at or below 0, where a log axis has no place for it.
numbers_beside <- function(data) {
  quoted <- quoted_verdicts(data)[is.finite(estimate) & verdict != "not comparable"]
  quoted <- quoted[, .SD[1], by = .(experiment, claim, protocol)]
  stated <- Map(function(id, claim) {
    figures <- published_figures(data, id, claim)
    own <- figures$stated
    if (!is.finite(own)) own <- figures$table$ratio %||% NA_real_
    own
  }, quoted$experiment, quoted$claim)
  quoted[, then := as.numeric(unlist(stated))]
  quoted <- quoted[is.finite(then) & then > 0]
  quoted[, label := paste0(claim, " ", vapply(seq_len(.N), function(i) {
    shorten(data$experiments[[experiment[i]]]$claims[[claim[i]]]$text, 62)
  }, ""))]
  quoted[, label := mark_unsettled(label, settled)]
  quoted[, protocol := factor(base_protocol(protocol), levels = unique(base_protocol(protocol)))][]
}

#' A text that is too long, without what stands in brackets, and then cut after a word, with an ellipsis.
shorten <- function(text, width) {
  if (nchar(text) > width) text <- gsub(" \\([^)]*\\)", "", text)
  if (nchar(text) <= width) return(text)
  paste0(sub("\\s+\\S*$", "", substr(text, 1, width)), "\u2026")
}

front_plot <- function(rows) {
  rows <- data.table::copy(rows)[, label := factor(label, levels = rev(unique(label)))]
  dodge <- position_dodge(width = 0.6)
  ggplot(rows, aes(y = label)) +
    geom_vline(xintercept = 1, colour = "grey70", linewidth = 0.25) +
    geom_linerange(
      aes(xmin = lower, xmax = upper, colour = protocol), position = dodge, linewidth = 0.5, na.rm = TRUE
    ) +
    geom_point(aes(x = estimate, colour = protocol, shape = protocol), position = dodge, size = 1.6) +
    geom_point(aes(x = then), shape = 5, size = 2.4, stroke = 0.6) +
    scale_x_log10(breaks = log_breaks, labels = label_number) +
    scale_colour_manual(NULL, values = unname(place_colours)) +
    scale_shape_manual(NULL, values = c(16, 17, 15, 4)) +
    labs(x = NULL, y = NULL) +
    theme_report() +
    theme(legend.position = "bottom", panel.grid.major.y = element_blank())
}

# What the axis and the legend take, and a row: of many as much as the first page has left for all of them.
front_frame_mm <- 15
front_row_mm <- function(rows) max(3.2, min(6, 52 / rows))

figure_front <- function(data) {
  rows <- numbers_beside(data)
  below <- unique(rows[estimate <= 0]$claim)
  rows <- rows[estimate > 0]
  if (nrow(rows) == 0) return(list())
  claims <- data.table::uniqueN(rows$label)
  list(new_figure(
    "front-numbers", "front", "The studies' numbers and ours",
    paste0(
      "Every statement for which its study gives a number or a table: the study's (open diamond) and ours with its ",
      "95 % interval, in the claim's own unit on a log axis; most are ratios.",
      if (length(below) > 0) sprintf(" No mark where ours is not above 0: %s.", format_list(below))
    ),
    sprintf("Dot plot of %s: the study's number beside ours under each protocol.", format_plural(claims, "statement")),
    front_plot(rows), front_frame_mm + front_row_mm(claims) * claims
  ))
}
