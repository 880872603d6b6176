# The report's words come from rows: each sentence names the operands, the size, the place and the protocol of its row.

answer_of <- function(data) table_answer(data)$studies[[1]]
sentences_of <- function(data) {
  rows <- quoted_verdicts(data)[!shown_verdict(verdict) %in% "not testable"]
  rows[, sentence := vapply(seq_len(.N), function(i) row_sentence(data, rows[i]), "")][]
}

#' What a sentence must name of its row, each with whether it does.
sentence_checks <- function(sentence, row, data) {
  contrast <- data$contrasts[contrast == row$contrast]
  parts <- c(
    numerator = contrast$numerator, denominator = contrast$denominator, scope = contrast$scope,
    place = if (is_shared(row$environment)) "" else as.character(row$place), protocol = protocol_words(row$protocol),
    number = format_significant(abs(contrast$ratio)), measure = measure_phrase(contrast$measure)
  )
  vapply(parts[nzchar(parts)], function(part) grepl(tolower(part), tolower(sentence), fixed = TRUE), TRUE)
}

test_that("a sentence names the operation, the size, the provider, the place and the protocol of its row", {
  data <- report_example()
  rows <- sentences_of(data)
  expect_gt(nrow(rows), 1)
  for (i in seq_len(nrow(rows))) expect_true(all(sentence_checks(rows$sentence[i], rows[i], data)))
  # The check finds a sentence that names another operation, number or protocol.
  for (other in c("numerator", "denominator", "scope")) {
    wrong <- data
    wrong$contrasts <- copy(data$contrasts)[, (other) := "hash SHA-1"]
    expect_false(all(sentence_checks(rows$sentence[1], rows[1], wrong)))
  }
  expect_false(all(sentence_checks(rows$sentence[1], copy(rows[1])[, protocol := "another"], data)))
})

test_that("a difference says which side is higher, and in points where the claim counts in points", {
  contrast <- list(
    measure = "server-utilisation", numerator = "Core 2 class", denominator = "the machine's CPU",
    ratio = -2.5, scope = "", ratio_scale = FALSE
  )
  expect_identical(
    contrast_sentence(contrast, points = TRUE),
    "the server's utilisation is 2.50 points lower for Core 2 class than for the machine's CPU"
  )
  contrast$ratio <- 31
  expect_match(contrast_sentence(contrast), "is 31.0 higher for", fixed = TRUE)
  contrast[c("measure", "ratio_scale")] <- list("wall", TRUE)
  expect_identical(contrast_sentence(contrast), "Core 2 class takes 31.0 times as long as the machine's CPU")
})

test_that("a study's sentence is about its headline, and says the published number in the same unit", {
  data <- report_example()
  said <- answer_of(data)$sentence
  expect_match(said$text, "The study: 1000 (its own table: 278).", fixed = TRUE)
  expect_identical(data$verdicts[verdict_id == said$id]$claim, "P1")
  expect_identical(said$tally, "Of 2 claims none holds. Does not hold: P1. Not judged: P5.")
  data$verdicts[, verdict := "holds"]
  expect_identical(answer_of(data)$sentence$tally, "Of 2 claims 1 holds (P1). Not judged: P5.")
})

test_that("the first page says for which verdicts together the error is kept", {
  where <- table_answer(report_example())$where
  expect_match(where, "of a study under one protocol, .* at most 5 % \\(Holm's correction\\)[.]$")
})

test_that("of a claim with several parts the one that decides is quoted, the others are named", {
  data <- report_example()
  claims <- data$experiments$phenry2014$claims
  data$experiments$phenry2014$claims <- list(
    C12a = modifyList(claims$P1, list(text = "the first reading")),
    C12b = modifyList(claims$P1, list(text = "the second reading"))
  )
  one <- copy(data$verdicts)[protocol == "steady-state"]
  data$verdicts <- rbind(
    copy(one)[, `:=`(claim = "C12a", verdict = "holds")], copy(one)[, `:=`(claim = "C12b", verdict = "does-not-hold")]
  )[, verdict_id := paste0("v", .I)]
  row <- answer_of(data)$rows[[1]]
  expect_identical(unlist(row[c("id", "text", "verdict")], use.names = FALSE), c(
    "C12b", "the second reading", "does not hold"
  ))
  expect_match(row$outcome, "^does not hold in both cases\\. Other parts: holds C12a$")
  expect_identical(row$cases, "")
  expect_identical(row$others, data.table(verdict = "holds", parts = "C12a"))
  expect_length(answer_of(data)$rows, 1)
})

