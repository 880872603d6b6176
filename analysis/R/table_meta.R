# What the report is about as a whole: title, run, warnings, and the paragraph that opens it.

verdict_count_words <- function(rows) {
  words <- union(c("supported", "refuted", "undecided"), intersect(verdict_kinds, rows$verdict))
  counts <- vapply(words, function(word) sum(rows$verdict == word), 0L)
  format_list(paste(counts, words))
}

#' What the verdicts say: one sentence per fact. The counts are those of the first page's own rows.
opening_sentences <- function(data) {
  claims <- study_claims(data)
  quoted <- quoted_verdicts(data)
  protocols <- unique(base_protocol(unlist(lapply(data$experiments, protocols_of))))
  rolled <- claim_verdict_rows(data)[claims[judged == TRUE, .(study, claim)], on = c("study", "claim"), nomatch = NULL]
  said <- sprintf(
    "This run judges %s of %s (%s, counting parts, variants and experiments apart) in %s%s.",
    format_plural(sum(claims$judged), "claim"),
    format_plural(data.table::uniqueN(study_of(data, unique(data$verdicts$experiment))), "study", "studies"),
    format_plural(nrow(unique(quoted[, .(experiment, claim, variant)])), "statement"),
    format_plural(nrow(data$places), "environment"),
    if (length(data$profiles) > 1) paste(" under", format_plural(length(data$profiles), "CPU profile")) else ""
  )
  said <- c(said, unlist(lapply(rev(protocols), function(name) {
    count_sentence(rolled[protocol == name], quoted[base_protocol(protocol) == name], name)
  })))
  testable <- data$verdicts[!verdict %in% unjudged_kinds]
  if (length(protocols) > 1 && nrow(testable) > 0) {
    by <- c("experiment", "claim", "variant", "place", "cpu_profile")
    pairs <- testable[, .(
      differ = data.table::uniqueN(verdict) > 1, opposite = all(c("supported", "refuted") %in% verdict)
    ), by = by]
    changes <- differing_claims_words(pairs[differ == TRUE]$claim, pairs[opposite == TRUE]$claim)
    said <- c(said, paste0("The protocol ", changes, "."))
  }
  c(said, matrix_sentences(data))
}

#' What the run can tell apart: how wide its intervals are, which cells are settled, what its test of itself gave, and
#' what it could not judge.
seen_sentences <- function(data) {
  claims <- study_claims(data)
  left <- claims[judged == FALSE]$claim
  c(
    width_words(data), settled_sentence(data$cells), calibration_sentence(data),
    if (length(left) > 0) sprintf("Not testable here: %s.", format_list(left))
  )
}

#' How many of the verdicts that the first page prints under a protocol are which, and why some are undecided.
count_sentence <- function(rolled, rows, protocol) {
  if (nrow(rolled) == 0) return(NULL)
  causes <- cause_counts(rows$cause)
  sprintf(
    "Under the protocol %s: %s%s.", protocol, verdict_count_words(rolled),
    if (nzchar(causes)) sprintf(" (of statements: %s)", causes) else ""
  )
}

#' `changes the verdict on A, and how sure it is on B`, from claims whose verdicts differ and those that are opposite.
differing_claims_words <- function(differ, opposite) {
  less <- setdiff(differ, opposite)
  said <- c(
    if (length(opposite) > 0) paste("the verdict on", format_list(unique(opposite))),
    if (length(less) > 0) paste("how sure the verdict is on", format_list(less))
  )
  if (length(said) == 0) "changes no verdict" else paste("changes", paste(said, collapse = ", and "))
}

#' Which verdicts change with the operating system, the JDK and the CPU class, all else alike.
matrix_sentences <- function(data) {
  pairs <- verdict_changes(data$verdicts, data$parts)
  said <- vapply(names(matrix_dimensions), function(which) {
    here <- pairs[dimension == which]
    if (nrow(here) == 0) return("")
    opposite <- here[opposite_verdicts(verdict_one, verdict_two)]$claim
    paste("the", matrix_dimensions[[which]], differing_claims_words(here[verdict_one != verdict_two]$claim, opposite))
  }, "")
  said <- said[nzchar(said)]
  if (length(said) == 0) return(character())
  paste0("All else alike, ", paste(said, collapse = "; "), ".")
}

