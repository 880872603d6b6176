# How fast each provider is at an operation after warm-up, to help the reader choose one.

#' A parameter of a cell's workload and levels as a number; NA where the definitions give none.
level_number <- function(table, study, parameter) {
  found <- vapply(table$workload, function(name) as.numeric(study$workloads[[name]]$params[[parameter]] %||% NA), 0)
  for (column in factor_columns(table)) {
    levels <- study$factors[[sub("^factor\\.", "", column)]]
    given <- vapply(levels, function(own) suppressWarnings(as.numeric(own[[parameter]] %||% NA)), 0)
    found <- fcoalesce(unname(given[table[[column]]]), unname(found))
  }
  unname(found)
}

# Benchmarks whose speed depends on the length of their text. Others (signatures, key agreement) are counted in
# operations.
text_benchmarks <- "^(SecretKeyCipher|FileCipher|MultiPartCipher|Digest|AuthenticationCode|RandomBytes)[.]"

#' Bytes of text that a call processes. NA for an operation on a key, whatever the length of its text.
text_bytes <- function(table, study) {
  benchmark <- vapply(table$workload, function(name) study$workloads[[name]]$benchmark %||% "", "")
  fifelse(grepl(text_benchmarks, benchmark), level_number(table, study, "bytes"), NA_real_)
}

#' Mean times as MB (10^6 bytes) per second, or as operations per second if the length of the text is unknown.
speed_words <- function(mean_ns, bytes) {
  each <- ifelse(is.finite(bytes), 1e3 * bytes / mean_ns, 1e9 / mean_ns)
  paste0(format_significant(each), ifelse(is.finite(bytes), "\u00a0MB/s", "/s"))
}

#' Operations in words. An operation without a factor is named by its algorithm. The name is the level of a factor with
#' the same transformation, or else the algorithm's JCA name.
operations_to_choose <- function(words, cells, study) {
  called <- operation_words(words, cells)
  levels <- unlist(lapply(unname(study$factors), function(factor) {
    vapply(factor, function(level) as.character(level$transformation %||% NA), "")
  }))
  algorithm <- vapply(cells$workload, function(name) {
    params <- study$workloads[[name]]$params
    found <- params$transformation %||% params$algorithm %||% "usual"
    if (found %in% levels) names(levels)[match(found, levels)] else found
  }, "", USE.NAMES = FALSE)
  fifelse(!grepl(": ", called) & algorithm != "usual", paste0(called, ": ", algorithm), called)
}

#' Every provider's ratio to the fastest one, for each operation that several providers offer. These are rows of
#' ratios.csv with `operation`, `mean_ns`, `bytes`, `rank`. Operations whose fastest provider is not proven warm are
#' left out.
provider_ratios <- function(data) {
  rows <- rbindlist(lapply(names(data$experiments), function(id) {
    study <- data$experiments[[id]]
    own <- ratios_of(data, id, "provider")[cpu_profile %in% c(reference_profile(data), "") & is.finite(ratio)]
    if (nrow(own) == 0) return(NULL)
    at <- data$cells[own, on = c(shown_cell_key, "measure"), which = TRUE, mult = "first"]
    own[, `:=`(
      operation = operations_to_choose(data$words, own, study), bytes = text_bytes(own, study),
      mean_ns = data$cells$mean_ns[at], state = data$cells$warm_up_state[at],
      order = match(workload, names(study$workloads))
    )]
    own[, .(ratio_id, operation, order, place, provider, ratio, lower, upper, mean_ns, bytes, state, protocol)]
  }))
  if (nrow(rows) == 0) return(rows)
  rows[, fastest := ratio == min(ratio), by = .(place, operation)]
  unproven <- rows[fastest == TRUE & is_unproven(state), .(place, operation)]
  rows <- rows[!is_unproven(state)][!unproven, on = c("place", "operation")]
  rows[, n := .N, by = .(place, operation)]
  rows[n > 1][order(as.integer(place), order, operation, ratio)]
}

#' A row for one operation: for each provider its speed, or how many times slower it is than the fastest.
choice_row <- function(own, providers) {
  cells <- lapply(providers, function(name) {
    row <- own[provider == name]
    if (nrow(row) == 0) return(list(text = "", id = "", best = FALSE))
    tied <- isTRUE(row$lower <= 1)
    text <- if (row$fastest) speed_words(row$mean_ns, row$bytes) else paste0(format_significant(row$ratio), "\u00d7")
    list(text = text, id = row$ratio_id, best = row$fastest || tied)
  })
  list(operation = own$operation[1], cells = cells)
}

# Maximum number of rows per environment. The explorer shows the others.
most_choices <- 34L

# A run that compares fewer operations or providers also shows the project's reference run. A run of published studies
# with fewer than the least number shows only the reference run.
enough_operations <- 6L
enough_providers <- 3L
least_operations <- 3L