test_that("a claim has the verdict of compiled code if that is decided, else the one as published", {
  data <- report_example()
  rows <- copy(data$verdicts)[claim == "P1"]
  verdict_of <- function(warm) {
    cold <- copy(rows[protocol == "as-published"][1])[, verdict := "does-not-hold"]
    warm <- copy(rows[protocol == "steady-state"][rep(1, length(warm))])[, `:=`(
      variant = as.character(.I), verdict = warm
    )]
    data$verdicts <- rbind(cold, warm)[, verdict_id := paste0("v", .I)]
    answer_of(data)$rows[[1]]$verdict
  }
  expect_identical(verdict_of("holds"), "holds")
  expect_identical(verdict_of("undecided"), "does not hold")
  # One decided case of four decides nothing.
  expect_identical(verdict_of(c("holds", "undecided", "undecided", "undecided")), "does not hold")
})

test_that("cases with several verdicts are named, so that nothing contradicts the rows", {
  data <- report_example()
  data$verdicts <- copy(data$verdicts)[protocol == "steady-state"][, `:=`(
    variant = c("rsa-bits=1024", "rsa-bits=2048"), verdict = c("holds", "does-not-hold"), environment = "a-17",
    place = place[1]
  )]
  row <- answer_of(data)$rows[[1]]
  expect_identical(row$verdict, "differs by case")
  expect_match(row$outcome, "holds for 1024-bit key; not for 2048-bit key", fixed = TRUE)
  expect_identical(row$cases, row$outcome)
  of <- function(...) data.table(variant = as.character(seq_along(c(...))), verdict = c(...))
  expect_identical(rolled_up(of("holds", "undecided", "undecided")), "undecided")
  expect_identical(rolled_up(of("holds", "holds", "undecided")), "holds")
  expect_identical(rolled_up(of("holds", "opposite")), "differs by case")
  expect_identical(rolled_up(of("not-comparable")), "not comparable")
})

test_that("the row of a claim in its study's table has the verdict that the first page gives it", {
  data <- report_example()
  rows <- copy(data$verdicts)[protocol == "steady-state"][c(1, 1, 1)]
  counts <- ""
  shown <- function(verdicts) {
    data$verdicts <- copy(rows)[, `:=`(variant = as.character(1:3), verdict = verdicts, verdict_id = paste0("v", 1:3))]
    counts <<- table_answer(data)$counts
    c(answer_of(data)$rows[[1]]$verdict, shown_verdict(table_studies(data)[[1]]$details[[1]]$verdict))
  }
  expect_identical(shown(c("holds", "undecided", "undecided")), c("undecided", "undecided"))
  expect_match(counts, "^0 of 2 claims are decided, 1 undecided, 0 not comparable and 1 not judged")
  expect_identical(shown(c("undecided", "holds", "holds")), c("holds", "holds"))
  expect_identical(shown(c("undecided", "holds", "does-not-hold")), c("differs by case", "does not hold"))
  expect_identical(shown(rep("not-comparable", 3)), rep("not comparable", 2))
  expect_match(counts, "^0 of 2 claims are decided, 0 undecided, 1 not comparable and 1 not judged")
})