#' How far JMH's pooled error bar falls short of the interval over forks.
pooled_sentence <- function(data) {
  cells <- data$cells[is.finite(half_width_pct) & is.finite(pooled_half_width_pct) & pooled_half_width_pct > 0]
  if (nrow(cells) == 0) return("No cell has enough forks to compare the two.")
  wider <- sum(cells$pooled_half_width_pct < cells$half_width_pct)
  much <- sum(2 * cells$pooled_half_width_pct < cells$half_width_pct)
  sprintf(
    paste(
      "In this run the interval over forks is wider than the pooled one in %s of %s rows of cells.csv,",
      "and more than twice as wide in %s."
    ),
    format_count(wider), format_count(nrow(cells)), format_count(much)
  )
}

run_warnings <- function(data) {
  engines <- unique(c(data$rounds$engine, data$settings$engine))
  tiers <- unique(c(data$rounds$tier, data$settings$tier))
  c(
    if ("smoke" %in% tiers) {
      "Smoke tier: 2 forks a cell and very short iterations. No verdicts to rely on; for trying out only."
    },
    if ("host" %in% engines) {
      paste(
        "Engine host: measured without containers, with the machine's own Java. Nothing is isolated or pinned,",
        "and the numbers are not comparable with those from containers."
      )
    },
    if (sum(data$forks$valid %in% FALSE) > 0.2 * nrow(data$forks)) {
      paste(gate_sentence(data), "Measure on a quieter machine: gates that break so much leave little to judge by.")
    },
    if (length(tiers) > 1) paste("Rounds of several tiers are mixed:", format_list(tiers)),
    if (nrow(data$cells) == 0) "No cell has been measured: the tables and figures are empty."
  )
}

measured_words <- function(began, ended) {
  if (!nzchar(ended)) return("nothing measured")
  if (began == ended) paste("measured on", began) else paste("measured from", began, "to", ended)
}

#' What the report rests on, counted.
extent_words <- function(data) {
  cells <- unique(data$cells[, c("experiment", "place", "cell", "protocol"), with = FALSE])
  format_list(c(
    format_plural(nrow(data$rounds), "round"), format_plural(nrow(cells), "cell"),
    format_plural(nrow(data$forks), "fork"), format_plural(nrow(data$iterations), "iteration"),
    format_plural(nrow(data$pauses), "pause of the JVM", "pauses of the JVM")
  ))
}

#' The run's settings as keys and values. An empty list is one that was not given: what stands there instead (every CPU
#' class of the tier, say) is not for these words to tell.
show_settings <- function(settings) {
  flat <- flatten_json(Filter(function(value) !is.list(value) || length(value) > 0, settings))
  lapply(seq_along(flat), function(i) list(key = gsub("_", " ", names(flat)[i]), value = flat[[i]]))
}

table_meta <- function(data) {
  settings <- data$settings
  ended <- suppressWarnings(max(data$rounds$finished_at[nzchar(data$rounds$finished_at)], ""))
  began <- suppressWarnings(min(c(data$rounds$started_at[nzchar(data$rounds$started_at)], "9")))
  stamp <- as.numeric(as.POSIXct(sub("\\.[0-9]+", "", ended), format = "%Y-%m-%dT%H:%M:%S", tz = "UTC"))
  list(
    project = trimws(paste("jca-rerun", settings$project_version)), tier = settings$tier, engine = settings$engine,
    seed = as.character(settings$seed), alpha = format_significant_plain(settings$alpha %||% 0.05),
    confidence = paste0(format_significant_plain(100 * (settings$confidence %||% 0.95)), " %"),
    timestamp = if (is.finite(stamp)) stamp else 0,
    measured = measured_words(substr(began, 1, 10), substr(ended, 1, 10)),
    extent = extent_words(data), places = as.list(unique(data$places$label)),
    kept = data$kept, settings = show_settings(settings), warnings = as.list(run_warnings(data)),
    opening = as.list(opening_sentences(data)), sees = as.list(seen_sentences(data)), pooled = pooled_sentence(data)
  )
}
