# A section per experiment: what was done then and now, the verdicts, the protocols' difference, the cells.

#' One line per protocol: what a fork does under it, as resolved for this tier.
describe_protocols <- function(study) {
  lapply(protocols_of(study), function(name) {
    protocol <- study$protocols[[name]]
    warmup <- protocol$warmup
    list(name = name, text = paste0(
      if (identical(protocol$mode, "single-shot")) {
        paste0(protocol$iterations, " single calls timed one by one")
      } else {
        paste0(protocol$iterations, " iterations of ", protocol$iteration_ms, " ms, mean time per call")
      }, " in each fresh JVM; ",
      if (identical(warmup, "steady-state")) {
        "warm-up is told from the data (changepoints)"
      } else if (as.numeric(warmup) == 0) {
        "no warm-up, every call counts"
      } else {
        paste("the first", warmup, "iterations are left out")
      }, if (is.numeric(protocol$half_width)) {
        sprintf(
          "; as many forks as an interval of \u00b1%s %% needs, at most %s a cell",
          plain_percent(100 * protocol$half_width), study$tier$max_rounds %||% "all"
        )
      }, "."
    ))
  })
}

#' Key and value rows of what the rerun did.
describe_now <- function(data, id) {
  study <- data$experiments[[id]]
  cells <- cells_of(data, id)
  cpu <- identical(study$measure, "cpu")
  row <- function(key, value) list(key = key, value = if (nzchar(value)) value else dash)
  forks <- range(c(cells$forks, if (nrow(cells) == 0) 0))
  levels <- lapply(factor_columns(cells), function(name) {
    seen <- setdiff(unique(cells[[name]]), "")
    known <- intersect(names(study$factors[[sub("^factor\\.", "", name)]]), seen)
    if (length(known) > 0) row(sub("^factor\\.", "", name), paste(known, collapse = ", "))
  })
  rounds <- data$rounds[experiment == id]
  c(
    list(
      row("measure", if (cpu) "CPU time, user and system, per operation" else "elapsed (wall) time per operation"),
      row("workloads", paste(intersect(names(study$workloads), cells$workload), collapse = ", ")),
      row("providers", paste(unique(cells$provider), collapse = ", "))
    ),
    Filter(Negate(is.null), levels),
    list(
      row("environments", paste(intersect(levels(cells$place), cells$place), collapse = "; ")),
      row("CPU profiles", paste(intersect(names(data$profiles), cells$cpu_profile), collapse = ", ")),
      row("rounds", format_count(nrow(rounds))),
      row("forks a cell", paste(unique(format_count(forks)), collapse = " to ")),
      row("time taken", paste(format_significant(sum(rounds$elapsed_s, na.rm = TRUE) / 60, 2), "min of rounds"))
    )
  )
}

#' The verdicts of a study, grouped by claim and variant, with the range that each was held against. What they cover is
#' told once for variants of a claim that follow each other.
verdict_groups <- function(data, id) {
  study <- data$experiments[[id]]
  rows <- data$verdicts[experiment == id & verdict != "not testable here"]
  rows <- rows[order(
    match(claim, names(study$claims)), match(variant, unique(variant)), match(protocol, protocols_of(study)),
    match(cpu_profile, names(data$profiles)), as.integer(place)
  )]
  lapply(unname(split(rows, by = c("claim", "variant"), sorted = FALSE)), function(part) {
    covers <- unique(part$covers)
    list(
      covers = format_list(paste(covers[nzchar(covers)], collapse = " | ")),
      claim = part$claim[1], variant = variant_words(data, id, part$variant[1]),
      text = study$claims[[part$claim[1]]]$text,
      rows = lapply(seq_len(nrow(part)), function(i) show_verdict_row(data, part, i))
    )
  })
}

#' A verdict of a claim's. Where it was judged in many places, only the first and those of another verdict say all, the
#' others at most why they are undecided: their reasons stand in verdicts.csv.
show_verdict_row <- function(data, part, i) {
  row <- part[i]
  first <- part[protocol == row$protocol][1]
  brief <- nrow(part) > 2 * most_marks && row$verdict_id != first$verdict_id && row$verdict == first$verdict
  shown <- show_verdict(data, row)
  if (brief) shown$reason <- shown$cause
  shown
}

# More rows than this are no table to read: then only the cells of the first environment are printed.
most_rows <- 400L

#' Whether the table of cells is cut to the first environment.
cut_cells <- function(data, id) nrow(cells_of(data, id)) > most_rows