test_that("a question of our own stands for no claim of the study, and is no headline", {
  data <- report_example()
  first <- claim_parts(data)[1]
  own <- copy(data$verdicts)[claim == first$part][1][, verdict := "undecided"]
  ours <- paste0(first$part, "h")
  part <- data$experiments[[first$experiment]]$claims[[first$part]]
  part$published <- NULL
  data$experiments[[first$experiment]]$claims[[ours]] <- c(part, list(text = "Ours"))
  data$verdicts <- rbind(own, copy(own)[, `:=`(claim = ours, verdict = "holds", verdict_id = "v9")])
  answer <- answer_of(data)
  row <- answer$rows[[1]]
  expect_identical(c(row$id, row$verdict), c(first$part, "undecided"))
  expect_identical(answer$sentence$id, own$verdict_id)
  # Where the study's part was not judged, ours is shown.
  data$verdicts[1, verdict := "not-testable"]
  expect_identical(answer_of(data)$rows[[1]]$id, ours)
})

test_that("a claim that two experiments of a study judge has one verdict, one range and one count", {
  data <- report_example()
  part <- claim_parts(data)[1]$part
  data$experiments$more <- data$experiments$phenry2014
  data$experiments$more$id <- "more"
  own <- copy(data$verdicts)[claim == part & protocol == "steady-state"][1]
  shown <- function(first, second) {
    data$verdicts <- rbind(
      copy(own)[, `:=`(variant = "rsa-bits=1024", verdict = first, estimate = 2)],
      copy(own)[, `:=`(
        experiment = "more", variant = "rsa-bits=2048", verdict = second, estimate = 3, verdict_id = "v9"
      )]
    )
    answer <- answer_of(data)
    list(
      verdict = answer$rows[[1]]$verdict, table = shown_verdict(table_studies(data)[[1]]$details[[1]]$verdict),
      text = Filter(nzchar, vapply(answer$rows[[1]]$now, `[[`, "", "text")), sentence = answer$sentence$text
    )
  }
  both <- shown("holds", "does-not-hold")
  expect_identical(both$verdict, "differs by case")
  expect_identical(both$text, "2.00 to 3.00 (2 cases)")
  expect_match(both$sentence, sprintf("^%s differs by case; in one case it does not hold[.] ", part))
  alike <- shown("holds", "holds")
  expect_identical(c(alike$verdict, alike$table), c("holds", "holds"))
  expect_match(alike$sentence, sprintf("^%s holds[.] ", part))
})

test_that("where one factor separates the verdicts its levels are named, and not each case", {
  data <- report_example()
  cases <- CJ(mode = c("ECB", "CBC"), objects = c("graph", "text", "rows"))
  rows <- data$verdicts[rep(1, nrow(cases))]
  rows[, `:=`(
    variant = paste0("mode=", cases$mode, ", objects=", cases$objects), environment = "a-17", cpu_profile = "native",
    verdict = fifelse(cases$mode == "ECB", "holds", "opposite")
  )]
  expect_identical(outcome_words(data, rows), "holds for ECB; opposite direction for CBC")
  rows[6, verdict := "undecided"]
  expect_identical(outcome_words(data, rows),
    "holds for ECB, graph and ECB, rows; opposite direction in 3 of 6 cases; undecided for ECB, text"
  )
  by_machine <- copy(rows)[, `:=`(variant = "mode=ECB", cpu_profile = rep(c("native", "core2"), 3))]
  by_machine[, verdict := fifelse(cpu_profile == "native", "holds", "does-not-hold")]
  expect_identical(outcome_words(data, by_machine), "holds for native; not for core2")
  # Levels that share their words separate nothing.
  data$words$mode <- list(ECB = "a mode", CBC = "a mode")
  expect_match(outcome_words(data, rows[1:5]), "a mode, ", fixed = TRUE)
  expect_no_match(outcome_words(data, rows[1:5]), "a mode(;|$)")
})

