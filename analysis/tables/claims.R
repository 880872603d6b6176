# The first page's table: every claim, with a row per variant and a verdict per protocol.

claim_entry <- function(data, id, claim_id) {
  study <- data$experiments[[id]]
  claim <- study$claims[[claim_id]]
  rows <- data$verdicts[experiment == id & claim_id == claim]
  figures <- published_figures(data, id, claim_id)
  base <- list(
    id = claim_id, study = id, text = claim$text, place = claim$place, form = claim$form,
    published = describe_published(figures), own_table = describe_own_table(figures, claim)
  )
  if (untestable(rows)) {
    reason <- c(claim$reason, rows$reason[rows$reason != ""], "no cell that it needs was measured in this run")[1]
    own <- study_of(data, id)
    elsewhere <- study_claims(data)[study == own & claim == claim_id]$judged
    return(c(base, list(testable = FALSE, reason = reason, elsewhere = elsewhere, variants = list())))
  }
  c(base, list(testable = TRUE, covers = part_covered(rows), variants = lapply(unique(rows$variant), function(name) {
    show_variant(data, rows[variant == name], protocols_of(study))
  })))
}

#' `at ECB, 100 KB and random` where only a part of the claim's scope was measured, else empty.
part_covered <- function(rows) {
  covers <- unique(sub(";.*", "", rows$covers[nzchar(rows$covers)]))
  paste(covers, collapse = " or ")
}

#' The two sides of a contrast in few words: `Blowfish / AES`, without the settings that both or the variant have.
show_ratio <- function(data, id) {
  decisive <- data$contrasts[contrast == id]
  if (nrow(decisive) == 0) return("")
  if (is_exponent(data, decisive$experiment[1], decisive$claim[1])) {
    return(sprintf("exponent, %s to %s", decisive$denominator[1], decisive$numerator[1]))
  }
  sides <- c(decisive$numerator[1], decisive$denominator[1])
  paste(sub(" with .*", "", sides[nzchar(sides)]), collapse = " / ")
}

show_variant <- function(data, rows, protocols) {
  reference <- reference_place(data)
  # A column for every protocol of the report, also of those that this study does not have.
  verdicts <- lapply(all_protocols(data), function(name) {
    here <- rows[protocol == name]
    if (nrow(here) == 0) {
      missing <- if (name %in% protocols) "not measured" else dash
      return(list(protocol = name, missing = missing, marks = list(), ratio = ""))
    }
    quoted <- quoted_verdict(data, here)
    c(show_verdict(data, quoted), list(
      missing = "", ratio = show_ratio(data, quoted$contrast), elsewhere = elsewhere_words(quoted, reference),
      marks = if (nrow(here) > 1) show_marks(data, here) else list()
    ))
  })
  list(
    variant = format_variant(rows$variant[1]), difference = protocol_sentence(data, rows, protocols),
    verdicts = verdicts
  )
}

#' Where a quoted verdict is from, if not from the reference environment.
elsewhere_words <- function(quoted, reference) {
  if (is.na(quoted$place) || quoted$place == reference) return("")
  paste0(if (!is_shared(quoted$environment)) "in ", quoted$place)
}

#' The caveats of all environments that were measured, each with their names.
caveat_sentences <- function(data) {
  caveats <- data$parts$caveat[match(data$places$environment, data$parts$environment)]
  lapply(setdiff(unique(caveats), c("", NA)), function(text) {
    paste0(format_some(unique(data$places$label[caveats %in% text])), ": ", text, ".")
  })
}

#' The protocols of all experiments, in the order of the first that has them.
all_protocols <- function(data) unique(unlist(lapply(unname(data$experiments), protocols_of)))

table_claims <- function(data) {
  entries <- lapply(names(data$experiments), function(id) {
    lapply(names(data$experiments[[id]]$claims), function(claim_id) claim_entry(data, id, claim_id))
  })
  entries <- unlist(entries, recursive = FALSE)
  list(
    reference = reference_place(data), profiles = as.list(names(data$profiles)), caveats = caveat_sentences(data),
    most_marks = most_marks,
    protocols = as.list(all_protocols(data)),
    claims = Filter(function(entry) entry$testable, entries),
    untestable = Filter(function(entry) !entry$testable, entries)
  )
}
