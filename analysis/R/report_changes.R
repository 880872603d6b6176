# Changes with the JDK, the operating system, the CPU class and the protocol: pairs of the same cell that differ in
# only one of these.

change_dimensions <- c(jdk = "JDK", system = "operating system", cpu_profile = "CPU class", protocol = "protocol")

#' Every ratio of a cell to the same cell where one dimension differs. These are rows of ratios.csv with `dimension`,
#' `from`, `to` (its levels in words) and `operation`.
change_ratios <- function(data) {
  rows <- rbindlist(lapply(names(data$experiments), function(id) {
    rbindlist(lapply(c("reference", "protocol"), function(which) {
      own <- ratios_of(data, id, which)
      if (nrow(own) == 0) return(NULL)
      own[, operation := operation_words(data$words, own)]
      own[, other_profile := data$cells$cpu_profile[match(
        paste(denominator_environment, denominator_cell), paste(data$cells$environment, data$cells$cell)
      )]]
      own[, .(
        kind, experiment, ratio_id, ratio, lower, upper, operation, provider, protocol, environment, cpu_profile,
        warm_up_state,
        other_profile, other_environment = denominator_environment, other_protocol = denominator_protocol, place
      )]
    }))
  }))
  if (nrow(rows) == 0) return(rows)
  parts <- function(ids) data$parts[match(ids, data$parts$environment)]
  one <- parts(rows$environment)
  two <- parts(rows$other_environment)
  rows[, `:=`(
    d_jdk = one$jdk != two$jdk, d_system = one$system != two$system, d_cpu_profile = cpu_profile != other_profile,
    d_protocol = protocol != other_protocol
  )]
  rows <- rows[d_jdk + d_system + d_cpu_profile + d_protocol == 1 & is.finite(ratio)]
  if (nrow(rows) == 0) return(rows)
  rows[, dimension := fcase(d_jdk, "jdk", d_system, "system", d_cpu_profile, "cpu_profile", default = "protocol")]
  rows[, `:=`(
    to = fcase(
      dimension == "jdk", parts(environment)$jdk_label, dimension == "system", parts(environment)$system_label,
      dimension == "cpu_profile", cpu_profile, default = protocol_words(protocol)
    ),
    from = fcase(
      dimension == "jdk", parts(other_environment)$jdk_label, dimension == "system",
      parts(other_environment)$system_label, dimension == "cpu_profile", other_profile,
      default = protocol_words(other_protocol)
    )
  )]
  rows[, open := is_unproven(warm_up_state)]
  rows <- rows[open == FALSE | dimension != "protocol"]
  rows[order(match(dimension, names(change_dimensions)), as.integer(place))]
}

#' A ratio with its operation and provider: `RSA decryption: 2048-bit key (SunJCE), 1.34 times as long`.
change_words <- function(data, row) {
  provider <- level_words(data$words, "provider", row$provider)
  sprintf("%s (%s), %s times as long", row$operation, provider, format_significant(row$ratio))
}

#' Pairs of verdicts on the same statement whose places differ in one dimension. Columns: `dimension`, `claim`, `one`,
#' `two` (levels in words), `verdict_one`, `verdict_two`.
verdict_pairs <- function(data) {
  rows <- data$verdicts[!shown_verdict(verdict) %in% c("not testable", "not comparable") & nzchar(environment)]
  if (nrow(rows) == 0) return(data.table(dimension = character(), claim = character()))
  known <- data$parts[match(rows$environment, data$parts$environment)]
  shared <- is_shared(rows$environment)
  jdk <- ifelse(shared, sub("^\\*-", "", rows$environment), known$jdk)
  system <- ifelse(shared, sub("-\\*$", "", rows$environment), known$system)
  columns <- c("experiment", "claim", "variant", "machine_id", "verdict", "cpu_profile", "protocol")
  rows <- rows[, columns, with = FALSE][, protocol := base_protocol(protocol)]
  rows[, `:=`(jdk = jdk, system = system)]
  rbindlist(lapply(names(change_dimensions), function(name) {
    by <- c("experiment", "claim", "variant", "machine_id", setdiff(names(change_dimensions), name))
    known <- switch(name,
      protocol = unique(rows$protocol), cpu_profile = union("native", rows$cpu_profile), unique(data$parts[[name]])
    )
    here <- rows[get(name) %in% known][, at := match(get(name), known)]
    pairs <- merge(here, here, by = by, suffixes = c("_one", "_two"), allow.cartesian = TRUE)[at_one < at_two]
    words <- function(levels) {
      switch(name,
        protocol = protocol_words(levels), cpu_profile = level_words(data$words, "cpu-profile", levels),
        part_words(data$parts, name, levels)
      )
    }
    pairs[, .(
      dimension = name, experiment, claim, variant, one = words(get(paste0(name, "_one"))),
      two = words(get(paste0(name, "_two"))), verdict_one, verdict_two
    )]
  }))
}

