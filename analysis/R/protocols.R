# Does the protocol make the difference? In words: verdict by verdict, ratio by ratio.

#' Whether the protocol makes the difference to a claim: to its verdicts, and to the ratios that they rest on.
protocol_sentence <- function(data, rows, protocols) {
  trimws(paste(verdict_sentence(data, rows, protocols), ratio_sentence(data, rows, protocols)))
}

#' Whether it makes the difference to the verdicts.
verdict_sentence <- function(data, rows, protocols) {
  rows <- rows[!verdict %in% unjudged_kinds]
  if (nrow(rows) == 0 || length(protocols) < 2) return("")
  rows <- data.table::copy(rows)[, where := where_words(data, place, cpu_profile)]
  rows[, where := factor(where, levels = unique(where[order(as.integer(place))]))]
  wide <- data.table::dcast(rows, where ~ protocol, value.var = "verdict", fill = "")
  both <- intersect(protocols, names(wide))
  if (length(both) < 2) return(sprintf("Judged under the protocol %s only.", both))
  first <- both[1]
  last <- both[length(both)]
  changed <- wide[wide[[first]] != wide[[last]] & wide[[first]] != "" & wide[[last]] != ""]
  everywhere <- all_of(nrow(wide), data.table::uniqueN(rows$cpu_profile) > 1)
  if (nrow(changed) == 0 && all(rows$verdict == "undecided")) {
    return(sprintf("Inconclusive under either protocol in %s: %s.", everywhere, cause_counts(rows$cause)))
  }
  if (nrow(changed) == 0) return(sprintf("The protocol makes no difference to the verdict in %s.", everywhere))
  # By name, as a protocol's may have a comma.
  kinds <- changed[, .(places = format_some(where)), by = .(one = changed[[first]], two = changed[[last]])]
  said <- sprintf("%s %s, %s %s (%s)", first, kinds$one, last, kinds$two, kinds$places)
  opposite <- any(changed[[first]] %in% c("supported", "refuted") & changed[[last]] %in% c("supported", "refuted"))
  paste0(
    if (opposite) turned_words else "The protocols differ in how far they settle it: ",
    paste(said, collapse = "; "), "."
  )
}

turned_words <- "The protocol makes the difference: "

all_of <- function(n, profiles) {
  if (n == 1) return("the one environment measured")
  if (profiles) return(paste("all", n, "combinations of environment and CPU profile"))
  if (n == 2) "both environments" else paste("all", n, "environments")
}

#' Ids of cells without their protocol, which stands before the CPU profile.
without_protocol <- function(cell) sub(":[^:]*(:[^:]*)$", "\\1", cell)

#' The ratios of a claim that both protocols have, with those whose intervals lie apart marked.
#'
#' @param rows the verdicts of one claim and variant; `both` the two protocols
#' @return data.table, one row per ratio and place: `words`, `where`, `ratio`, `lower`, `upper` of either protocol
#'   (`.one`, `.two`), `apart`
protocol_ratios <- function(data, rows, both) {
  found <- data$contrasts[
    experiment == rows$experiment[1] & claim == rows$claim[1] & variant == rows$variant[1] & is.finite(lower)
  ]
  # One cell may have several measures, and cells that differ by what the claim compares the same words.
  found[, `:=`(above = without_protocol(numerator_cell), below = without_protocol(denominator_cell))]
  keys <- c(
    "environment", "image_id", "machine_id", "cpu_profile", "measure", "scope", "numerator", "denominator",
    "above", "below", "numerator_environment", "denominator_environment"
  )
  shown <- c(keys, "place", "ratio", "lower", "upper")
  pairs <- merge(
    found[protocol == both[1], shown, with = FALSE], found[protocol == both[2], shown, with = FALSE], by = keys,
    suffixes = c(".one", ".two"), sort = FALSE
  )
  pairs[, `:=`(
    apart = lower.one > upper.two | lower.two > upper.one,
    words = paste0(
      numerator, ifelse(nzchar(denominator), paste(" to", denominator), ""),
      ifelse(nzchar(scope), paste0(" (", scope, ")"), "")
    ),
    where = where_words(data, place.one, cpu_profile)
  )][]
}

#' How many ratios differ by protocol, and the one that does most; empty where none does.
ratio_sentence <- function(data, rows, protocols) {
  both <- unique(protocols)[c(1, length(unique(protocols)))]
  if (nrow(rows) == 0 || length(unique(protocols)) < 2) return("")
  pairs <- protocol_ratios(data, rows, both)
  differ <- pairs[apart == TRUE]
  if (nrow(differ) == 0) return("")
  difference <- no_ratio(data, rows$experiment[1], rows$claim[1]) == "difference"
  most <- differ[order(-(if (difference) abs(ratio.one - ratio.two) else abs(log(ratio.one / ratio.two))))][1]
  shown <- format_interval(c(most$ratio.one, most$ratio.two), c(most$lower.one, most$lower.two),
                           c(most$upper.one, most$upper.two))
  several <- nrow(pairs) > 1
  noun <- if (difference) "difference" else if (any(nzchar(pairs$denominator))) "ratio" else "value"
  apart <- if (several) paste0(count_of(nrow(differ), nrow(pairs)), " ", noun, "s") else paste("its", noun)
  sprintf(
    "The intervals of %s lie apart by protocol, %sthat of %s in %s: %s.", apart,
    if (nrow(differ) == 1) "" else "most ", most$words, most$where,
    paste(both, shown$estimate, shown$interval, collapse = ", ")
  )
}

