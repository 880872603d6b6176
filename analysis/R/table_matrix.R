# The matrix of environments: what varies with what, whose verdict changes, the claims about it, and the intrinsics.

component_words <- c(
  system = "operating system", jdk = "JDK", cpu_profile = "CPU class", provider = "provider",
  interaction = "their interaction", machine = "machine", round = "round", fork = "fork", iteration = "iteration"
)

#' The variance decomposition of one experiment on one machine.
share_entry <- function(data, set) {
  found <- data$variance_shares[experiment == set$experiment & machine_id == set$machine_id]
  confounded <- found[confounded == TRUE]$component
  list(
    title = set_words(data, set), protocol = set$protocol,
    rows = lapply(seq_len(nrow(found)), function(i) share_row(data, found[i], confounded)),
    note = confounded_note(data, found[component == "joint"]$apart, confounded)
  )
}

#' What lies between the machines that measured the same cells, and within them, of every experiment where several did.
machine_entries <- function(data) {
  over <- data$variance_shares[machine_id == ""]
  over <- over[order(match(experiment, names(data$experiments)))]
  lapply(unname(split(over, by = "experiment", sorted = FALSE)), function(found) {
    list(
      title = sprintf("%s, over %d machines", found$experiment[1], max(found$levels, na.rm = TRUE)),
      protocol = found$protocol[1], note = "",
      rows = lapply(seq_len(nrow(found)), function(i) machine_share_row(found[i]))
    )
  })
}

machine_share_row <- function(number) {
  percent <- function(x) format_percent(100 * x)
  machines <- substr(strsplit(number$compared, ";", fixed = TRUE)[[1]], 1, 6)
  list(
    component = component_words[[number$component]], levels = format_some(machines, 8), share = percent(number$share),
    interval = if (is.finite(number$lower)) sprintf("[%s, %s]", percent(number$lower), percent(number$upper)) else "",
    typical = if (number$variance > 0) format_significant(exp(sqrt(number$variance)), 3) else "no evidence",
    id = number$share_id
  )
}

#' One component; what has no number says why.
share_row <- function(data, number, confounded) {
  name <- number$component
  words <- if (name == "joint") {
    paste0(format_list(component_words[confounded], "or"), ", not told apart")
  } else {
    component_words[[name]]
  }
  compared <- in_order(data, strsplit(number$compared, ";", fixed = TRUE)[[1]], name)
  levels <- format_some(part_words(data$parts, name, compared), 8)
  if (!is.finite(number$variance)) {
    why <- if (length(compared) == 1) {
      sprintf("only %s measured", levels)
    } else {
      sprintf("can't be told apart from the %s here", format_list(component_words[setdiff(confounded, name)]))
    }
    return(list(component = words, levels = why, share = "", interval = "", typical = "", id = number$share_id))
  }
  percent <- function(x) format_percent(100 * x)
  if (name == "joint") levels <- format_plural(number$levels, "group of environments", "groups of environments")
  list(
    component = words, levels = levels,
    share = percent(number$share), interval = sprintf("[%s, %s]", percent(number$lower), percent(number$upper)),
    typical = if (number$variance > 0) format_significant(exp(sqrt(number$variance)), 3) else "no evidence",
    id = number$share_id
  )
}

#' The levels of a factor in the order of the definitions.
in_order <- function(data, levels, name) {
  known <- if (name == "cpu_profile") names(data$profiles) else if (name == "provider") NULL else data$parts[[name]]
  levels[order(match(levels, unique(known)), levels, method = "radix")]
}

#' Which combinations can't be told apart from the rest, in a sentence.
#'
#' @param apart the combinations, as variance_shares.csv has them; `confounded` their factors
confounded_note <- function(data, apart, confounded) {
  if (length(confounded) == 0) return("")
  outside <- strsplit(strsplit(apart, ";", fixed = TRUE)[[1]], "|", fixed = TRUE)
  said <- vapply(outside, function(levels) {
    paste(mapply(function(name, level) part_words(data$parts, name, level), confounded, levels), collapse = " with ")
  }, "")
  sprintf(
    paste(
      "%s differ%s from the others in the %s at once, so that no number is given to either for %s; the row",
      "\"not told apart\" has both."
    ),
    format_list(unique(said)), if (length(said) == 1) "s" else "", format_list(component_words[confounded]),
    if (length(said) == 1) "it" else "them"
  )
}

#' Whether a claim's verdict changes with each dimension, of those that have verdicts to compare.
change_rows <- function(data) {
  pairs <- verdict_changes(data$verdicts, data$parts)
  judged <- unique(data$verdicts[!verdict %in% unjudged_kinds, .(experiment, claim)])
  lapply(seq_len(nrow(judged)), function(i) {
    here <- pairs[experiment == judged$experiment[i] & claim == judged$claim[i]]
    answers <- lapply(names(matrix_dimensions), function(which) describe_changes(here[dimension == which], data$parts))
    list(claim = judged$claim[i], study = judged$experiment[i], answers = answers, compared = nrow(here) > 0)
  }) |> Filter(f = function(row) row$compared)
}

