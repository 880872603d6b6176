# Byte values of streams: how often each occurs, and how far that is from even, against length and against chance.

byte_lengths <- function(measures) sub("^deviation\\.", "", grep("^deviation\\.", measures, value = TRUE))

# A deviation from here on is no matter of chance, and would leave no room for the rest on one axis.
far_from_even <- 1.5

#' Counts of the longest streams, all forks and iterations together; the line is where even ones would lie.
byte_histogram <- function(counts) {
  sums <- counts[, .(count = sum(count)), by = .(label, position)]
  sums[, even := mean(count), by = label]
  sums[, label := droplevels(label)]
  ggplot(sums, aes(x = position, y = count)) +
    geom_hline(aes(yintercept = even), colour = "grey50", linewidth = 0.25) +
    geom_segment(aes(xend = position, yend = even), colour = "#0072B2", linewidth = 0.3) +
    facet_wrap(vars(label), ncol = 4, scales = "free_y", labeller = label_wrap_gen(22)) +
    scale_x_continuous(breaks = c(0, 64, 128, 192, 255), expand = c(0.01, 0.01)) +
    scale_y_continuous(labels = label_number) +
    labs(x = "byte value", y = "count") +
    theme_report()
}

#' The streams of one kind, with a point for every length.
deviation_panel <- function(means, title) {
  means <- data.table::copy(means)[, label := factor(label, levels = rev(intersect(levels(label), label)))]
  # A wide interval may reach below 0, which a log axis does not have.
  means[, low := pmax(lower, min(mean) / 2)]
  dodge <- position_dodge(width = 0.7)
  ggplot(means, aes(x = mean, y = label, colour = size, shape = size)) +
    geom_vline(xintercept = 1, colour = "grey40", linewidth = 0.3) +
    geom_linerange(aes(xmin = low, xmax = upper), position = dodge, linewidth = 0.45, na.rm = TRUE) +
    geom_point(position = dodge, size = 1.2) +
    scale_x_log10(breaks = log_breaks, labels = label_number) +
    scale_colour_manual(NULL, values = rep_len(place_colours, nlevels(means$size)), drop = FALSE) +
    scale_shape_manual(NULL, values = rep_len(place_shapes, nlevels(means$size)), drop = FALSE) +
    labs(x = "deviation, 1 is chance", y = NULL, title = title) +
    theme_report()
}

deviation_plot <- function(means) {
  sizes <- sort(unique(means$objects))
  means <- data.table::copy(means)[, size := factor(
    objects, levels = sizes, labels = vapply(sizes, format_plural, "", "object")
  )]
  means[, wild := fifelse(max(mean) >= far_from_even, "far from even", "near even"), by = label]
  kinds <- rev(split(means, by = "wild", sorted = TRUE))
  panels <- Map(deviation_panel, kinds, names(kinds))
  rows <- vapply(kinds, function(kind) data.table::uniqueN(kind$label), 0L)
  patchwork::wrap_plots(panels, ncol = 1, heights = rows, guides = "collect") & theme(legend.position = "bottom")
}

figure_bytes <- function(data) {
  figures <- lapply(names(data$experiments), function(id) {
    values <- observed_of(data, id)
    lengths <- byte_lengths(unique(values$measure))
    if (length(lengths) == 0) return(list())
    values <- values[as.integer(place) == min(as.integer(place))]
    longest <- lengths[which.max(as.numeric(lengths))]
    forks <- valid_forks(data$forks[experiment == id & place == values$place[1]])[, c(fork_key, "label"), with = FALSE]
    counts <- forks[
      data$counts[experiment == id & measure == paste0("bytes.", longest)], on = fork_key, nomatch = NULL
    ]
    means <- values[startsWith(measure, "deviation.")][, objects := as.numeric(sub("^deviation\\.", "", measure))]
    at <- means[objects == as.numeric(longest)]
    others <- at[mean >= far_from_even]
    of_longest <- function(what) values[measure == paste0(what, longest)]
    zero <- of_longest("zero-share.")[which.max(mean)]
    sets <- unique(counts, by = c(fork_key, "iteration", "label"))[, .N, by = label]$N
    panels <- data.table::uniqueN(counts$label)
    said <- at[, paste0(label, " ", format_significant(mean, 3))]
    between <- function(x) paste(unique(format_count(range(x))), collapse = " to ")
    list(
      new_figure(
        paste0("bytes-", id), then_section(data, id),
        paste0("How often each byte value occurs", drawn_as(data, paste0("bytes-", id))),
        sprintf(
          paste(
            "Counts of the byte values over %s bytes a stream (%s keys and sets of objects together), from the line of",
            "an even spread; each stream has its own axis. Of %s, %s %% of the bytes are zero; evenly",
            "spread it would be 0.39 %%."
          ),
          between(of_longest("length.")$mean), between(sets), zero$label, format_significant(100 * zero$mean, 3)
        ),
        sprintf("Byte histograms of %s, deviation from even: %s.", format_plural(panels, "stream"), format_list(said)),
        byte_histogram(counts), min(24 * ceiling(panels / 4) + 12, page_height_mm)
      ),
      new_figure(
        paste0("bytes-deviation-", id), "details", title_of("How far from even, against length", id),
        paste0(
          "Standard deviation of the 256 counts over the one that chance gives to as many random bytes, mean over ",
          "forks with its 95 % interval (Student t). The deviation itself grows with the root of the length, for ",
          "random bytes as for any cipher: a shorter stream looks better by that alone.",
          if (nrow(others) > 0) paste0(" Far from even: ", format_list(others$label), ".") else ""
        ),
        sprintf("Dot plot of the deviation at %s: %s.", format_plural(length(lengths), "length"), format_list(said)),
        deviation_plot(means), 5.5 * data.table::uniqueN(means$label) + 34, half_width_mm
      )
    )
  })
  unlist(figures, recursive = FALSE)
}