test_that("every claim is decided, undecided or listed with a reason, and a claim counts once", {
  data <- report_example()
  counts <- table_answer(data)$counts
  expect_match(counts, "^1 of 2 claims is decided, 0 undecided, 0 not comparable and 1 not judged")
  open <- open_claims(data)
  expect_identical(open$part, "P5")
  expect_identical(open$kind, "impossible")
  data$verdicts[, `:=`(verdict = "undecided", cause = "too wide", forks_needed = c(40, 2000, NA, 30))]
  expect_identical(sort(open_claims(data)$part), c("P1", "P5"))
  expect_match(open_claims(data)[part == "P1"]$takes, "^30 JVM runs per benchmark")
  of_calls <- data
  of_calls$experiments[[1]]$claims$P1$decision$compares <- "calls"
  expect_identical(open_claims(of_calls)[part == "P1"]$takes, "more benchmarks, not more JVM runs")
  data$verdicts <- data$verdicts[0]
  expect_identical(open_claims(data)[order(part)]$kind, c("unmeasured", "impossible"))
  expect_identical(takes_words(2000, NA), "more than 1,000 JVM runs per benchmark: not feasible")
  expect_identical(takes_words(30, 12.3), "30 JVM runs per benchmark, about 12 more minutes")
})

test_that("a claim of several cases takes the JVM runs after which half of them are decided", {
  data <- report_example()
  row <- data$verdicts[claim == "P1" & protocol == "steady-state"][1]
  of_cases <- function(verdicts, needed) {
    rows <- row[rep(1, length(verdicts))]
    rows[, `:=`(
      variant = paste0("size=", seq_along(verdicts)), verdict = verdicts, cause = "too wide", forks_needed = needed
    )]
    data$verdicts <- rows
    open_claims(data)[part == "P1"]$takes
  }
  undecided <- rep("undecided", 4)
  expect_match(of_cases(undecided, c(40, 2000, 30, NA)), "^40 JVM runs per benchmark")
  # The verdict of one case is not the claim's, but it counts.
  expect_match(of_cases(c("holds", undecided), c(NA, 40, 2000, 30, 50)), "^40 JVM runs per benchmark")
  expect_identical(of_cases(c("holds", "undecided"), c(NA, 40)), character())
  expect_identical(of_cases(undecided, c(40, NA, NA, NA)), "")
})

test_that("a claim that two experiments judge is open once, and takes what decides the cases of both", {
  definitions <- example_definitions
  second <- modifyList(definitions$experiments[[1]], list(id = "second"))
  definitions$experiments <- c(definitions$experiments[1], list(second))
  data <- example_data(definitions, write_report_example)
  row <- data$verdicts[claim == "P1" & protocol == "steady-state"][1]
  of_experiments <- function(first, second) {
    data$verdicts <- rbind(
      copy(row)[, `:=`(variant = "size=1", forks_needed = first)],
      copy(row)[, `:=`(variant = "size=2", forks_needed = second, experiment = "second")]
    )[, `:=`(verdict = "undecided", cause = "warm-up unproven")]
    open_claims(data)[part == "P1"]
  }
  expect_identical(nrow(of_experiments(40, 60)), 1L)
  expect_match(of_experiments(40, 60)$takes, "^40 JVM runs per benchmark")
  # The first experiment alone cannot be decided by more JVM runs. The second decides half of the cases.
  expect_match(of_experiments(NA_real_, 60)$takes, "^60 JVM runs per benchmark")
  expect_identical(of_experiments(NA_real_, NA_real_)$takes, "longer JVM runs, not more of them")
})

test_that("every part of every claim is decided, or listed with its reason", {
  for (verdict in c("holds", "other-size", "undecided", "not-comparable", "not-testable")) {
    data <- report_example()
    data$verdicts <- copy(data$verdicts)[, `:=`(verdict = verdict, cause = "too wide")]
    decided <- data$verdicts[is_decided(verdict)]$claim
    expect_setequal(c(decided, open_claims(data)$part), claim_parts(data)$part)
    expect_length(intersect(decided, open_claims(data)$part), 0)
  }
})

test_that("an experiment without claims has no row and no sentence, and what it measured is in the rest", {
  definitions <- example_definitions
  definitions$experiments[[2]] <- modifyList(definitions$experiments[[1]], list(id = "asked", title = "A question"))
  definitions$experiments[[2]]$study$id <- "asked"
  definitions$experiments[[2]]$claims <- NULL
  data <- example_data(definitions, write_report_example)
  expect_identical(vapply(table_answer(data)$studies, `[[`, "", "id"), "phenry2014")
  expect_true(all(lengths(lapply(report_tables(), function(part) part(data))) > 0))
})