few_words <- function(data, id) {
  if (!cut_cells(data, id)) return("")
  sprintf("Only the cells of the first environment are printed; all stand in %s/cells.csv.", data$kept$tidy)
}

#' A row for each cell and place, with its mean under each protocol: `label`, `place`, `cells`.
cell_rows <- function(data, id) {
  cells <- cells_of(data, id)
  if (cut_cells(data, id)) cells <- cells[place == cells$place[order(as.integer(cells$place))][1]]
  cells <- cells[order(label, as.integer(place))]
  if (nrow(cells) == 0) return(list())
  shown <- format_time_interval(cells$mean_ns, cells$lower_ns, cells$upper_ns)
  columns <- data.table::data.table(
    protocol = cells$protocol, row = as.character(cells$row), mean = shown$estimate, interval = shown$interval,
    unit = shown$unit, forks = forks_words(cells$forks, cells$forks_no_steady)
  )
  keys <- cells[, .(label = as.character(label), place = as.character(place))]
  lapply(unname(split(cbind(keys, columns), by = c("label", "place"), sorted = FALSE)), function(part) {
    list(label = part$label[1], place = part$place[1], cells = lapply(seq_len(nrow(part)), function(i) {
      as.list(part[i, names(columns), with = FALSE])
    }))
  })
}

#' `5`, or `5 (2)` where two have no steady state.
forks_words <- function(forks, no_steady) {
  paste0(format_count(forks), ifelse(no_steady %in% c(0, NA), "", paste0(" (", format_count(no_steady), ")")))
}

#' Where a claim's number in the study's text and that of its table are two: `claim` and `text`.
own_tables <- function(data, id) {
  claims <- data$experiments[[id]]$claims
  said <- vapply(names(claims), function(name) {
    describe_own_table(published_figures(data, id, name), claims[[name]])
  }, "")
  said <- said[nzchar(said)]
  unname(Map(function(claim, text) list(claim = claim, text = text), names(said), said))
}

# More cells than this that missed their width are counted: the widest are shown.
most_missed <- 40L

#' Whether the cells reached the width that the tier wants of their intervals, and those that did not; NULL where no
#' width was wanted.
width_entry <- function(data, id) {
  study <- data$experiments[[id]]
  cells <- cells_of(data, id)[is.finite(wanted_half_width_pct)]
  if (nrow(cells) == 0) return(NULL)
  wanted <- paste0("\u00b1", format_list(unique(plain_percent(cells$wanted_half_width_pct)), "or"), " %")
  missed <- cells[reached != "yes"][order(-half_width_pct / wanted_half_width_pct)]
  shown <- missed[seq_len(min(.N, most_missed))]
  list(
    summary = paste0(
      count_of(nrow(cells) - nrow(missed), nrow(cells)), " cells that wanted an interval of ", wanted, " reached it.",
      if (nrow(missed) > nrow(shown)) sprintf(" The %d that missed it most are shown.", nrow(shown)) else ""
    ),
    rows = lapply(seq_len(nrow(shown)), function(i) {
      row <- shown[i]
      list(
        row = as.character(row$row), label = as.character(row$label), place = as.character(row$place),
        protocol = row$protocol, wanted = format_percent(row$wanted_half_width_pct),
        half = format_percent(row$half_width_pct), forks = format_count(row$forks),
        forks_wanted = format_count(row$forks_wanted)
      )
    })
  )
}

#' The study's security levels as rows; none where it has none.
level_rows <- function(study) {
  lapply(names(study$security_levels), function(name) {
    level <- study$security_levels[[name]]
    lengths <- lapply(level[c("symmetric", "asymmetric", "elliptic", "hash")], format_count)
    c(list(level = name, years = level$years, source = level$source), lengths)
  })
}

table_studies <- function(data) {
  lapply(names(data$experiments), function(id) {
    study <- data$experiments[[id]]
    source <- study$study
    list(
      id = id, title = study$title, then = trimws(source$then %||% ""),
      cite = cite_words(source),
      now = describe_now(data, id), protocols = describe_protocols(study), common = describe_common(cells_of(data, id)),
      choices = as.list(unlist(study$choices)), verdicts = verdict_groups(data, id), own_tables = own_tables(data, id),
      measure = if (identical(study$measure, "cpu")) "CPU time" else "wall time",
      widths = width_entry(data, id), cells = cell_rows(data, id), few = few_words(data, id),
      levels = level_rows(study)
    )
  })
}
