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

#' A study's claims that are inconclusive or that the protocol turns, each with why and what it would take.
#'
#' @param quoted of `quoted_verdicts`
#' @return list: `claim`, `variant`, `protocol`, `verdict`, `letter`, `cause`, `id`
open_rows <- function(data, ids, quoted) {
  rows <- quoted[experiment %in% ids & verdict == "inconclusive"]
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
