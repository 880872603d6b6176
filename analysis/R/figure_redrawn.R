# A study's figure redrawn with this run's numbers, and the counts of byte values. Redrawn figures show dots with
# intervals on axes that all panels share (data/published/layout/pictures.json).

#' The series that are drawn: those with numbers of this run or printed ones.
shown_series <- function(picture) {
  seen <- c(as.character(picture$rows$series), as.character(picture$printed$series))
  intersect(levels(picture$rows$series), seen)
}

#' Colours of series: a provider has the same colour in every figure.
series_colours <- function(picture, data) {
  shown <- shown_series(picture)
  if (!identical(unlist(picture$series$by), "provider")) {
    return(setNames(rep_len(palette_colours, length(shown)), shown))
  }
  ids <- vapply(shown, function(name) unlist(picture$series$levels[[name]])[1] %||% name, "")
  setNames(provider_colours(data, ids)[ids], shown)
}

#' Divisor of the numbers on the axis.
picture_scale <- function(picture) if (picture$unit == "%") 0.01 else if (picture$unit == "s") 1e9 else 1

redrawn_plot <- function(picture, data) {
  scale <- picture_scale(picture)
  short <- function(panel, levels) factor(sub("^Figure ", "", panel), unique(sub("^Figure ", "", levels)))
  rows <- copy(picture$rows)[, `:=`(
    x = factor(x, levels = rev(levels(x))), series = factor(series, shown_series(picture)),
    low = fifelse(lower > 0, lower, NA_real_), panel = short(panel, levels(panel))
  )]
  dodge <- position_dodge(width = 0.7)
  plot <- ggplot(rows, aes(y = x, x = value / scale, colour = series)) +
    geom_linerange(aes(xmin = low / scale, xmax = upper / scale), position = dodge, linewidth = 0.35, na.rm = TRUE) +
    geom_point(position = dodge, size = 1.1, na.rm = TRUE) +
    scale_colour_manual(NULL, values = series_colours(picture, data), drop = FALSE) +
    labs(x = switch(picture$unit, "%" = "%", s = "CPU time", bytes = "bytes", "time per operation"), y = NULL) +
    theme_report() +
    theme(panel.spacing = unit(1.5, "mm"))
  if (!is.null(picture$printed)) {
    printed <- copy(picture$printed)[, `:=`(panel = short(panel, levels(rows$panel)), x = factor(x, levels(rows$x)))]
    plot <- plot + geom_point(
      aes(x = value, group = series), data = printed, colour = "black", fill = "#F0E442", shape = 23, size = 1.8,
      stroke = 0.3,
      position = dodge, na.rm = TRUE
    )
  }
  split <- !is.null(picture$split) && uniqueN(rows$split) > 1
  plot <- plot + if (split) {
    facet_grid(rows = vars(split), cols = vars(panel), scales = "free_y", space = "free_y",
               labeller = labeller(panel = label_wrap_gen(24)))
  } else {
    facet_wrap(vars(panel), ncol = panels_wide(picture), labeller = label_wrap_gen(34))
  }
  if (picture$unit %in% c("%")) return(plot + scale_x_continuous(labels = label_number))
  labels <- switch(picture$unit, time = label_time, s = function(s) label_time(s * scale), label_number)
  plot + scale_x_log10(breaks = log_breaks, labels = labels)
}

#' Number of panels in a row.
panels_wide <- function(picture) min(uniqueN(picture$rows$panel), 4L - (uniqueN(picture$rows$panel) %in% c(3L, 6L)))

#' The height of a picture: a line for each level of its axis, and for several series of it.
redrawn_height <- function(picture) {
  split <- !is.null(picture$split) && uniqueN(picture$rows$split) > 1
  series <- length(shown_series(picture))
  line <- max(3, 1.1 * series)
  if (split) return(24 + line * nrow(unique(picture$rows[, .(x, split)])))
  rows <- ceiling(uniqueN(picture$rows$panel) / panels_wide(picture))
  20 + rows * (7 + line * uniqueN(picture$rows$x))
}

