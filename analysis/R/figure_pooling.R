# What a kept connection gains over a link, by how long the request works: the study's number holds at one length alone.

#' The ratios of a new connection to a pooled one, a row of contrasts.csv per length of work, in the first place and
#' under the last protocol, with `work_ms`, `round_trip_ms` and `expected`, which a saved round trip gives by itself.
pooling_rows <- function(data, id) {
  study <- data$experiments[[id]]
  far <- Filter(function(claim) "work" %in% unlist(claim$each), study$claims)
  if (length(far) == 0 || is.null(study$factors$work)) return(NULL)
  last <- utils::tail(protocols_of(study), 1)
  rows <- data$contrasts[experiment == id & claim == names(far)[1] & protocol == last]
  if (nrow(rows) == 0) return(NULL)
  rows <- rows[as.integer(place) == min(as.integer(place))]
  link <- unlist(far[[1]]$ratios[[1]]$numerator[["round-trip"]])
  rows[, work := sub("^work=", "", variant)]
  rows[, `:=`(
    work_ms = vapply(work, function(level) as.numeric(study$factors$work[[level]]$workMs), 0),
    round_trip_ms = as.numeric(study$factors[["round-trip"]][[link]]$roundTripMs)
  )]
  rows[, expected := (2 * round_trip_ms + work_ms) / (round_trip_ms + work_ms)]
  rows[order(work_ms)]
}

#' The work at which a ratio that falls from row to row is `wanted`: between two rows, on the log scale of the ratio; NA
#' where no two rows have it between them.
crossing_ms <- function(work_ms, ratio, wanted) {
  for (i in seq_along(ratio)[-1]) {
    ends <- log(ratio[c(i - 1, i)])
    if (all(is.finite(ends)) && ends[1] >= log(wanted) && ends[2] <= log(wanted)) {
      share <- if (diff(ends) == 0) 0 else (log(wanted) - ends[1]) / diff(ends)
      return(work_ms[i - 1] + share * diff(work_ms[c(i - 1, i)]))
    }
  }
  NA_real_
}

pooling_figure <- function(data, id) {
  rows <- pooling_rows(data, id)
  # A single length of work is a number, and no curve.
  if (is.null(rows) || nrow(rows) < 2) return(NULL)
  # The middle of the claim's range is the study's number.
  wanted <- rows[, mean(c(target_lower, target_upper))]
  found <- crossing_ms(rows$work_ms, rows$ratio, wanted)
  by_itself <- rows$round_trip_ms[1] * (2 - wanted) / (wanted - 1)
  rows[, work := factor(work, levels = unique(work))]
  target <- unique(rows[, .(target_lower, target_upper)])
  plot <- ggplot(rows, aes(x = work, y = ratio)) +
    geom_rect(
      data = target, aes(ymin = target_lower, ymax = target_upper, xmin = -Inf, xmax = Inf), inherit.aes = FALSE,
      fill = "#009E73", alpha = 0.15
    ) +
    geom_line(aes(y = expected, group = 1), linetype = "dashed", linewidth = 0.3) +
    geom_linerange(aes(ymin = lower, ymax = upper), linewidth = 0.5, colour = place_colours[1], na.rm = TRUE) +
    geom_point(size = 1.4, colour = place_colours[1], na.rm = TRUE) +
    scale_y_log10(labels = label_number) +
    labs(x = "work of the request", y = "new over pooled connection") +
    theme_report()
  said <- if (is.na(found)) "" else sprintf("The ratio is %s at %s ms. ", format_fixed(wanted, 1), format_fixed(found))
  new_figure(
    paste0("pooling-", id), then_section(data, id), "What a pooled connection gains, by the work of a request",
    paste0(
      "Time of a request on a new connection over that on a pooled one, with 95 % intervals, in ", rows$place[1],
      "; protocol ", rows$protocol[1], ". Dashed: what one saved round trip of two gives by itself. Shaded: the ",
      "claim's range. ", said,
      sprintf("A saved round trip alone gives it at %s ms.", format_fixed(by_itself, 0))
    ),
    paste0("Plot of ratios by work: ", format_some(rows[, paste(work, format_fixed(ratio, 2))]), "."),
    plot, 62, if (nrow(rows) > 5) page_width_mm else half_width_mm
  )
}

figure_pooling <- function(data) {
  Filter(Negate(is.null), lapply(names(data$experiments), function(id) pooling_figure(data, id)))
}
