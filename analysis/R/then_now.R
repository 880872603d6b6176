# Then and now: each number that a study printed, in words, with this run's beside it in the same unit.

#' A study as it is cited; the year where its text gives one.
cite_words <- function(study) {
  year <- study$year %||% NA
  paste0(study$authors, if (is.finite(year)) paste0(" (", year, ")"), ", ", study$where, ".")
}

#' `C. Stegerer and S. Risse, 2008`; the year where the study's text gives one.
short_cite <- function(study) paste(c(study$authors, if (is.finite(study$year %||% NA)) study$year), collapse = ", ")

#' What a study printed, as it said it: `about 1000 times`, `30 to 35 %`, `slightly`.
printed_words <- function(row) {
  unit <- row$unit
  range <- if (is.finite(row$lower) && is.finite(row$upper)) {
    paste(format_significant_plain(row$lower), "to", format_significant_plain(row$upper))
  }
  number <- range %||% if (is.finite(row$value)) format_significant_plain(row$value)
  if (row$said == "words" || is.null(number)) return(paste0("\u201c", row$words, "\u201d"))
  told <- if (row$said %in% c("about", "at least", "over", "up to")) row$said
  error <- if (is.finite(row$error)) paste0("\u00b1", format_significant_plain(row$error))
  paste(c(told, number, error, unit), collapse = " ")
}

# Units of printed times, in ns.
printed_time_units <- c("ns/op" = 1, us = 1e3, ms = 1e6)

#' What a number of a picture is divided by, with the unit's name: times in the unit that the printed one reads best in.
line_unit <- function(row, picture) {
  if (picture$unit == "%") return(c("%" = 0.01))
  if (row$unit %in% names(printed_time_units)) return(time_unit(row$value * printed_time_units[[row$unit]]))
  setNames(1, row$unit)
}

#' This run's numbers where a picture has a printed row.
#'
#' @param pictures of `study_pictures`
#' @return list of lines: `text`, the `number` in it, `protocol`, `id` of the row in cells.csv or observed_means.csv
picture_lines <- function(row, pictures) {
  for (picture in Filter(function(picture) picture$kind != "table", pictures)) {
    for (wanted in Filter(function(wanted) wanted$quantity == row$quantity, picture$then)) {
      own <- picture$rows[x %in% unlist(wanted$x) & panel %in% (wanted$panel %||% levels(panel))]
      if (isTRUE(wanted$series %in% own$series)) own <- own[series == wanted$series]
      if (nrow(own) == 0) next
      unit <- line_unit(row, picture)
      shown <- format_interval(own$value / unit, own$lower / unit, own$upper / unit)
      numbers <- paste(shown$estimate, names(unit), shown$interval)
      texts <- paste0(own$x, ": ", numbers, own$mark)
      ids <- fcoalesce(as.character(own$row), own$observed_id)
      return(unname(Map(function(text, number, protocol, id) {
        list(text = text, number = number, protocol = protocol, id = id)
      }, texts, numbers, own$protocol, ids)))
    }
  }
  list()
}

# Verdicts of more variants than this are counted.
most_variants <- 3L

#' The ids of a study's claims that a printed row belongs to: those that name it as their own number, else those that
#' the row names, without the parts that have a number of their own where others have none.
#'
#' @param ids the study's experiments in the run
claims_of_row <- function(row, data, ids) {
  claims <- unlist(lapply(unname(data$experiments[ids]), function(one) {
    vapply(one$claims, function(claim) claim$published$quantity %||% "", "")
  }))
  if (row$quantity %in% claims) return(unique(names(claims)[claims == row$quantity]))
  listed <- claims[ledger_id(names(claims)) %in% strsplit(row$claims, ";", fixed = TRUE)[[1]]]
  # Of P7 the part about far away names its number; the row about nearby is the other part's.
  open <- ledger_id(names(listed)[!nzchar(listed)])
  unique(names(listed)[!nzchar(listed) | !ledger_id(names(listed)) %in% open])
}

#' The verdicts on a printed row's claims as the first page quotes them, with their estimates.
#'
#' @param quoted of `quoted_verdicts`
#' @return list of lines: `text`, the `number` in it, `protocol`, `verdict`, `letter`, `id` of the row in verdicts.csv
verdict_lines <- function(row, data, ids, quoted) {
  own <- claims_of_row(row, data, ids)
  rows <- rbindlist(lapply(ids, function(id) quoted[experiment == id & claim %in% own]))
  rows <- rows[is.finite(estimate) | !verdict %in% "not testable here"]
  if (nrow(rows) == 0) return(list())
  unlist(lapply(split(rows, by = c("claim", "protocol"), sorted = FALSE), function(part) {
    if (nrow(part) > most_variants) return(counted_lines(part))
    lapply(seq_len(nrow(part)), function(i) {
      own <- part[i]
      shown <- show_verdict(data, own)
      several <- length(unique(rows$experiment)) > 1
      told <- c(own$claim, variant_words(data, own$experiment, own$variant), if (several) own$experiment)
      number <- trimws(paste(shown$estimate, shown$interval))
      wanted <- if (shown$target %in% c("same order", dash)) "" else paste0(", wanted ", shown$target)
      list(
        number = number,
        text = paste0(paste(told[nzchar(told)], collapse = ", "), ": ", number, wanted),
        protocol = own$protocol, verdict = own$verdict, letter = shown$letter, id = own$verdict_id
      )
    })
  }), recursive = FALSE) |> unname()
}

#' The verdicts of one claim and protocol, counted: a line for each verdict.
counted_lines <- function(part) {
  counts <- part[, .(n = .N, ids = paste(verdict_id, collapse = " ")), by = verdict]
  lapply(seq_len(nrow(counts)), function(i) {
    list(
      text = sprintf("%s: %d of %d", part$claim[1], counts$n[i], nrow(part)),
      number = sprintf("%d of %d", counts$n[i], nrow(part)), protocol = part$protocol[1],
      verdict = counts$verdict[i], letter = verdict_letter(counts$verdict[i]), id = counts$ids[i]
    )
  })
}

#' A printed row with what this run has beside it, a list of lines for each protocol.
#'
#' @param pictures of `study_pictures`; `protocols` their names; `quoted` of `quoted_verdicts`
then_now_row <- function(row, data, ids, pictures, protocols, quoted = quoted_verdicts(data)) {
  lines <- picture_lines(row, pictures)
  if (length(lines) == 0) lines <- verdict_lines(row, data, ids, quoted)
  timed <- row$unit %in% names(printed_time_units) && is.finite(row$value)
  list(
    quantity = row$quantity, claims = gsub(";", ", ", row$claims, fixed = TRUE), note = row$note, place = row$place,
    then = paste0(
      if (timed) paste0(format_time(row$value * printed_time_units[[row$unit]]), ", printed "), printed_words(row)
    ),
    now = lapply(protocols, function(name) Filter(function(line) base_protocol(line$protocol) == name, lines))
  )
}