redrawn_figure <- function(picture, data) {
  rows <- picture$rows
  names <- unique(unlist(lapply(picture$panels, function(panel) if (panel$name %in% rows$panel) panel$figures)))
  axes <- c(unlist(picture$x$by), unlist(picture$series$by))
  fixed <- setdiff(c("protocol", "provider", "factor.mode", "place", "cpu_profile"), axes)
  settings <- unlist(lapply(fixed, function(name) {
    if (name == "cpu_profile" && length(data$profiles) < 2) return(NULL)
    found <- setdiff(unique(as.character(rows[[name]])), c("", NA))
    words <- if (name == "protocol") protocol_words(found) else level_words(data$words, factor_of(name), found)
    paste(words, collapse = " or ")
  }))
  said <- c(
    paste0("Ours: ", paste(settings[nzchar(settings)], collapse = "; "), ". Lines: 95 % intervals."), picture$note,
    if (!is.null(picture$printed)) "Diamonds: printed in the study."
  )
  ends <- rows[c(which.min(value), which.max(value)), trimws(paste(x, series, panel, sep = ", "))]
  new_figure(
    paste("redrawn", picture$study, picture$id, sep = "-"), paste0("study-", picture$study),
    sprintf("%s (%s: %s)", picture$title, study_name(data, picture$study), layout_figure_names(names)),
    paste(said, collapse = " "),
    sprintf("Dot plot of %s: least %s; most %s.", format_plural(nrow(rows), "value"), ends[1], ends[2]),
    redrawn_plot(picture, data), redrawn_height(picture)
  )
}

#' At most one figure per study: the one with the most numbers of this run, if it has at least ten.
figure_redrawn <- function(data) {
  found <- lapply(names(rerun_studies(data)), function(study) {
    pictures <- study_pictures(data, study)
    sizes <- vapply(pictures, function(picture) nrow(picture$rows), 0L)
    if (!any(sizes >= 10)) return(NULL)
    redrawn_figure(pictures[[which.max(sizes)]], data)
  })
  Filter(Negate(is.null), found)
}

#' Frequency of each byte value in three streams of an experiment: the least even, the middle one and the most even.
figure_bytes <- function(data) {
  figures <- lapply(names(data$experiments), function(id) {
    values <- data$observed_means[experiment == id & startsWith(measure, "deviation.")]
    if (nrow(values) == 0) return(NULL)
    values[, objects := as.numeric(sub("^deviation\\.", "", measure))]
    values <- values[as.integer(place) == min(as.integer(place)) & objects == max(objects)][order(-mean)]
    values <- unique(values, by = "label")
    chosen <- values[unique(round(seq(1, .N, length.out = 3)))]
    forks <- valid_forks(data$forks[experiment == id & place == chosen$place[1]])[, c(fork_key, "label"), with = FALSE]
    counts <- forks[
      data$counts[experiment == id & measure == paste0("bytes.", chosen$objects[1])], on = fork_key, nomatch = NULL
    ][label %in% chosen$label]
    if (nrow(counts) == 0) return(NULL)
    sums <- counts[, .(count = sum(count)), by = .(label, position)][, share := 100 * count / sum(count), by = label]
    sums[, label := factor(label, levels = as.character(chosen$label))]
    plot <- ggplot(sums, aes(x = position, y = share)) +
      geom_hline(yintercept = 100 / 256, colour = "grey50", linewidth = 0.25) +
      geom_segment(aes(xend = position, yend = 100 / 256), colour = palette_colours[1], linewidth = 0.3) +
      facet_wrap(vars(label), nrow = 1, labeller = label_wrap_gen(34)) +
      scale_x_continuous(breaks = c(0, 64, 128, 192, 255), expand = c(0.01, 0.01)) +
      scale_y_log10(labels = label_number) +
      labs(x = "byte value", y = "share of all bytes in %") +
      theme_report()
    said <- chosen[, paste0(as.character(label), " ", format_significant(mean))]
    new_figure(
      paste0("bytes-", id), paste0("study-", study_of(data, id)), "How often each byte value occurs",
      sprintf(
        "Three streams of %s in %s: the least even, one between, and the most even. Line: an even share.",
        format_plural(chosen$objects[1], "object"), chosen$place[1]
      ),
      sprintf("Byte shares of three streams; deviation from even, 1 is chance: %s.", format_list(said)), plot, 46
    )
  })
  Filter(Negate(is.null), figures)
}

# The layout of the studies' figures (data/published/layout): which of them this run can redraw.