test_that("quotation marks are for a study's own words only", {
  data <- report_example()
  written <- unlist(lapply(report_tables(), function(part) part(data)))
  expect_false(any(grepl("[\u201c\u201d\"]", written)))
})

test_that("an experiment of one's own has its own title, and its claims no published number", {
  definitions <- example_definitions
  definitions$experiments[[1]]$study <- list(id = "mine", authors = "you", year = 2026, where = "here", then = "")
  definitions$experiments[[1]]$title <- "SHA-256 beside SHA-512"
  definitions$experiments[[1]]$claims$P1$published <- NULL
  data <- example_data(definitions, write_report_example)
  data$published_ratios <- data$published_ratios[0]
  answer <- table_answer(data)
  expect_identical(answer$title, "SHA-256 beside SHA-512")
  expect_false(answer$published)
  expect_match(answer$studies[[1]]$rows[[1]]$now[[1]]$text, "400 [390, 410]", fixed = TRUE)
})

# Like with like.

test_that("verdicts are compared between places only where claim, variant and all else are the same", {
  data <- report_example()
  pairs <- verdict_pairs(data)
  expect_setequal(pairs$dimension, "protocol")
  expect_match(verdict_change_words(pairs), "2 of 2 pairs reverse the verdict: P1 holds with as published", all = FALSE)
  # K4's two protocols were measured at other sizes: nothing to compare.
  data$verdicts <- copy(data$verdicts)[protocol == "steady-state", variant := "size=1 MB"]
  expect_identical(nrow(verdict_pairs(data)), 0L)
  expect_match(verdict_change_words(verdict_pairs(data)), "^No claim was judged at two levels")
})

test_that("ratios between protocols name the benchmark that they are of", {
  data <- report_example()
  rows <- change_ratios(data)
  expect_gt(nrow(rows), 0)
  expect_setequal(unique(rows$dimension), "protocol")
  for (row in table_changes(data)[[1]]$rows) {
    expect_match(row$least, "(RSA|DES) encryption.*\\(SunJCE\\), .* times as long")
    expect_identical(c(row$to, row$from), c("as published", "warmed up"))
  }
})

test_that("what a run doesn't change is shown from the project's own run, without ids", {
  data <- report_example()
  expect_setequal(vapply(table_changes(data), `[[`, "", "dimension"), "protocol")
  row <- list(
    to = "JDK 25", from = "JDK 17", cells = "5", differ = "3", median = "0.9", least = "a", most = "b", ids = "r1"
  )
  entry <- function(name) list(dimension = name, verdicts = "No verdict differs.", rows = list(row))
  rounds <- data.table(machine_id = "elsewhere", started_at = "2026-11-27T01:00:00Z")
  data$own_results <- list(
    studies = list(
      rounds = rounds,
      changes = list(entry("protocol"), entry("JDK"), list(dimension = "CPU class", rows = list()))
    ),
    today = list(rounds = rounds, changes = list(c(entry("operating system"), borrowed = TRUE)))
  )
  made <- setNames(table_changes(data), vapply(table_changes(data), `[[`, "", "dimension"))
  expect_setequal(names(made), c("JDK", "protocol"))
  expect_identical(made$JDK$verdicts, "From the project's own run of 2026-11-27 on another machine.")
  expect_identical(made$JDK$rows[[1]], replace(row, "ids", ""))
  expect_no_match(made$protocol$verdicts, "own run")
})

test_that("whether the project's own run found the injected slowdown is said after this run's", {
  data <- report_example()
  pair <- list(kind = "injected slowdown", truth = 1.05, ratio = 1.04, lower = 0.9, upper = 1.2, different = FALSE)
  data$calibration <- as.data.table(pair)
  said <- "The injected slowdown of 5 % was found in none of 1 pair."
  expect_identical(self_test_sentences(data), said)
  found <- as.data.table(replace(pair, c("lower", "different"), list(1.02, TRUE)))
  rounds <- data.table(machine_id = "elsewhere", started_at = "2026-11-27T01:00:00Z")
  data$own_results <- list(studies = list(rounds = rounds, calibration = rbind(found, found)))
  own <- "From the project's own run of 2026-11-27 on another machine: it was found in 2 of 2 pairs."
  expect_identical(self_test_sentences(data), c(said, own))
  data$own_results$studies$calibration <- found[0]
  expect_identical(self_test_sentences(data), said)
})