#' The choices by the project's reference run: `words` (when and where it was measured), `providers`, `rows`.
reference_choices <- function(data) {
  today <- data$own_results$today$today
  if (is.null(today) || nrow(today) == 0) return(NULL)
  # The environment of this run if the reference run has it, else the first.
  here <- unique(today$environment)
  here <- c(intersect(data$cells$environment, here), here)[1]
  ranked <- today[environment == here & offered == "yes"]
  ranked[, `:=`(lower = ratio_lower, upper = ratio_upper, fastest = rank == 1)]
  unproven <- ranked[fastest & is_unproven(warm_up_state)]$operation
  ranked <- ranked[!operation %in% unproven & !is_unproven(warm_up_state)][, n := .N, by = operation][n > 1]
  if (nrow(ranked) == 0) return(NULL)
  providers <- in_provider_order(data, ranked$provider)
  list(
    words = sprintf(
      "%s, in %s, warmed up.", reference_words(data, data$own_results$today$rounds[environment == here]),
      environment_label(data, here)
    ),
    providers = as.list(level_words(data$words, "provider", providers)),
    # Ids refer to rows of this run only.
    rows = lapply(unique(ranked$operation), function(name) {
      choice_row(ranked[operation == name][, ratio_id := ""], providers)
    })
  )
}

#' A list: `place`, `providers`, `rows` of the first environment, `others` (differences in the other environments),
#' `left`. If this run compares few, it also has `reference` (of `reference_choices`).
table_choose <- function(data) {
  own <- own_choices(data)
  few <- length(own$rows) < enough_operations || length(own$providers) < enough_providers
  reference <- if (few) reference_choices(data)
  if (!is.null(reference) && length(own$rows) < least_operations && !is_of_user(data)) own <- list(rows = list())
  c(own, list(reference = reference))
}

#' The choices by this run.
own_choices <- function(data) {
  ranked <- provider_ratios(data)
  if (nrow(ranked) == 0) return(list(rows = list()))
  places <- unique(as.character(ranked$place))
  first <- ranked[place == places[1]]
  providers <- in_provider_order(data, first$provider)
  operations <- unique(first$operation)
  shown <- operations[seq_len(min(length(operations), most_choices))]
  named <- function(ids) level_words(data$words, "provider", ids)
  best <- ranked[fastest == TRUE, .(place, operation, provider)]
  others <- lapply(places[-1], function(name) {
    both <- merge(best[place == places[1]], best[place == name], by = "operation", suffixes = c("_first", "_here"))
    differ <- both[provider_first != provider_here]
    if (nrow(both) == 0) return(NULL)
    here <- paste0(differ$operation, ": ", named(differ$provider_here))
    sprintf(
      "%s: %s of %s operations have another fastest provider%s.", name, format_count(nrow(differ)),
      format_count(nrow(both)),
      if (nrow(differ) == 0) "" else sprintf(" (%s)", format_some(here, 3))
    )
  })
  list(
    place = places[1], protocol = format_list(unique(protocol_words(ranked$protocol))),
    providers = as.list(named(providers)),
    rows = lapply(shown, function(name) choice_row(first[operation == name], providers)),
    others = Filter(Negate(is.null), others),
    left = length(operations) - length(shown)
  )
}

#' Every provider's time for an operation over that of the fastest provider, with a panel for each environment.
figure_choose <- function(data) {
  ranked <- provider_ratios(data)
  # If there are only a few operations, the table has them as rows, and there is no figure.
  if (nrow(ranked) == 0 || uniqueN(ranked$operation) < least_operations) return(list())
  places <- unique(as.character(ranked$place))
  shown <- ranked[place %in% places[seq_len(min(length(places), 4))]]
  wanted <- unique(shown$operation)[seq_len(min(uniqueN(shown$operation), most_choices))]
  shown <- shown[operation %in% wanted][, `:=`(
    operation = factor(operation, levels = rev(wanted)), place = droplevels(place)
  )]
  plot <- ggplot(shown, aes(x = ratio, y = operation, colour = provider)) +
    geom_linerange(aes(xmin = pmax(lower, 0.5), xmax = upper), linewidth = 0.4, na.rm = TRUE) +
    geom_point(size = 1.3) +
    facet_wrap(vars(place), nrow = 1) +
    scale_x_log10(breaks = log_breaks, labels = label_number) +
    scale_provider(data, shown$provider) +
    labs(x = "time over that of the fastest provider", y = NULL) +
    theme_report()
  slowest <- shown[which.max(ratio)]
  list(new_figure(
    "choose", "choose", "Every provider's time over that of the fastest",
    paste0("One dot per provider, with ", interval_words(), "; a log axis that all environments share."),
    sprintf(
      "Dot plot of %s: the widest gap is %s, where %s takes %s times as long as the fastest (%s).",
      format_plural(uniqueN(shown$operation), "operation"), slowest$operation,
      level_words(data$words, "provider", slowest$provider),
      format_significant(slowest$ratio), slowest$place
    ),
    plot, 22 + 3.6 * length(wanted)
  ))
}
