# What each provider offers, as it was asked in the rounds: a tile for every provider and algorithm.

offer_words <- c(
  yes = "offered", no = "not offered", wrong = "a wrong answer", differs = "another answer than the others"
)
offer_colours <- c("#56B4E9", "grey93", "#D55E00", "#E69F00")

#' A part of a cell's id, as the plan writes it.
id_part <- function(words) gsub("^-|-$", "", gsub("[^a-z0-9.]+", "-", tolower(words)))

#' Offers with the factor and the level that each cell's id stands for.
offers_by_level <- function(offers, study) {
  parts <- strsplit(offers$cell, ":", fixed = TRUE)
  # workload, levels, provider, protocol, profile
  factors <- lapply(offers$workload, function(name) unlist(study$workloads[[name]]$factors))
  offers[, factor := vapply(factors, function(names) if (length(names) > 0) names[1] else "", "")]
  part <- vapply(parts, function(words) if (length(words) > 4) words[2] else "", "")
  offers[, level := mapply(function(name, id) {
    levels <- names(study$factors[[name]])
    c(levels[match(id, id_part(levels))], NA)[1]
  }, factor, part)]
  offers[!is.na(level)]
}

#' One state for each provider and algorithm: what was found wrong outweighs what is offered, and that what is not.
offer_states <- function(offers, study) {
  found <- offers_by_level(copy(offers), study)
  rank <- c(wrong = 1, differs = 2, yes = 3, no = 4)
  found[, .(offered = offered[which.min(rank[offered])]), by = .(factor, level, provider)]
}

offers_plot <- function(states, study) {
  states <- data.table::copy(states)
  levels <- unlist(lapply(study$factors, names), use.names = FALSE)
  states[, level := factor(level, levels = rev(intersect(levels, level)))]
  states[, factor := factor(factor, levels = intersect(names(study$factors), factor))]
  states[, provider := factor(provider, levels = intersect(unlist(study$providers), provider))]
  states[, offered := factor(offer_words[offered], levels = offer_words)]
  ggplot(states, aes(x = provider, y = level, fill = offered)) +
    geom_tile(colour = "white", linewidth = 0.4) +
    geom_text(aes(label = c("\u2022", "", "\u2717", "\u2260")[as.integer(offered)]), size = 2.2, family = "sans") +
    facet_grid(rows = vars(factor), scales = "free_y", space = "free_y") +
    scale_fill_manual(
      NULL, values = setNames(offer_colours, offer_words), limits = intersect(offer_words, states$offered)
    ) +
    scale_x_discrete(position = "top") +
    labs(x = NULL, y = NULL) +
    theme_report() +
    theme(
      axis.text.x = element_text(angle = 30, hjust = 0), strip.text.y = element_text(angle = 0, hjust = 0),
      panel.grid.major = element_blank(), panel.spacing.y = unit(1, "mm")
    )
}

offers_pages <- function(data, id) {
  study <- data$experiments[[id]]
  offers <- data$offers[experiment == id]
  if (nrow(offers) == 0) return(list())
  place <- offers$environment[1]
  states <- offer_states(offers[environment == place], study)
  # What everybody offers is a sentence, and no figure.
  if (all(states$offered == "yes")) return(list())
  heights <- states[, .(mm = data.table::uniqueN(level) * 3.3 + 4), by = factor]
  heights[, page := paginate(mm, page_height_mm - 34)]
  counts <- states[offered == "yes", .N, by = provider][order(-N)]
  pages <- max(heights$page)
  lapply(split(heights, by = "page"), function(own) {
    new_figure(
      paste0("offers-", id, "-", own$page[1]), "details",
      paste0(title_of("What each provider offers", id), page_mark(own$page[1], pages)),
      paste0(
        "Asked in every round in ", place, ", with the key lengths of the experiment file. A provider that gives a ",
        "wrong answer, or another one than the other providers, is not timed. Of two operations of an algorithm one ",
        "is enough."
      ),
      paste0("Tile plot of providers and algorithms. Offered: ", format_some(paste(counts$provider, counts$N)), "."),
      offers_plot(states[factor %in% own$factor], study), sum(own$mm) + 34
    )
  })
}

figure_offers <- function(data) {
  unlist(unname(lapply(names(data$experiments), function(id) unname(offers_pages(data, id)))), recursive = FALSE)
}
