# Java over native code: each Java provider's time over that of each native library, by class of CPU.

#' Ratios of Java providers to native libraries for every operation that both have.
#'
#' @param forks that count, of one experiment, place and protocol; `native` ids of the native providers
#' @return data.table: `workload`, `algorithm`, `cpu_profile`, `java`, `library`, `ratio`, `lower`, `upper` (95 %,
#'   Welch)
native_ratios <- function(forks, native) {
  forks <- data.table::copy(forks[wall_ns_per_op > 0])
  forks[, algorithm := algorithm_words(forks)]
  by <- c("workload", "algorithm", "cpu_profile")
  means <- forks[, .(
    n = .N, log = mean(log(wall_ns_per_op)), v = stats::var(log(wall_ns_per_op))
  ), by = c(by, "provider")]
  pairs <- merge(
    means[!provider %in% native], means[provider %in% native], by = by, suffixes = c(".java", ".native"),
    allow.cartesian = TRUE, sort = FALSE
  )
  ratios <- pairs[, suppressWarnings(welch_ratio(log.java, v.java, n.java, log.native, v.native, n.native))]
  pairs[, .(
    workload, algorithm, cpu_profile, java = provider.java, library = provider.native, ratio = ratios$ratio,
    lower = ratios$lower, upper = ratios$upper
  )]
}

native_plot <- function(ratios, study, profiles) {
  ratios <- data.table::copy(ratios)
  ratios[, row := paste(workload, algorithm)]
  order <- unique(ratios[order(match(workload, names(study$workloads)), algorithm)]$row)
  ratios[, row := factor(row, levels = rev(order))]
  ratios[, java := factor(java, levels = intersect(unlist(study$providers), java))]
  ratios[, cpu_profile := factor(cpu_profile, levels = names(profiles))]
  dodge <- position_dodge(width = 0.7)
  ggplot(ratios, aes(x = ratio, y = row, colour = library, shape = library)) +
    geom_vline(xintercept = 1, colour = "grey40", linewidth = 0.3) +
    geom_linerange(aes(xmin = lower, xmax = upper), position = dodge, linewidth = 0.4, na.rm = TRUE) +
    geom_point(position = dodge, size = 1.2) +
    facet_grid(rows = vars(cpu_profile), cols = vars(java)) +
    scale_x_log10(breaks = log_breaks, labels = label_number) +
    scale_colour_manual(NULL, values = place_colours) +
    scale_shape_manual(NULL, values = place_shapes) +
    labs(x = "time in Java over time in native code", y = NULL) +
    theme_report()
}

native_figure <- function(data, id) {
  study <- data$experiments[[id]]
  forks <- valid_forks(data$forks[experiment == id & protocol == utils::tail(protocols_of(study), 1)])
  if (nrow(forks) == 0 || !any(forks$provider %in% data$native)) return(NULL)
  forks <- forks[as.integer(place) == min(as.integer(place))]
  ratios <- native_ratios(forks, data$native)
  if (nrow(ratios) == 0) return(NULL)
  profiles <- data$profiles[names(data$profiles) %in% ratios$cpu_profile]
  middle <- ratios[, .(ratio = exp(mean(log(ratio)))), by = .(java, library, cpu_profile)]
  said <- middle[, paste0(java, " over ", library, " ", format_significant(ratio, 2), " (", cpu_profile, ")")]
  rows <- data.table::uniqueN(ratios[, .(workload, algorithm)])
  new_figure(
    paste0("native-", id), id, "Java over native code",
    paste0(
      "The same operation in a Java provider over that in a native library, with 95 % intervals (Welch on log fork ",
      "means), by class of CPU (", paste(names(profiles), profiles, sep = ": ", collapse = "; "), "), in ",
      forks$place[1], ". Right of 1 Java takes longer."
    ),
    paste0("Dot plot of ratios; geometric means over the operations: ", format_some(said, 6), "."),
    native_plot(ratios, study, profiles), 24 + 4.2 * rows * length(profiles)
  )
}

figure_native <- function(data) {
  Filter(Negate(is.null), lapply(names(data$experiments), function(id) native_figure(data, id)))
}