test_that("a claim that a run has no number of shows that of the project's own run, without ids or a count", {
  data <- report_example()
  data$verdicts <- data$verdicts[protocol == "steady-state"]
  counts <- table_answer(data)$counts
  now <- function(protocol, text) list(protocol = protocol, text = text, verdict = "holds", letter = "H", ids = "v1")
  own <- function(id, text) {
    numbers <- list(now("warmed up", "6 [5, 7]"), now("as published", "9 [8, 10]"))
    list(id = id, claim = substr(id, 1, 2), text = text, published = "2", now = numbers)
  }
  data$own_results <- list(studies = list(
    rounds = data.table(machine_id = "elsewhere", started_at = "2026-11-27T01:00:00Z"),
    studies = list(list(id = "phenry2014", rows = list(own("P1", "P1"), own("P5b", "the second part"))))
  ))
  answer <- table_answer(data)
  expect_identical(answer$counts, counts)
  expect_identical(answer$borrowed, "From the project's own run of 2026-11-27 on another machine")
  several <- data.table(machine_id = c("one", "two", "one"), started_at = "2026-11-27T01:00:00Z")
  expect_identical(reference_words(data, several), "From the project's own run of 2026-11-27 on 2 machines")
  rows <- answer$studies[[1]]$rows
  expect_identical(rows[[1]]$now[[1]]$text, "9 [8, 10]")
  expect_match(rows[[1]]$now[[2]]$text, "400")
  expect_null(rows[[1]]$now[[2]]$borrowed)
  expect_identical(vapply(rows[[2]]$now, `[[`, "", "text"), c("9 [8, 10]", "6 [5, 7]"))
  expect_identical(rows[[2]]$now[[1]][c("ids", "borrowed")], list(ids = "", borrowed = TRUE))
  expect_identical(rows[[2]][c("id", "text")], list(id = "P5b", text = "the second part"))
  expect_false(rows[[2]]$judged)
  # Of a judged claim it is the part that the row shows, or none.
  data$own_results$studies$studies[[1]]$rows[[1]]$id <- "P1b"
  expect_null(table_answer(data)$studies[[1]]$rows[[1]]$now[[1]]$borrowed)
})

test_that("results of a run's own rounds are no other run's", {
  folder <- withr::local_tempdir()
  dir.create(file.path(folder, "tables"))
  data <- report_example()
  write_table(data$rounds, file.path(folder, "tables/rounds.csv"))
  expect_named(read_own_results(folder, data$rounds), c("today", "jdk-claims"))
  expect_named(read_own_results(folder, data$rounds[0]), c("studies", "today", "jdk-claims"))
})

# What to choose, and whether to trust it.

#' One operation of two providers, as today.csv of the project's own run has it.
own_choice <- function(environment) {
  data.table(
    environment = environment, operation = "encryption: AES-GCM", provider = c("sunjce", "bc"), offered = "yes",
    rank = 1:2, bytes = 16384, mean_ns = c(4000, 8000), ratio = c(1, 2), ratio_lower = c(NA, 1.9),
    ratio_upper = c(NA, 2.1), warm_up_state = "proven", ratio_id = c("r1", "r2")
  )
}