#' One entry per claim and sentence; variants of which the same is true share an entry.
protocol_sentences <- function(data, id) {
  study <- data$experiments[[id]]
  rows <- data$verdicts[experiment == id]
  said <- list()
  for (name in names(study$claims)) {
    variants <- unique(rows[claim == name]$variant)
    texts <- vapply(variants, function(which) {
      protocol_sentence(data, rows[claim == name & variant == which], protocols_of(study))
    }, "")
    for (text in unique(texts[nzchar(texts)])) {
      shared <- variant_words(data, id, variants[texts == text])
      said <- c(said, list(list(claim = name, variant = format_list(shared[nzchar(shared)]), text = text)))
    }
  }
  said
}

#' What the protocol does to a study: the sentences of claims whose verdict it turns, and how much longer a call takes
#' as published than once it is settled, of the cells that are proved to be.
#'
#' @return list: `turned` (of `protocol_sentences`), `summary`
protocol_changes <- function(data, ids) {
  measured <- measured_protocols(data, ids)
  if (length(measured) == 1) {
    # Nothing is asked of a study whose experiments have one protocol.
    several <- length(unique(base_protocol(unlist(lapply(data$experiments[ids], protocols_of))))) > 1
    alone <- sprintf("This run measured the protocol %s only, so it cannot say.", measured)
    return(list(turned = list(), summary = if (several) alone else ""))
  }
  said <- unlist(lapply(ids, function(id) protocol_sentences(data, id)), recursive = FALSE)
  turned <- Filter(function(one) startsWith(one$text, turned_words), said)
  rows <- rbindlist(lapply(ids, function(id) ratios_of(data, id, "protocol")), fill = TRUE)
  if (nrow(rows) > 0) rows <- rows[is.finite(ratio)]
  open <- sum(is_unsettled(rows$settled))
  rows <- rows[!is_unsettled(rows$settled)]
  times <- if (nrow(rows) > 0) {
    shown <- format_significant(c(min(rows$ratio), stats::median(rows$ratio), max(rows$ratio)), 2)
    spread <- if (shown[1] != shown[3]) sprintf("%s to %s", shown[1], shown[3]) else shown[1]
    sprintf(
      "Under the protocol as-published a call takes %s times as long as under steady-state%s (%s).", spread,
      if (shown[1] != shown[3]) sprintf(", at the median %s times", shown[2]) else "",
      format_plural(nrow(rows), "cell")
    )
  }
  verdicts <- if (length(said) > 0 && length(turned) == 0) "The protocol turns no verdict of this study."
  left <- if (open > 0) {
    sprintf("%s not proved settled %s left out.", format_plural(open, "cell"), if (open == 1) "is" else "are")
  }
  list(turned = turned, summary = paste(c(times, left, verdicts), collapse = " "))
}

# How a reader is told which times are not proved settled: a mark behind a cell's label, a sentence where it stands, and
# the counts of the first page.

unsettled_mark <- "\u2020"

#' Whether a state is not settled.
is_unsettled <- function(settled) settled %in% c("still compiling", "not proved")

#' Labels with the mark behind those that have a cell, in whatever place, that is not settled.
mark_unsettled <- function(label, settled) {
  open <- unique(label[is_unsettled(settled)])
  ifelse(label %in% open, paste(label, unsettled_mark), label)
}

#' The sentence that a figure's caption ends with where it draws a marked label; empty elsewhere.
unsettled_caption <- function(plot_data) {
  words <- Filter(function(column) is.character(column) || is.factor(column), plot_data)
  texts <- unlist(lapply(words, function(column) as.character(unique(column))))
  if (!any(grepl(unsettled_mark, texts, fixed = TRUE))) return("")
  paste0(" ", unsettled_mark, " not proved settled, at least in one place: the code may not be compiled yet.")
}

#' `Of 82 cells that look for steady times, 60 are proved settled; 2 were still compiling, 20 are not proved.`
settled_sentence <- function(cells) {
  sought <- unique(cells[nzchar(settled) & settled != "by definition", c(shown_cell_key, "settled"), with = FALSE])
  if (nrow(sought) == 0) return(character())
  counts <- vapply(c("proved", "still compiling", "not proved"), function(state) sum(sought$settled == state), 0L)
  said <- sprintf(
    c("%d %s proved settled by what the JVM had compiled", "%d %s still compiling", "%d %s not proved"),
    counts, ifelse(counts == 1, c("is", "was", "is"), c("are", "were", "are"))
  )
  looking <- if (nrow(sought) == 1) "looks" else "look"
  sprintf("Of %s that %s for steady times, %s.", format_plural(nrow(sought), "cell"), looking, toString(said))
}