#' The layouts in a folder; none where it has no such file.
#'
#' @return list: `pictures` of pictures.json, with their named axes inserted. The CSV files give `figures`, `systems`
#'   and `studies` (the question of each, and its headline numbers)
read_layout <- function(folder) {
  table <- function(name, columns) {
    file <- file.path(folder, name)
    with_columns(if (file.exists(file)) read_csv_strictly(file) else data.table(), typed("c", columns))
  }
  file <- file.path(folder, "pictures.json")
  read <- if (file.exists(file)) jsonlite::fromJSON(file, simplifyVector = FALSE)
  pictures <- lapply(read$pictures, function(picture) {
    if (is.character(picture$series)) picture$series <- read$axes[[picture$series]]
    picture
  })
  list(
    pictures = pictures, figures = table("figures.csv", c("study", "figure", "shows", "known_from", "in_text", "note")),
    systems = table("systems.csv", c("study", "system", "kind", "version", "available", "why", "ours")),
    studies = table("studies.csv", c("study", "question", "headline"))
  )
}

#' The run's studies that have printed numbers or layouts, with the experiments of each.
#'
#' @return named list of experiments' ids, in the order of the definitions
rerun_studies <- function(data) {
  ids <- names(data$experiments)
  studies <- study_of(data, ids)
  known <- unique(c(data$published$study, data$layout$figures$study))
  lapply(setNames(nm = intersect(unique(studies), known)), function(study) ids[studies == study])
}

#' The pictures of a study that this run has numbers for, each with `rows` and `printed`.
study_pictures <- function(data, study) {
  own <- Filter(function(picture) picture$study == study, data$layout$pictures)
  values <- measured_values(data, rerun_studies(data)[[study]])
  own <- lapply(own, function(picture) {
    picture$rows <- picture_values(picture, values, data)
    if (!is.null(picture$rows)) picture$printed <- printed_values(picture, picture$rows, data)
    picture
  })
  Filter(function(picture) !is.null(picture$rows), own)
}

#' `figures 7 to 9`, `figure 4`, `tables 7 and 8` from names that end with a number; others as they are.
layout_figure_names <- function(names) {
  kinds <- sub(" [0-9]+$", "", names)
  numbers <- suppressWarnings(as.integer(sub("^.* ", "", names)))
  said <- vapply(unique(kinds), function(kind) {
    own <- sort(unique(numbers[kinds == kind]))
    if (length(own) == 0) return(kind)
    runs <- split(own, cumsum(c(1, diff(own) != 1)))
    words <- unlist(lapply(runs, function(run) if (length(run) > 2) paste(run[1], "to", run[length(run)]) else run))
    paste0(kind, if (length(own) > 1) "s", " ", format_list(words))
  }, "")
  format_list(said)
}

# A run's numbers, arranged in the layout of a study's figure.

#' Every number of a study's cells: times and other observed measures.
#'
#' @return data.table: the key of a cell, `place`, `platform`, `level` (of security, empty without), `measure`, `value`,
#'   `lower`, `upper` (ns, or the measure's unit). The id of its row is `row` of cells.csv or `observed_id`
measured_values <- function(data, ids) {
  keys <- c(shown_cell_key, "workload", "protocol", "provider", "cpu_profile", "place", "measure")
  means <- c("value", "lower", "upper")
  times <- data$cells[experiment %in% ids]
  seen <- data$observed_means[experiment %in% ids]
  seen[, warm_up_state := data$cells[seen, on = shown_cell_key, x.warm_up_state, mult = "first"]]
  shown <- function(table, columns, id) {
    setnames(table[, c(keys, factor_columns(table), columns, id, "warm_up_state"), with = FALSE], columns, means)
  }
  values <- rbind(
    shown(times, c("mean_ns", "lower_ns", "upper_ns"), "row"), shown(seen, c("mean", "lower", "upper"), "observed_id"),
    fill = TRUE
  )[is.finite(value)]
  for (name in factor_columns(values)) set(values, which(is.na(values[[name]])), name, "")
  platforms <- vapply(data$environments, function(environment) environment$platform %||% "linux", "")
  values[, platform := fcoalesce(platforms[match(environment, environment_ids(data$environments))], "linux")]
  # Some experiments of a study do not state the security level of a key length that several of them have.
  levels <- lapply(data$experiments[ids], function(experiment) as.character(level_number(values, experiment, "level")))
  values[, level := do.call(fcoalesce, c(unname(levels), list("")))][]
}

#' The rows whose columns have one of the levels that a filter selects. A missing column counts as empty.
kept_values <- function(values, where) {
  for (name in names(where)) {
    own <- values[[name]] %||% rep("", nrow(values))
    values <- values[own %in% unlist(where[[name]])]
  }
  values
}

#' The rows of a panel; none where all lack the factor that distinguishes the panel from others. For example, key
#' generation has no size, so it is not in a figure of sizes.
own_values <- function(values, where) {
  factors <- intersect(names(where), factor_columns(values))
  shared <- vapply(factors, function(name) all(values[[name]] == ""), TRUE)
  if (any(shared)) values[0] else values
}

