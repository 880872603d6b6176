# The first page's table, a row for each claim of a study; and every part of a claim, with a row per variant and a
# verdict per protocol.

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
    elsewhere <- study_claims(data)[study == own & claim == ledger_id(claim_id)]$judged
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
  what <- no_ratio(data, decisive$experiment[1], decisive$claim[1])
  if (what %in% c("exponent", "fixed share")) {
    return(sprintf("%s, %s to %s", what, decisive$denominator[1], decisive$numerator[1]))
  }
  sides <- c(decisive$numerator[1], decisive$denominator[1])
  sign <- if (what == "difference") minus_sign else "/"
  paste(sub(" with .*", "", sides[nzchar(sides)]), collapse = paste0(" ", sign, " "))
}

show_variant <- function(data, rows, protocols) {
  reference <- reference_place(data)
  # A column for every protocol of the report, also of those that this study does not have.
  verdicts <- lapply(all_protocols(data), function(name) {
    here <- rows[base_protocol(protocol) == name]
    if (nrow(here) == 0) {
      missing <- if (name %in% base_protocol(protocols)) "not measured" else dash
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
all_protocols <- function(data) unique(base_protocol(unlist(lapply(unname(data$experiments), protocols_of))))

#' The protocols as heads of columns: `as-published (shortened in some experiments)`.
protocol_heads <- function(data) {
  names <- unlist(lapply(unname(data$experiments), protocols_of))
  vapply(all_protocols(data), function(name) {
    own <- names[base_protocol(name = names) == name]
    if (all(own == name)) return(name)
    paste0(name, if (any(own == name)) " (shortened in some experiments)" else ", shortened")
  }, "", USE.NAMES = FALSE)
}

#' `all 12 statements`, or `12 statements: 11 supported and 1 refuted`; empty for a single one.
statement_words <- function(statements, counts) {
  if (statements == 1) return("")
  if (!grepl(" and ", counts)) return(sprintf("all %d statements", statements))
  sprintf("%d statements: %s", statements, counts)
}

#' One row of the first page: a claim of a study, its parts' texts, what the study says, and a verdict per protocol.
first_page_row <- function(data, row, verdicts, entries) {
  parts <- row$parts[[1]][, paste(experiment, part)]
  own <- Filter(function(entry) paste(entry$study, entry$id) %in% parts, entries)
  each <- function(key) unique(vapply(own, function(entry) entry[[key]], ""))
  list(
    id = row$claim, study = own[[1]]$study, texts = as.list(each("text")),
    published = format_some(each("published"), 3),
    own_table = as.list(setdiff(each("own_table"), "")),
    verdicts = lapply(all_protocols(data), function(name) {
      here <- verdicts[study == row$study & claim == row$claim & protocol == name]
      if (nrow(here) == 0) return(list(protocol = name, verdict = "", letter = "", counts = dash, causes = ""))
      list(
        protocol = name, verdict = here$verdict, letter = verdict_letter(here$verdict),
        counts = statement_words(here$statements, here$counts), causes = here$causes
      )
    })
  )
}

table_claims <- function(data) {
  entries <- lapply(names(data$experiments), function(id) {
    lapply(names(data$experiments[[id]]$claims), function(claim_id) claim_entry(data, id, claim_id))
  })
  entries <- unlist(entries, recursive = FALSE)
  claims <- study_claims(data)[judged == TRUE]
  verdicts <- claim_verdict_rows(data)
  list(
    heads = as.list(protocol_heads(data)),
    rows = lapply(seq_len(nrow(claims)), function(i) first_page_row(data, claims[i], verdicts, entries)),
    reference = reference_place(data), profiles = as.list(names(data$profiles)), caveats = caveat_sentences(data),
    most_marks = most_marks,
    protocols = as.list(all_protocols(data)),
    claims = Filter(function(entry) entry$testable, entries),
    untestable = Filter(function(entry) !entry$testable, entries)
  )
}