test_that("providers are ranked by operation, in the unit of the operation, and unproven warm-up is left out", {
  data <- provider_example()
  choose <- table_choose(data)
  expect_setequal(unlist(choose$providers), c("quick", "slow", "library"))
  first <- choose$rows[[1]]
  expect_match(first$operation, "^encrypt")
  fastest <- Filter(function(cell) nzchar(cell$text) && !grepl("\u00d7", cell$text), first$cells)
  expect_length(fastest, 1)
  expect_identical(speed_words(c(1e3, 1e6), c(NA, 1e6)), c("1,000,000/s", "1000\u00a0MB/s"))
  study <- list(workloads = list(
    sign = list(benchmark = "Signing.sign", params = list(bytes = 1024)),
    hash = list(benchmark = "Digest.digest", params = list(bytes = 16384))
  ))
  expect_identical(text_bytes(data.table(workload = c("sign", "hash")), study), c(NA, 16384))
  # Of published studies, two operations are no choice where the project's own run is at hand.
  data$own_results <- list(today = list(
    today = own_choice("b-21"), rounds = data.table(environment = "b-21", machine_id = "m", started_at = "2026-11-27")
  ))
  data$ratios <- data$ratios[grepl("^encrypt", numerator_cell)]
  expect_length(table_choose(data)$rows, 2)
  data$layout$studies <- data.table(study = study_of(data, "offered"))
  expect_length(table_choose(data)$rows, 0)
  expect_length(table_choose(data)$reference$rows, 1)
  data$own_results <- NULL
  data$cells[, warm_up_state := "unproven"]
  expect_length(table_choose(data)$rows, 0)
  expect_length(figure_choose(data), 0)
})

test_that("warm-up is counted in each environment apart", {
  data <- report_example()
  data$cells[, warm_up_state := ifelse(environment == "a-17", "unproven", "proven")]
  rows <- warm_up_rows(data)
  expect_identical(vapply(rows, `[[`, "", "place"), c("B, JDK 21", "A, JDK 17"))
  expect_identical(vapply(rows, `[[`, "", "unproven") == "0", c(TRUE, FALSE))
})

test_that("a caveat that many verdicts have is said once, and so is a note", {
  data <- report_example()
  data$verdicts[, caveat := "Windows' build of the JVM on Wine"]
  expect_identical(unlist(table_studies(data)[[1]]$caveats), "Windows' build of the JVM on Wine")
  data$notes <- data.table(level = "warning", where = c("a", "b"), message = "the same")
  expect_identical(note_lines(data), "a; b: the same")
})

test_that("workloads and levels read as their words, and without any as they are", {
  words <- list(workload = list("rsa-encrypt" = "RSA encryption"), "rsa-bits" = list("1024" = "1024-bit key"))
  expect_identical(level_words(words, "workload", c("rsa-encrypt", "load")), c("RSA encryption", "load"))
  expect_identical(level_words(words, "rsa-bits", c("1024", "", NA)), c("1024-bit key", "", ""))
  expect_identical(level_words(words, "size", "1 MB"), "1 MB")
  cells <- data.table(workload = c("rsa-encrypt", "load"), "factor.rsa-bits" = c("1024", ""), factor.size = "1 MB")
  expect_identical(operation_words(words, cells), c("RSA encryption: 1024-bit key, 1 MB", "load: 1 MB"))
})

test_that("a protocol is described by what a fork does under it", {
  describe <- function(...) describe_protocol(list(...))
  expect_identical(describe(mode = "single-shot", warmup = 0, iterations = 100), "100 single calls, every call counts")
  expect_identical(
    describe(mode = "average-time", warmup = "steady-state", iterations = 20, iteration_ms = 100),
    "20 iterations of 100 ms, warm-up found in the data"
  )
  expect_identical(
    describe(mode = "programme", warmup = 0, iterations = 1, least_ms = 250, least_times = 5),
    "one JVM for all operations, each for at least 250 ms and 5 times"
  )
})

# Figures.

expect_well_formed <- function(figures) {
  for (figure in figures) {
    expect_true(all(nzchar(c(figure$id, figure$title, figure$caption, figure$alt))))
    expect_true(figure$height_mm <= page_height_mm && figure$width_mm <= page_width_mm)
    dir <- new_folder()
    write_svg(figure, dir)
    expect_gt(file.size(file.path(dir, figure$file)), 500)
  }
  expect_identical(anyDuplicated(vapply(figures, function(figure) figure$file, "")), 0L)
}

