# Time over the length of the text, with the curve a + b length^g that linearity is judged by.

#' The series of a study's first claim of linearity that have a curve, in the first place and CPU profile, under the
#' last protocol: rows of contrasts.csv with `work` and `provider` of their largest cell.
length_series <- function(data, id, claims) {
  last <- utils::tail(protocols_of(data$experiments[[id]]), 1)
  series <- data$contrasts[experiment == id & claim %in% names(claims)[1] & protocol == last & is.finite(slope)]
  series <- series[cpu_profile %in% names(data$profiles)[1]]
  if (nrow(series) == 0) return(NULL)
  series <- series[as.integer(place) == min(as.integer(place))]
  at <- match(series$numerator_cell, data$cells$cell)
  column <- paste0("factor.", claims[[1]]$compare$factor)
  series[, `:=`(provider = data$cells$provider[at], work = length_work(data$cells[at], column))][]
}

#' The workload and its levels, but for the length.
length_work <- function(cells, column) {
  others <- c("workload", setdiff(factor_columns(cells), column))
  trimws(gsub("\\s+", " ", do.call(paste, cells[, others, with = FALSE])))
}

#' The forks that the curves are fitted to, with their `bytes`.
length_forks <- function(data, id, series, claim) {
  column <- paste0("factor.", claim$compare$factor)
  forks <- valid_forks(data$forks[experiment == id & place == series$place[1] & protocol == series$protocol[1]])
  forks <- forks[get(column) %in% unlist(claim$compare$levels) & cpu_profile == series$cpu_profile[1]]
  bytes <- vapply(data$experiments[[id]]$factors[[claim$compare$factor]], function(level) as.numeric(level$bytes), 0)
  forks[, `:=`(
    bytes = unname(bytes[get(column)]), work = length_work(forks, column),
    time = get(paste0(series$measure[1], "_ns_per_op"))
  )]
  forks[series[, .(work, provider)], on = c("work", "provider"), nomatch = NULL]
}

#' The fitted curve of every series, at 40 lengths between its ends.
length_curves <- function(series, forks) {
  at <- exp(seq(log(min(forks$bytes)), log(max(forks$bytes)), length.out = 40))
  series[, .(bytes = at, time = intercept + slope * at^ratio), by = .(contrast, work, provider)]
}

lengths_figure <- function(data, id) {
  claims <- Filter(function(claim) identical(claim$form, "linear"), data$experiments[[id]]$claims)
  series <- length_series(data, id, claims)
  if (is.null(series)) return(NULL)
  forks <- length_forks(data, id, series, claims[[1]])
  curves <- length_curves(series, forks)
  providers <- intersect(unlist(data$experiments[[id]]$providers), forks$provider)
  plot <- ggplot(forks, aes(x = bytes / 1024, y = time, colour = provider, shape = provider)) +
    geom_line(data = curves, linewidth = 0.3) +
    geom_point(size = 1) +
    facet_wrap(vars(work)) +
    scale_x_log10(breaks = sort(unique(forks$bytes)) / 1024, labels = label_number) +
    scale_y_log10(breaks = log_breaks, labels = label_time) +
    scale_colour_manual(NULL, values = setNames(rep_len(place_colours, length(providers)), providers)) +
    scale_shape_manual(NULL, values = setNames(rep_len(place_shapes, length(providers)), providers)) +
    labs(x = "length of the text in KB", y = "time per operation") +
    theme_report()
  said <- series[, paste0(work, " ", provider, " ", format_fixed(ratio, 3))]
  new_figure(
    paste0("lengths-", id), "details", title_of("Time over length", id),
    paste0(
      "Every fork's mean, and the curve a + b length^g that is fitted to them, on log axes, in ", forks$place[1],
      ". The exponents g: ", paste(said, collapse = "; "), "."
    ),
    paste0("Plot of time over length with fitted curves; exponents: ", format_some(said), "."),
    plot, 30 + 62 * ceiling(data.table::uniqueN(forks$work) / 3)
  )
}

figure_lengths <- function(data) {
  Filter(Negate(is.null), lapply(names(data$experiments), function(id) lengths_figure(data, id)))
}
