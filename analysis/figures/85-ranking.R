# Which provider for what: every operation's providers, held against the fastest one.

ranking_row_mm <- 3.6
ranking_head_mm <- 5

ranking_plot <- function(rows, study) {
  rows <- data.table::copy(rows)
  rows[, row := paste0(algorithm, ifelse(is.na(level), "", paste0("  (", level, ")")))]
  rows[, row := factor(row, levels = rev(unique(row)))]
  rows[, workload := factor(workload, levels = intersect(names(study$workloads), workload))]
  providers <- intersect(unlist(study$providers), rows$provider)
  of_provider <- function(values) setNames(rep_len(values, length(providers)), providers)
  ggplot(rows, aes(x = ratio, y = row, colour = provider, shape = provider)) +
    geom_vline(xintercept = 1, colour = "grey60", linewidth = 0.25) +
    geom_linerange(aes(xmin = lower, xmax = upper), linewidth = 0.4, na.rm = TRUE) +
    geom_point(size = 1.3) +
    facet_grid(rows = vars(workload), scales = "free_y", space = "free_y") +
    scale_x_log10(breaks = log_breaks, labels = label_number) +
    scale_colour_manual(NULL, values = of_provider(place_colours), limits = providers) +
    scale_shape_manual(NULL, values = of_provider(c(place_shapes, 0, 1, 2, 5)), limits = providers) +
    guides(colour = guide_legend(nrow = ceiling(length(providers) / 5))) +
    labs(x = "time, as a multiple of the fastest provider's", y = NULL) +
    theme_report() +
    theme(strip.text.y = element_text(angle = 0, hjust = 0), panel.spacing.y = unit(1, "mm"))
}

ranking_pages <- function(data, id) {
  study <- data$experiments[[id]]
  ranked <- experiment_rankings(data, id)
  if (is.null(ranked)) return(list())
  # The series of sizes have a figure of their own.
  sized <- unlist(lapply(study$claims, function(claim) if (identical(claim$form, "linear")) claim$among$workload))
  ranked <- ranked[!workload %in% sized]
  several <- ranked[, .(providers = .N), by = .(workload, algorithm)][providers > 1]
  ranked <- ranked[several, on = c("workload", "algorithm")]
  if (nrow(ranked) == 0) return(list())
  heights <- several[, .(mm = .N * ranking_row_mm + ranking_head_mm), by = workload]
  heights[, page := paginate(mm, page_height_mm - 24)]
  title <- "Which provider for what"
  lapply(split(heights, by = "page"), function(own) {
    rows <- ranked[workload %in% own$workload]
    first <- rows[rank == 1, .N, by = provider][order(-N)]
    new_figure(
      paste0("ranking-", id, "-", own$page[1]), section_of(id, max(heights$page)),
      paste0(title_of(title, id, max(heights$page)), page_mark(own$page[1], max(heights$page))),
      paste0(
        "Time per operation as a multiple of the fastest provider's, with the ratio's 95 % interval (Welch on log ",
        "fork means), in ", rows$place[1], ". An interval that holds 1 belongs to a provider that can't be told from ",
        "the fastest. In brackets: the security level that the length reaches, 0 for none. Only operations that two ",
        "providers or more offer."
      ),
      paste0(
        "Dot plot of ratios to the fastest provider. Fastest in most operations: ",
        format_some(paste0(first$provider, " (", first$N, ")")), "."
      ),
      ranking_plot(rows, study), sum(own$mm) + 24
    )
  })
}

figure_ranking <- function(data) {
  unlist(unname(lapply(names(data$experiments), function(id) unname(ranking_pages(data, id)))), recursive = FALSE)
}
