# Java over native code: each Java provider's time over that of each native library, by class of CPU.

native_plot <- function(ratios, study, profiles) {
  ratios <- data.table::copy(ratios)
  ratios[, row := paste(workload, algorithm)]
  order <- unique(ratios[order(match(workload, names(study$workloads)), algorithm)]$row)
  ratios[, row := factor(row, levels = rev(order))]
  ratios[, provider := factor(provider, levels = intersect(unlist(study$providers), provider))]
  ratios[, cpu_profile := factor(cpu_profile, levels = names(profiles))]
  dodge <- position_dodge(width = 0.7)
  ggplot(ratios, aes(x = ratio, y = row, colour = other, shape = other)) +
    geom_vline(xintercept = 1, colour = "grey40", linewidth = 0.3) +
    geom_linerange(aes(xmin = lower, xmax = upper), position = dodge, linewidth = 0.4, na.rm = TRUE) +
    geom_point(position = dodge, size = 1.2) +
    facet_grid(rows = vars(cpu_profile), cols = vars(provider)) +
    scale_x_log10(breaks = log_breaks, labels = label_number) +
    scale_colour_manual(NULL, values = place_colours) +
    scale_shape_manual(NULL, values = place_shapes) +
    labs(x = "time in Java over time in native code", y = NULL) +
    theme_report()
}

native_figure <- function(data, id) {
  study <- data$experiments[[id]]
  ratios <- ratios_of(data, id, "native")[is.finite(ratio)]
  if (nrow(ratios) == 0) return(NULL)
  ratios <- ratios[as.integer(place) == min(as.integer(place))]
  ratios[, algorithm := algorithm_words(ratios)]
  profiles <- data$profiles[names(data$profiles) %in% ratios$cpu_profile]
  ends <- ratios[, .(low = min(ratio), high = max(ratio)), by = .(provider, other, cpu_profile)]
  said <- ends[, paste0(
    provider, " over ", other, " ", format_significant(low, 2), " to ", format_significant(high, 2), " (", cpu_profile,
    ")"
  )]
  rows <- data.table::uniqueN(ratios[, .(workload, algorithm)])
  new_figure(
    paste0("native-", id), id, "Java over native code",
    paste0(
      "The same operation in a Java provider over that in a native library, with its ", interval_words(),
      ", by class of CPU (", paste(names(profiles), profiles, sep = ": ", collapse = "; "), "), in ",
      ratios$place[1], ". Right of 1 Java takes longer."
    ),
    paste0("Dot plot of ratios: ", format_some(said, 6), "."),
    native_plot(ratios, study, profiles), 24 + 4.2 * rows * length(profiles)
  )
}

figure_native <- function(data) {
  Filter(Negate(is.null), lapply(names(data$experiments), function(id) native_figure(data, id)))
}