#' A sentence on the verdicts of one dimension: how many pairs there are, how many differ, and which claims are
#' reversed.
verdict_change_words <- function(pairs) {
  if (nrow(pairs) == 0) return("No claim was judged at two levels with all else the same.")
  differ <- pairs[shown_verdict(verdict_one) != shown_verdict(verdict_two)]
  turned <- differ[is_decided(verdict_one) & is_decided(verdict_two)]
  claims <- format_plural(uniqueN(pairs$claim), "claim")
  if (nrow(differ) == 0) return(sprintf("No verdict differs (%s, %s).", format_plural(nrow(pairs), "pair"), claims))
  if (nrow(turned) == 0) {
    return(sprintf(
      "No verdict is reversed; %s of %s differ in certainty.", format_count(nrow(differ)),
      format_plural(nrow(pairs), "pair")
    ))
  }
  said <- turned[, .(n = .N), by = .(claim, one, two, verdict_one, verdict_two)][
    , sprintf("%s %s with %s, %s with %s", claim, shown_verdict(verdict_one), one, shown_verdict(verdict_two), two)
  ]
  sprintf("%s of %s reverse the verdict: %s.", format_count(nrow(turned)), format_plural(nrow(pairs), "pair"),
          format_some(said, 3))
}

# Minimum number of pairs of cells for a figure.
least_pairs <- 5L

# If a dimension has more pairs of levels than this, the explorer shows the rest.
most_levels <- 5L

#' An entry of `table_changes` from the project's reference run; NULL if that run has no change in the dimension
#' either. It is marked as borrowed. Another report that shows this report's results must not present the entry as this
#' run's result.
reference_change <- function(data, name) {
  for (run in data$own_results) {
    found <- Filter(function(entry) {
      entry$dimension == change_dimensions[[name]] && length(entry$rows) > 0 && !isTRUE(entry$borrowed)
    }, run$changes)
    if (length(found) > 0) {
      # Ids refer to rows of this run only.
      rows <- lapply(found[[1]]$rows, function(row) replace(row, "ids", ""))
      return(list(
        dimension = change_dimensions[[name]], verdicts = paste0(reference_words(data, run$rounds), "."), rows = rows,
        borrowed = TRUE
      ))
    }
  }
}

#' For each dimension: the pairs of levels, with the number of pairs of benchmarks and their ratios. A dimension
#' without changes in this run shows those of the project's reference run.
table_changes <- function(data) {
  ratios <- change_ratios(data)
  pairs <- verdict_pairs(data)
  lapply(names(change_dimensions), function(name) {
    own <- if (nrow(ratios) > 0) ratios[dimension == name] else ratios
    if (nrow(own) == 0 && !is.null(entry <- reference_change(data, name))) return(entry)
    groups <- if (nrow(own) > 0) split(own, by = c("to", "from"), sorted = FALSE)
    list(
      dimension = change_dimensions[[name]], verdicts = verdict_change_words(pairs[dimension == name]),
      rows = lapply(unname(groups[seq_len(min(length(groups), most_levels))]), function(group) {
        differ <- group[is.finite(lower) & (lower > 1 | upper < 1)]
        ends <- group[order(ratio)][c(1, .N)]
        list(
          to = group$to[1], from = group$from[1], cells = format_count(nrow(group)),
          differ = format_count(nrow(differ)),
          median = format_significant(stats::median(group$ratio)), least = change_words(data, ends[1]),
          most = if (nrow(group) > 1) change_words(data, ends[2]) else "",
          ids = paste(ends$ratio_id, collapse = " ")
        )
      })
    )
  }) |> Filter(f = function(entry) length(entry$rows) > 0 || !grepl("^No claim was judged", entry$verdicts))
}

#' All pairs of cells as dots, by size, with a panel for each pair of levels.
figure_changes <- function(data) {
  rows <- change_ratios(data)
  if (nrow(rows) == 0) return(list())
  rows[, panel := paste0(to, "\nover ", from)]
  # If there are only a few pairs, the table has them as rows, and there is no figure.
  rows[, n := .N, by = panel]
  rows <- rows[n >= least_pairs]
  if (nrow(rows) == 0) return(list())
  panels <- rows[, .N, by = .(dimension, panel)][, head(.SD, most_levels), by = dimension]$panel
  shown <- rows[panel %in% panels][order(ratio), at := seq_len(.N) / .N, by = panel]
  shown[, panel := factor(panel, levels = panels)]
  plot <- ggplot(shown, aes(x = ratio, y = at, colour = provider)) +
    geom_vline(xintercept = 1, colour = "grey60", linewidth = 0.3) +
    geom_linerange(aes(xmin = lower, xmax = upper), linewidth = 0.3, alpha = 0.6, na.rm = TRUE) +
    geom_point(size = 0.8) +
    facet_wrap(vars(panel), ncol = 5, drop = TRUE) +
    scale_x_log10(breaks = log_breaks, labels = label_number) +
    scale_y_continuous(breaks = NULL) +
    scale_provider(data, shown$provider) +
    labs(x = "times the time", y = "benchmarks, by ratio") +
    theme_report()
  list(new_figure(
    "changes", "changes", "The same benchmark with one thing changed",
    paste0("One dot per benchmark, sorted, with ", interval_words(), "; a log axis that all panels share."),
    sprintf(
      "Dot plots of %s in %s; ratios from %s to %s.",
      format_plural(nrow(shown), "pair of benchmarks", "pairs of benchmarks"),
      format_plural(uniqueN(shown$panel), "panel"), format_significant(min(shown$ratio)),
      format_significant(max(shown$ratio))
    ),
    plot, 20 + 28 * ceiling(uniqueN(shown$panel) / 5)
  ))
}