#' The position of rows on an axis, as a factor; NA where the axis lacks their level. An axis without levels takes all,
#' in the order of the definitions.
axis_place <- function(values, axis, data) {
  parts <- lapply(unlist(axis$by), function(name) values[[name]] %||% rep("", nrow(values)))
  found <- gsub("\\s+", " ", trimws(do.call(paste, parts)))
  if (is.null(axis$levels)) {
    ranks <- Filter(length, lapply(unlist(axis$by), function(name) level_rank(values[[name]], name, data)))
    return(factor(found, levels = unique(found[do.call(order, c(ranks, list(found)))])))
  }
  labels <- rep(names(axis$levels), lengths(axis$levels))
  factor(labels[match(found, unlist(axis$levels))], levels = names(axis$levels))
}

#' The rank of a column's levels in the definitions.
level_rank <- function(levels, column, data) {
  if (is.null(levels)) return(NULL)
  known <- switch(column,
    protocol = unlist(lapply(data$experiments, protocols_of)), cpu_profile = names(data$profiles),
    place = data$places$label, provider = unlist(lapply(data$experiments, function(experiment) experiment$providers)),
    workload = unlist(lapply(data$experiments, function(experiment) names(experiment$workloads))),
    unlist(lapply(data$experiments, function(experiment) names(experiment$factors[[sub("^factor\\.", "", column)]])))
  )
  match(as.character(levels), known, nomatch = length(known) + 1L)
}

#' One level of every factor that has no axis in a picture: the most frequent one. Ties are resolved by the picture's
#' preference, then by the order of the definitions. Rows without a factor stay.
one_setting <- function(values, drawn, prefer, data) {
  free <- setdiff(c(
    "protocol", "cpu_profile", "place", "experiment", "provider", "workload", "measure", factor_columns(values)
  ), drawn)
  for (name in free) {
    levels <- as.character(values[[name]])
    counts <- table(levels[levels != ""])
    if (length(counts) < 2) next
    choice <- match(names(counts), unlist(prefer[[name]]), nomatch = 99L)
    best <- names(counts)[order(-counts, choice, level_rank(names(counts), name, data))][1]
    values <- values[levels %in% c(best, "")]
  }
  values
}

#' The numbers of a picture with their positions.
#'
#' @return as `measured_values`, with `panel`, `x`, `series` (factors) and `split` (text); NULL where the run has none
picture_values <- function(picture, values, data) {
  values <- kept_values(values, picture$where)
  drawn <- c(unlist(picture$x$by), unlist(picture$series$by), picture$split)
  names <- vapply(picture$panels, function(panel) panel$name, "")
  parts <- lapply(picture$panels, function(panel) {
    own <- own_values(kept_values(values, panel$where), panel$where)
    own <- own[!is.na(axis_place(own, picture$x, data))]
    if (!is.null(picture$series)) own <- own[!is.na(axis_place(own, picture$series, data))]
    own <- one_setting(own, drawn, picture$prefer, data)
    copy(own)[, panel := factor(rep(panel$name, .N), levels = unique(names))]
  })
  rows <- rbindlist(parts)
  if (nrow(rows) == 0) return(NULL)
  rows[, x := axis_place(rows, picture$x, data)]
  rows[, series := if (is.null(picture$series)) factor("") else axis_place(rows, picture$series, data)]
  rows[, split := if (is.null(picture$split)) "" else rows[[picture$split]]][]
}

#' The numbers that the study printed for a picture, where the rerun has the panel and the position on its axis.
#'
#' @return data.table: `panel`, `x`, `series` as in `picture_values`; `value`, `error`, `said`, `published_id` of the
#'   published row; NULL where it printed none
printed_values <- function(picture, rows, data) {
  parts <- lapply(picture$then, function(mark) {
    own <- data$published[study == picture$study & quantity == mark$quantity]
    places <- CJ(
      panel = if (is.null(mark$panel)) levels(rows$panel) else mark$panel, x = unlist(mark$x),
      series = mark$series %||% levels(rows$series)[1], sorted = FALSE
    )
    if (nrow(own) == 1) cbind(places, own[, .(value, error, said, published_id)])
  })
  found <- rbindlist(parts)
  if (nrow(found) == 0) return(NULL)
  found <- found[panel %in% rows$panel & x %in% as.character(rows$x)]
  for (name in c("panel", "x", "series")) set(found, j = name, value = factor(found[[name]], levels(rows[[name]])))
  found
}
