# A study's own figure with this run's numbers, as dots with intervals on axes that all panels share
# (data/published/layout/pictures.json), and the counts of byte values.

#' The series that are drawn: those with numbers of ours or printed ones.
shown_series <- function(picture) {
  seen <- c(as.character(picture$rows$series), as.character(picture$printed$series))
  intersect(levels(picture$rows$series), seen)
}

#' Colours of series: a provider has its own everywhere.
series_colours <- function(picture, data) {
  shown <- shown_series(picture)
  if (!identical(unlist(picture$series$by), "provider")) {
    return(setNames(rep_len(palette_colours, length(shown)), shown))
  }
  ids <- vapply(shown, function(name) unlist(picture$series$levels[[name]])[1] %||% name, "")
  setNames(provider_colours(data, ids)[ids], shown)
}

#' Numbers are divided by this for the axis.
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
    labs(x = switch(picture$unit, "%" = "%", s = "CPU time in s", bytes = "bytes", "time per operation"), y = NULL) +
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
  plot + scale_x_log10(breaks = log_breaks, labels = if (picture$unit == "time") label_time else label_number)
}

#' How many panels stand beside each other.
panels_wide <- function(picture) min(uniqueN(picture$rows$panel), 4L - (uniqueN(picture$rows$panel) %in% c(3L, 6L)))

#' The height of a picture: a line for each place of its axis, and for several series of it.
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
    if (name == "protocol") found <- protocol_words(found)
    paste(found, collapse = " or ")
  }))
  said <- c(
    paste0("Ours: ", paste(settings[nzchar(settings)], collapse = "; "), ", 95 % intervals."), picture$note,
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

#' At most one figure of each study: the one of which this run has most numbers, from ten on.
figure_redrawn <- function(data) {
  found <- lapply(names(rerun_studies(data)), function(study) {
    pictures <- study_pictures(data, study)
    sizes <- vapply(pictures, function(picture) nrow(picture$rows), 0L)
    if (!any(sizes >= 10)) return(NULL)
    redrawn_figure(pictures[[which.max(sizes)]], data)
  })
  Filter(Negate(is.null), found)
}

#' How often each byte value occurs in three streams of an experiment: the least even, the middle one and the most even.
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
    said <- chosen[, paste0(plain_words(as.character(label)), " ", format_significant(mean))]
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
