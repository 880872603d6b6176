# Time over the length of the text, with the curve a + b length^g that linearity is judged by.

#' The forks of a study's claims of linearity: `bytes` and `series`.
length_forks <- function(data, id) {
  study <- data$experiments[[id]]
  claims <- Filter(function(claim) identical(claim$form, "linear"), study$claims)
  if (length(claims) == 0) return(NULL)
  claim <- claims[[1]]
  column <- paste0("factor.", claim$compare$factor)
  forks <- valid_forks(data$forks[experiment == id & protocol == utils::tail(protocols_of(study), 1)])
  if (!column %in% names(forks)) return(NULL)
  forks <- forks[get(column) %in% unlist(claim$compare$levels)]
  if (nrow(forks) == 0) return(NULL)
  forks <- forks[as.integer(place) == min(as.integer(place)) & cpu_profile == names(data$profiles)[1]]
  wanted <- unlist(claim$among$workload)
  if (length(wanted) > 0) forks <- forks[workload %in% wanted]
  bytes <- vapply(study$factors[[claim$compare$factor]], function(level) as.numeric(level$bytes), 0)
  forks[, bytes := unname(bytes[get(column)])]
  others <- setdiff(factor_columns(forks), column)
  forks[, work := trimws(paste(workload, do.call(paste, lapply(others, function(name) get(name)))))]
  forks[, sizes := data.table::uniqueN(bytes), by = .(work, provider)]
  forks[sizes >= 3]
}

#' The fitted curve of every series, at 40 lengths between its ends, and its exponent.
length_curves <- function(forks) {
  forks[, {
    fit <- linearity(bytes, wall_ns_per_op, margin = 0.05)
    at <- exp(seq(log(min(bytes)), log(max(bytes)), length.out = 40))
    .(bytes = at, wall_ns_per_op = fit$intercept + fit$slope * at^fit$exponent, exponent = fit$exponent)
  }, by = .(work, provider)]
}

lengths_figure <- function(data, id) {
  forks <- length_forks(data, id)
  if (is.null(forks) || nrow(forks) == 0) return(NULL)
  curves <- length_curves(forks)
  exponents <- unique(curves[, .(work, provider, exponent)])
  providers <- intersect(unlist(data$experiments[[id]]$providers), forks$provider)
  plot <- ggplot(forks, aes(x = bytes / 1024, y = wall_ns_per_op, colour = provider, shape = provider)) +
    geom_line(data = curves, linewidth = 0.3) +
    geom_point(size = 1) +
    facet_wrap(vars(work)) +
    scale_x_log10(breaks = sort(unique(forks$bytes)) / 1024, labels = label_number) +
    scale_y_log10(breaks = log_breaks, labels = label_time) +
    scale_colour_manual(NULL, values = setNames(rep_len(place_colours, length(providers)), providers)) +
    scale_shape_manual(NULL, values = setNames(rep_len(place_shapes, length(providers)), providers)) +
    labs(x = "length of the text in KB", y = "time per operation") +
    theme_report()
  said <- exponents[, paste0(work, " ", provider, " ", format_fixed(exponent, 3))]
  new_figure(
    paste0("lengths-", id), id, "Time over length",
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