test_that("figures are whole, have alternative texts, and every number drawn is its row's", {
  skip_if_not_installed("ggplot2")
  data <- report_example()
  figures <- draw_figures(report_figures(), data)
  ids <- vapply(figures, function(figure) figure$id, "")
  expect_true(all(c("forest-phenry2014", "iterations", "pauses") %in% ids))
  expect_well_formed(figures)
  expect_rows_drawn(figures, data)
  data$verdicts[, estimate := 1.001 * estimate]
  expect_gt(sum(!drawn_checks(figures, data)), 0)
})

test_that("a study's own figure is drawn with this run's numbers as dots", {
  skip_if_not_installed("ggplot2")
  data <- redrawn_example()
  figures <- figure_redrawn(data)
  expect_gt(length(figures), 1)
  expect_lte(max(table(vapply(figures, function(figure) figure$section, ""))), 1)
  figures <- draw_figures(list(redrawn = function(data) figures), data)
  expect_well_formed(figures)
  expect_rows_drawn(figures, data)
})

test_that("a provider has the same colour in every figure", {
  data <- provider_example()
  colours <- provider_colours(data)
  expect_identical(colours[c("quick", "slow")], provider_colours(data, "slow")[c("quick", "slow")])
  expect_identical(anyDuplicated(colours), 0L)
  picture <- list(series = list(by = "provider", levels = list(Slow = "slow")))
  picture$rows <- data.table(series = factor("Slow"))
  expect_identical(series_colours(picture, data), c(Slow = colours[["slow"]]))
})

test_that("a legend of providers with long names has more rows", {
  data <- provider_example()
  rows <- function() scale_provider(data, c("quick", "slow"))$guide$params$nrow
  expect_identical(rows(), 1)
  data$words$provider$slow <- strrep("slow ", 30)
  expect_identical(rows(), 2)
})

test_that("without data there is no figure, no row and no sentence with a number", {
  data <- example_data(example_definitions, function(dir) NULL)
  expect_length(draw_figures(report_figures(), data), 0)
  tables <- lapply(report_tables(), function(part) part(data))
  expect_match(paste(tables$meta$warnings, collapse = " "), "No benchmark has been measured.", fixed = TRUE)
  expect_length(tables$changes, 0)
  expect_length(tables$choose$rows, 0)
})

test_that("a run that compares few providers shows the project's own run too, without ids of its own", {
  data <- report_example()
  own <- own_choice("a-17")
  rounds <- data.table(environment = "a-17", machine_id = "of another", started_at = "2026-11-27T10:00:00Z")
  shown <- function(today) {
    table_choose(c(data, list(own_results = list(today = list(today = today, rounds = rounds)))))$reference
  }
  found <- shown(own)
  expect_match(found$words, "own run of 2026-11-27 on another machine", fixed = TRUE)
  cells <- found$rows[[1]]$cells
  expect_setequal(vapply(cells, `[[`, "", "text"), c("4100\u00a0MB/s", "2.00\u00d7"))
  expect_identical(vapply(cells, `[[`, "", "id"), c("", ""))
  expect_null(shown(own[0]))
  expect_null(shown(copy(own)[rank == 1, warm_up_state := "unproven"]))
  expect_null(table_choose(data)$reference)
})

test_that("a place names its machine or its image where its environment has several, and only there", {
  rows <- data.table(
    environment = c("a", "a", "b", "c", "c", "kit-1", "kit-2"),
    image_id = paste0("sha256:", c("11", "11", "22", "33", "44", "", "")),
    machine_id = c("m1", "m2", "m2", "m1", "m1", "m3", "m4")
  )
  labels <- c(a = "A", b = "B", c = "C", "kit-1" = "Windows", "kit-2" = "Windows")
  known <- lapply(names(labels), function(id) list(id = id, label = labels[[id]]))
  data <- list(environments = known, rounds = rows, forks = rows, cells = rows)
  expect_identical(find_places(data)$label, c(
    "A, machine m1", "A, machine m2", "B", "C, image 33", "C, image 44", "Windows, machine m3", "Windows, machine m4"
  ))
})
