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

# Then and now, a section per study: its numbers beside ours, what it was measured with and on, its tables redrawn, and
# what of its figures is not redrawn.

#' Settings, machine, and results that no claim is about, as the study printed them, in one line.
printed_settings <- function(printed) {
  rows <- printed[kind %in% c("setting", "machine") | (kind == "result" & !nzchar(claims))]
  said <- vapply(seq_len(nrow(rows)), function(i) paste(rows$quantity[i], printed_words(rows[i]), sep = ": "), "")
  paste(said, collapse = "; ")
}

#' What the study used and what stands for it here; "not available" where nothing does.
system_rows <- function(systems) {
  lapply(seq_len(nrow(systems)), function(i) {
    row <- systems[i]
    gone <- row$available %in% c("no", "stand-in")
    ours <- if (gone && nzchar(row$ours)) paste("in its place", row$ours) else row$ours
    stands <- c(if (gone) "not available", ours)
    list(
      system = row$system, kind = row$kind, version = if (nzchar(row$version)) row$version else dash,
      now = paste(stands[nzchar(stands)], collapse = "; "), why = row$why, available = row$available
    )
  })
}

#' The machine and the environments of a study's rounds, in a sentence.
now_words <- function(data, ids) {
  rounds <- data$rounds[experiment %in% ids]
  if (nrow(rounds) == 0) return("Nothing of this study was measured in this run.")
  record <- read_record(data, rounds$path[1], "audit.json")
  audit <- if (!is.null(record)) flatten_json(record)
  model <- unname(audit[grepl("(cpu_model|model_name)$", names(audit)) & !is.na(audit)])[1]
  places <- unique(rounds[order(as.integer(place))]$place)
  paste0("This run: ", format_some(places, 6), if (!is.na(model %||% NA)) paste0("; CPU ", model), ".")
}

#' A picture of the kind `table`: its panels as groups, a column for every series, printed numbers behind ours.
redrawn_table <- function(picture, study_figures) {
  shown <- function(rows) {
    unit <- vapply(as.character(rows$series), function(name) if (picture$unit[[name]] == "%") 0.01 else 1, 0)
    ours <- format_interval(rows$value / unit, rows$lower / unit, rows$upper / unit)
    data.table::copy(rows)[, text := paste0(ours$estimate, " ", ours$interval, mark)]
  }
  rows <- shown(picture$rows)
  if (!is.null(picture$printed)) {
    printed <- picture$printed[, .(panel, x, series, told = paste0("; printed: ", said, " ", value))]
    rows[printed, text := paste0(text, i.told), on = c("panel", "x", "series")]
  }
  columns <- intersect(levels(rows$series), rows$series)
  names <- unique(unlist(lapply(picture$panels, function(panel) panel$figures)))
  list(
    title = paste0(picture$title, ", as in the study's ", layout_figure_names(names)), note = picture$note %||% "",
    head = as.list(c(paste(study_figures[figure %in% names]$x[1]), columns)),
    groups = lapply(unname(split(rows, by = "panel", sorted = TRUE, drop = TRUE)), function(part) {
      wide <- data.table::dcast(part, x ~ series, value.var = "text", fill = dash, drop = TRUE)
      list(panel = as.character(part$panel[1]), rows = lapply(seq_len(nrow(wide)), function(i) {
        c(list(as.character(wide$x[i])), lapply(columns, function(name) wide[[name]][i] %||% dash))
      }))
    })
  )
}

#' The figures that the run has nothing for, in a line.
left_out_words <- function(left_out) {
  if (length(left_out) == 0) return("")
  sprintf("Nothing was measured in this run for the study's %s.", layout_figure_names(left_out))
}

#' The printed numbers that claims name as their own.
named_quantities <- function(data, ids) {
  unlist(lapply(data$experiments[ids], function(one) lapply(one$claims, function(claim) claim$published$quantity)))
}

#' A study's claims that are undecided or that the protocol turns, each with why and what it would take.
#'
#' @param quoted of `quoted_verdicts`
#' @return list: `claim`, `variant`, `protocol`, `verdict`, `letter`, `cause`, `id`
open_rows <- function(data, ids, quoted) {
  rows <- quoted[experiment %in% ids & verdict == "undecided"]
  rows <- rows[order(claim, protocol)]
  counts <- rows[, .(
    variants = .N, forks = if (.N > 0 && all(is.finite(forks_needed))) max(forks_needed) else NA_real_,
    ids = paste(verdict_id, collapse = " ")
  ), by = .(claim, protocol, cause)]
  lapply(seq_len(nrow(counts)), function(i) {
    row <- counts[i]
    list(
      claim = row$claim, protocol = row$protocol, cause = row$cause, ids = row$ids,
      statements = format_plural(row$variants, "statement"),
      takes = if (is.finite(row$forks)) format_plural(ceiling(row$forks), "fork") else ""
    )
  })
}

study_entry <- function(data, id, ids, rolled, quoted) {
  printed <- data$published[study == id]
  found <- study_pictures(data, id)
  protocols <- measured_protocols(data, ids)
  told <- printed[nzchar(claims) & (kind == "result" | quantity %in% named_quantities(data, ids))]
  source <- data$experiments[[ids[1]]]$study
  tables <- Filter(function(picture) picture$kind == "table", found$pictures)
  entry <- list(
    id = id, experiments = as.list(ids), authors = source$authors, cite = cite_words(source),
    short = short_cite(source), protocols = as.list(protocols),
    rows = lapply(seq_len(nrow(told)), function(i) then_now_row(told[i], data, ids, found$pictures, protocols, quoted)),
    settings = printed_settings(printed), now = now_words(data, ids),
    systems = system_rows(data$layout$systems[study == id]),
    tables = lapply(tables, redrawn_table, data$layout$figures[study == id]),
    left_out = left_out_words(found$left_out), open = open_rows(data, ids, quoted),
    protocol = protocol_changes(data, ids)
  )
  c(entry, list(front = front_entry(data, entry, rolled, quoted)))
}

#' An experiment that reruns no study with numbers of its own, as a line of the first page.
other_entry <- function(data, id, rolled, quoted) {
  protocols <- measured_protocols(data, id)
  entry <- list(id = study_of(data, id), experiments = list(id), protocols = as.list(protocols), rows = list())
  list(id = id, short = data$experiments[[id]]$title, front = front_entry(data, entry, rolled, quoted))
}

#' A list: `studies` with all that their section says, and `others`, the experiments of no study with numbers of its
#' own.
table_then_now <- function(data) {
  studies <- rerun_studies(data)
  rolled <- claim_verdict_rows(data)
  quoted <- quoted_verdicts(data)
  list(
    studies = unname(Map(function(id, ids) study_entry(data, id, ids, rolled, quoted), names(studies), studies)),
    others = lapply(setdiff(names(data$experiments), unlist(studies)), function(id) {
      other_entry(data, id, rolled, quoted)
    })
  )
}