#' The claims that compare environments or CPU profiles themselves, with their verdicts. Places of the same verdict
#' share a row.
across_claims <- function(data) {
  entries <- lapply(names(data$experiments), function(id) {
    claims <- data$experiments[[id]]$claims
    lapply(names(claims), function(claim_id) {
      if (length(claims[[claim_id]]$decision$dimensions) == 0) return(NULL)
      rows <- data$verdicts[experiment == id & claim == claim_id & verdict != "not testable here"]
      if (nrow(rows) == 0) return(NULL)
      rows <- rows[order(
        match(protocol, protocols_of(data$experiments[[id]])), variant, match(cpu_profile, names(data$profiles)),
        as.integer(place)
      )]
      told <- if (length(unique(rows$covers)) == 1) rows$covers[1] else ""
      groups <- split(rows, by = c("protocol", "variant", "cpu_profile", "verdict"), sorted = FALSE)
      list(
        claim = claim_id, study = id, text = claims[[claim_id]]$text, covers = told,
        rows = lapply(unname(groups), function(group) across_row(data, group, told))
      )
    })
  })
  Filter(Negate(is.null), unlist(entries, recursive = FALSE))
}

#' Verdicts that are alike, quoted from the first place; caveats of all of them.
across_row <- function(data, group, told) {
  shown <- show_verdict(data, group[1])
  if (is.na(group$place[1])) shown$place <- ""
  if (nrow(group) > 1) shown$place <- sprintf("%s, and %d places more", shown$place, nrow(group) - 1L)
  if (shown$covers == told) shown$covers <- ""
  caveat <- paste(setdiff(unique(group$caveat), ""), collapse = "; ")
  shown$caveat <- paste0(if (nzchar(caveat) && any(group$caveat == "")) "Some of them are ", caveat)
  c(shown, list(variant = variant_words(data, group$experiment[1], group$variant[1])))
}

#' Which intrinsics were on, a row for each JDK and CPU profile; places that agree share a row.
intrinsic_rows <- function(data) {
  seen <- unique(data$forks[, .(environment, image_id, machine_id, place, cpu_profile)])
  seen <- seen[order(place, match(cpu_profile, names(data$profiles)))]
  values <- lapply(seq_len(nrow(seen)), function(i) {
    # Not every round of a place has forks of every profile.
    own <- unique(data$forks[seen[i], on = names(seen)][, .(experiment, environment, round)])
    rounds <- data$rounds[own, on = names(own)][order(started_at, path)]
    crypto_values(round_flags(file.path(data$raw, rounds$path[1]), seen$cpu_profile[i]))
  })
  values <- do.call(rbind, values)
  if (is.null(values) || all(values == "")) return(list(columns = list(), rows = list()))
  values <- values[, colSums(values != "") > 0, drop = FALSE]
  parts <- data$parts[match(seen$environment, data$parts$environment)]
  known <- seen$machine_id == data$places$machine_id[1] & parts$jdk != parts$environment
  jdk <- ifelse(known, parts$jdk_label, as.character(seen$place))
  key <- paste(jdk, seen$cpu_profile, apply(values, 1, paste, collapse = " "), sep = "\r")
  list(
    columns = as.list(colnames(values)),
    rows = lapply(unique(key), function(one) {
      at <- which(key == one)
      systems <- unique(parts$system_label[at][jdk[at] != as.character(seen$place[at])])
      list(
        jdk = jdk[at[1]], systems = paste(systems, collapse = ", "), profile = seen$cpu_profile[at[1]],
        values = as.list(unname(values[at[1], ]))
      )
    })
  )
}

table_matrix <- function(data) {
  sets <- matrix_sets(data)
  combinations <- nrow(unique(data$forks[, .(place, cpu_profile)]))
  list(
    single = if (combinations == 0) "Nothing was measured." else if (nrow(sets) > 0) "" else paste(
      "No machine measured an experiment in more than one combination of environment and CPU profile, so that there is",
      "nothing to compare here."
    ),
    profiles = lapply(names(data$profiles), function(id) list(id = id, label = data$profiles[[id]])),
    shares = lapply(seq_len(nrow(sets)), function(i) share_entry(data, sets[i])),
    machines = machine_entries(data),
    dimensions = as.list(unname(matrix_dimensions)), changes = if (nrow(sets) > 0) change_rows(data) else list(),
    across = across_claims(data), intrinsics = intrinsic_rows(data)
  )
}
