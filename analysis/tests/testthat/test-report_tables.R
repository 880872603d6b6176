make_tables <- function(data) {
  parts <- report_tables()
  lapply(parts, function(part) part(data))
}

# The lines of the first page: those of studies, then those of experiments of none.
front_lines <- function(tables) lapply(c(tables$then_now$studies, tables$then_now$others), `[[`, "front")
marks_of <- function(tables) {
  lines <- unlist(lapply(front_lines(tables), `[[`, "strip"), FALSE)
  data.table::rbindlist(lapply(lines, function(line) {
    if (length(line$marks) == 0) return(NULL)
    data.table::rbindlist(line$marks)[, protocol := line$protocol]
  }))
}

test_that("a verdict is quoted from the reference environment, the first of the definitions", {
  data <- report_example()
  expect_identical(reference_place(data), "B, JDK 21")
  quoted <- quoted_verdicts(data)
  expect_identical(quoted$verdict, c("supported", "refuted"))
  expect_identical(as.character(quoted$place), rep("B, JDK 21", 2))
  expect_match(quoted$verdict_id, "^v[0-9]+$")
})

test_that("the report is told where the run's own files lie", {
  expect_identical(make_tables(report_example())$meta$kept$tidy, "data/tidy")
  elsewhere <- list(raw = "results/raw", tidy = "results/tidy", report = "results/report.html")
  definitions <- utils::modifyList(example_definitions, list(kept = elsewhere))
  expect_identical(make_tables(report_example(definitions = definitions))$meta$kept, elsewhere)
})

test_that("a claim that can't be tested stands in a list of its own with the reason", {
  untestable <- make_tables(report_example())$untestable
  expect_identical(vapply(untestable, function(x) x$id, ""), "P5")
  expect_identical(untestable[[1]]$reason, "no TLS workload")
})

test_that("a cell has one row for a place, with its mean under each protocol, and its row of cells.csv", {
  data <- report_example()
  data$cells[1, forks_no_steady := 2]
  rows <- make_tables(data)$studies[[1]]$cells
  expect_identical(anyDuplicated(vapply(rows, function(row) paste(row$label, row$place), "")), 0L)
  printed <- rbindlist(lapply(rows, function(row) rbindlist(lapply(row$cells, as.data.table))))
  expect_setequal(printed$row, as.character(cells_of(data, "phenry2014")$row))
  expect_identical(printed[row == "1"]$forks, paste0(data$cells$forks[1], " (2)"))
})

test_that("a variant leaves out what is the same in all cells, and keeps what is not", {
  data <- report_example()
  data$cells[, `:=`("factor.mode" = "ECB", "factor.size" = rep_len(c("1 KB", "2 KB"), .N))]
  variants <- c("size=1 KB, mode=ECB", "mode=ECB", NA, "unknown=1")
  expect_identical(variant_words(data, "phenry2014", variants), c("size 1 KB", "", "", "unknown 1"))
})

test_that("where a study's text and its table differ, the claim says both", {
  data <- report_example()
  told <- make_tables(data)$studies[[1]]$own_tables
  expect_identical(vapply(told, function(one) one$claim, ""), "P1")
  expect_match(told[[1]]$text, "The study says about 1000; its own table gives 278", fixed = TRUE)
  data$published_ratios <- data$published_ratios[0]
  expect_length(make_tables(data)$studies[[1]]$own_tables, 0)
})

test_that("a verdict that the protocol turns is said to be turned", {
  changes <- protocol_changes(report_example(), "phenry2014")
  expect_match(changes$turned[[1]]$text, "The protocol makes the difference: as-published supported, steady-state refuted")
  expect_match(paste(make_tables(report_example())$meta$opening, collapse = " "), "protocol changes the verdict on P1")
})

test_that("a run of one protocol has no column of the other, and does not say what the protocol changes", {
  data <- report_example()
  expect_setequal(make_tables(data)$then_now$studies[[1]]$protocols, c("as-published", "steady-state"))
  data$cells <- data$cells[protocol == "as-published"]
  study <- make_tables(data)$then_now$studies[[1]]
  expect_identical(study$protocols, list("as-published"))
  expect_identical(study$protocol$turned, list())
  expect_match(study$protocol$summary, "^This run measured the protocol as-published only")
  expect_identical(unique(lengths(lapply(study$rows, `[[`, "now"))), 1L)
})

test_that("rows of the cells' table lead back to the rows of cells.csv", {
  data <- report_example()
  for (group in make_tables(data)$studies[[1]]$cells) {
    for (cell in group$cells) {
      number <- as.integer(cell$row)
      source <- data$cells[number]
      told <- c(as.character(source$label), as.character(source$place), source$protocol)
      expect_identical(told, c(group$label, group$place, cell$protocol))
    }
  }
})

test_that("cells are named by what differs between them, and the rest is said once", {
  data <- report_example()
  expect_identical(levels(data$cells$label), c("rsa-encrypt 1024", "rsa-encrypt 2048", "des-encrypt"))
  expect_identical(describe_common(data$cells), "provider sunjce and CPU profile native")
  data$cells[`factor.rsa-bits` == "2048", `factor.rsa-bits` := "1024"]
  expect_match(describe_common(data$cells), "^rsa-bits 1024 \\(rsa-encrypt\\), provider sunjce")
})

test_that("images of one environment are kept apart", {
  data <- report_example()
  data$rounds[1, image_id := "sha256:fffffffffffffff"]
  places <- find_places(data)
  expect_identical(nrow(places), 3L)
  expect_match(places[environment == "a-17"]$label[1], "image a-17, machine m1")
})

test_that("smoke tier and engine host are told loudly", {
  data <- report_example()
  data$settings$tier <- "smoke"
  data$rounds[, engine := "host"]
  expect_match(paste(make_tables(data)$meta$warnings, collapse = " "), "Smoke tier.*Engine host")
})

test_that("a setting that was not given is none of those of the run", {
  data <- report_example()
  data$settings <- c(data$settings, list(cpu_profiles = list(), nodes = list("a", "b")))
  said <- make_tables(data)$meta$settings
  expect_false("cpu profiles" %in% vapply(said, `[[`, "", "key"))
  expect_identical(Filter(function(row) row$key == "nodes", said)[[1]]$value, "a, b")
})

test_that("gates that broke much are told loudly", {
  data <- report_example()
  data$forks[, `:=`(valid = FALSE, invalid_cause = "spin_ratio")]
  said <- paste(make_tables(data)$meta$warnings, collapse = " ")
  expect_match(said, "Gates broke 36 forks of 36 (spin ratio 36); none were measured again.", fixed = TRUE)
  expect_match(said, "quieter machine")
})

test_that("the document's date is that of the newest round, without a clock", {
  newest <- as.numeric(as.POSIXct("2026-01-02 03:05:05", tz = "UTC"))
  expect_identical(make_tables(report_example())$meta$timestamp, newest)
  expect_identical(make_tables(report_example(empty = TRUE))$meta$timestamp, 0)
})

test_that("an audit is flattened, and null is told as not exposed", {
  flat <- flatten_json(jsonlite::fromJSON('{"a":{"b":null,"c":[1,2]},"d":[]}', simplifyVector = FALSE))
  expect_identical(flat, c(a.b = NA, a.c = "1, 2", d = "none"))
  data <- report_example()
  dir.create(file.path(data$raw, data$rounds$path[1]), recursive = TRUE)
  audit <- '{"host":{"cpu_model":"X","governor":null},"container":{"CapAdd":null}}'
  writeLines(audit, file.path(data$raw, data$rounds$path[1], "audit.json"))
  rows <- make_tables(data)$machine[[1]]$rows
  expect_identical(vapply(rows, function(x) x$value, ""), c("X", "not exposed", "none"))
})

test_that("empty tables make every table, and the report says that nothing was measured", {
  tables <- make_tables(report_example(empty = TRUE))
  expect_match(paste(tables$meta$warnings, collapse = " "), "No cell has been measured")
  expect_length(tables$untestable, 2)
})

test_that("cells that missed the width wanted of them are listed, the worst first; nothing where none was wanted", {
  data <- report_example()
  expect_null(make_tables(data)$studies[[1]]$widths)
  data$cells[protocol == "steady-state", `:=`(wanted_half_width_pct = 1, reached = "yes", forks_wanted = 3)]
  data$cells[which(protocol == "steady-state")[1], `:=`(reached = "no", half_width_pct = 1.5, forks_wanted = 22)]
  data$cells[which(protocol == "steady-state")[2], `:=`(reached = "no", half_width_pct = 7, forks_wanted = 412)]
  widths <- make_tables(data)$studies[[1]]$widths
  expect_identical(widths$summary, "4 of 6 cells that wanted an interval of \u00b11 % reached it.")
  expect_identical(vapply(widths$rows, function(row) row$forks_wanted, ""), c("412", "22"))
})

test_that("how times moved between stages is told in a row, and what matters is marked", {
  data <- report_example()
  data$drifts <- rbind(data$drifts, data.table(
    drift_id = c("d1", "d2"), environment = "b-21", image_id = "sha256:b-21", machine_id = data$forks$machine_id[1],
    between = c("stage", "sitting"), first = 1, later = 2, cells = 24, drift = c(1.03, 0.999), lower = c(1.02, 0.99),
    upper = c(1.04, 1.008), p = c(1e-5, 0.8), marked = c(TRUE, FALSE), place = data$forks$place[1]
  ), fill = TRUE)
  found <- make_tables(data)$calibration$drifts
  expect_identical(vapply(found, `[[`, "", "of"), c("stage 2 over stage 1", "sitting 2 over sitting 1"))
  expect_identical(vapply(found, `[[`, TRUE, "marked"), c(TRUE, FALSE))
  expect_identical(found[[1]][c("id", "cells", "estimate")], list(id = "d1", cells = "24", estimate = "1.030"))
})

test_that("the calibration says what came out, on the first page too, and enters no claim", {
  data <- report_example()
  expect_match(paste(make_tables(data)$meta$sees, collapse = " "), "no calibration that could be judged")
  pair <- function(kind, ratio, lower, upper, truth = 1) {
    data.table::data.table(
      calibration_id = "k", kind = kind, experiment = "calibration", environment = "b-21", image_id = "sha256:b-21",
      machine_id = "m1", protocol = "steady-state", cpu_profile = "native", workload = "md5", provider = "sunjce",
      numerator_cell = "b", denominator_cell = "a", forks_min = 5, ratio = ratio, lower = lower, upper = upper,
      truth = truth, different = lower > 1 | upper < 1, covers_truth = lower <= truth & truth <= upper
    )
  }
  data$calibration <- rbind(
    pair("A/A", 1.01, 0.99, 1.03), pair("A/A", 1.05, 1.02, 1.08), pair("planted effect", 1.048, 1.03, 1.066, 1.05),
    pair("halves of a cell", 1.02, 1.01, 1.03), pair("A/A", NA_real_, NA_real_, NA_real_)
  )
  data$calibration[, upper_share := 1]
  data <- label_data(data)
  found <- make_tables(data)$calibration
  expect_identical(
    found$sentence,
    paste(
      "Calibration: 1 of 2 pairs that measure the same work twice is found different (1 in 20 is expected to be);",
      "the planted effect of 5 % is found (ratio 1.048 [1.030, 1.066])."
    )
  )
  expect_true(found$sentence %in% unlist(make_tables(data)$meta$sees))
  expect_identical(
    vapply(found$rows, function(row) row$outcome, ""),
    c("alike", "different", "no interval", "found, the interval holds the truth")
  )
  data$calibration <- data$calibration[1]
  expect_match(
    make_tables(data)$calibration$sentence,
    "Calibration: the pair that measures the same work twice is not found different (1 in 20", fixed = TRUE
  )
  expect_match(found$halves, "^The experiments' own cells as A/A pairs: 1 of 1 cells")
  expect_match(found$halves, "upper bound of 100 %", fixed = TRUE)
  expect_false("calibration" %in% vapply(make_tables(data)$studies, function(study) study$id, ""))
})

test_that("verdicts that would change are listed with both numbers and what it means", {
  data <- report_example()
  empty <- make_tables(data)$sensitivity
  expect_length(empty$analyses, 0)
  expect_identical(empty$gates, "No gate broke a fork.")
  data$sensitivity <- data.table::data.table(
    verdict_id = c("v1", "v2", "v3"), analysis = "all forks", verdict = c("refuted", "undecided", "undecided"),
    data$verdicts[match(c("v1", "v2", "v3"), verdict_id), .(
      experiment, claim, variant, protocol, cpu_profile, place
    )],
    estimate = 410, lower = 400, upper = 420, forks_min = c(5, 3, 5), p_holm = 0.2, changes = c(TRUE, TRUE, FALSE)
  )
  data$verdicts[, verdict := c("supported", "refuted", "undecided", "undecided")]
  data$forks[1:2, `:=`(valid = FALSE, invalid_cause = c("steal", "steal;spin"))]
  data$forks[3, rerun_of := 1]
  data$forks[, iterations_paused := ifelse(protocol == "steady-state", 4, 1)]
  found <- make_tables(data)$sensitivity
  expect_identical(found$analyses[[1]]$summary, "2 of 3 verdicts would change.")
  expect_identical(
    vapply(found$analyses[[1]]$rows, function(row) row$why, ""), c("the opposite", "too few forks are left")
  )
  expect_match(found$analyses[[1]]$rows[[1]]$other_estimate, "410 [400, 420]", fixed = TRUE)
  expect_match(found$gates, "Gates broke 2 forks of 36 (steal 2 and spin 1); 1 was measured again.", fixed = TRUE)
  warmed_up <- Filter(function(row) row$protocol == "steady-state", found$hit)[[1]]
  expect_identical(c(warmed_up$paused, warmed_up$iterations, warmed_up$blind), c("36", "36", "9"))
})

test_that("what was measured of the statistics stands in groups, each with words for it", {
  found <- make_tables(report_example())$validity
  expect_gt(length(found$groups), 5)
  for (group in found$groups) expect_true(nzchar(group$words))
})

test_that("every property that is measured has words for the reader", {
  files <- list.files(file.path(analysis_dir, "R"), "^validity_.*\\.R$", full.names = TRUE)
  code <- paste(unlist(lapply(files, readLines)), collapse = "\n")
  calls <- regmatches(code, gregexpr("validity_row\\(\\s*\"[^\"]+\"", code))[[1]]
  properties <- unique(sub(".*\"([^\"]+)\"$", "\\1", calls))
  expect_gt(length(properties), 5)
  expect_identical(setdiff(properties, names(property_words)), character())
})

# The example with a second experiment of the study, measured elsewhere alone, that judges the claim which the first
# can't.
two_experiments <- function() {
  data <- report_example()
  other <- utils::modifyList(data$experiments$phenry2014, list(id = "phenry2014-tls", claims = list(P1 = NULL)))
  other$claims$P5 <- list(text = "TLS is as fast as HTTP", form = "same")
  data$experiments[["phenry2014-tls"]] <- other
  own <- data.table::copy(data$verdicts[as.character(place) == "A, JDK 17"])
  own[, `:=`(experiment = "phenry2014-tls", claim = "P5", variant = "", verdict_id = paste0("w", .I))]
  data$verdicts <- rbind(data$verdicts, own)
  data
}

test_that("the first page counts the rows that it prints, also those from outside the reference environment", {
  for (data in list(report_example(), two_experiments(), matrix_example())) {
    tables <- make_tables(data)
    opening <- unlist(tables$meta$opening)
    shown <- marks_of(tables)
    expect_gt(nrow(shown), 0)
    for (name in unique(shown$protocol)) {
      said <- grep(paste("^Under the protocol", name), opening, value = TRUE)
      told <- vapply(c("supported", "refuted", "undecided"), function(word) {
        as.integer(sub(paste0(".* (\\d+) ", word, ".*"), "\\1", said))
      }, 0L)
      expect_identical(told, vapply(names(told), function(word) sum(shown[protocol == name]$verdict == word), 0L))
    }
    listed <- Filter(function(claim) !claim$elsewhere, tables$untestable)
    left <- grep("^Not testable here", unlist(tables$meta$sees), value = TRUE)
    left <- sub("^Not testable here: (.*)\\.$", "\\1", left)
    expect_setequal(as.character(vapply(listed, `[[`, "", "id")), as.character(unlist(strsplit(left, ", | and "))))
  }
})

test_that("a claim that one experiment can't test and another of the same study judges counts once, as judged", {
  tables <- make_tables(two_experiments())
  expect_match(paste(tables$meta$opening, collapse = " "), "judges 2 claims of 1 study", fixed = TRUE)
  expect_no_match(paste(tables$meta$sees, collapse = " "), "Not testable here")
  expect_true(tables$untestable[[1]]$elsewhere)
})

test_that("what verdicts cover is there for each of a claim's variants: the page tells it with the first", {
  data <- report_example()
  data$verdicts <- rbind(data$verdicts, data.table::copy(data$verdicts)[, `:=`(
    variant = "size=1 MB", verdict_id = paste0("w", .I)
  )])[, covers := "at 1 MB alone"]
  groups <- make_tables(data)$studies[[1]]$verdicts
  claims <- vapply(groups, `[[`, "", "claim")
  expect_true(any(duplicated(claims)))
  expect_identical(unique(vapply(groups, `[[`, "", "covers")), "at 1 MB alone")
})

test_that("an experiment that claims nothing stands beside one that does", {
  data <- report_example()
  silent <- data$experiments$phenry2014
  silent$claims <- NULL
  data$experiments$silent <- utils::modifyList(silent, list(id = "silent", study = list(id = "silent")))
  expect_identical(make_tables(data)$meta$opening, make_tables(report_example())$meta$opening)
})

test_that("what did not vary between forks has no interval and no p value", {
  data <- report_example()
  data$verdicts[, `:=`(estimate = 2.28, lower = 2.28, upper = 2.28, p = 0, p_holm = 0)]
  shown <- make_tables(data)$studies[[1]]$verdicts[[1]]$rows[[1]]
  expect_identical(c(shown$estimate, shown$interval), c("2.28", "(the same in every fork)"))
  expect_identical(c(shown$p, shown$p_holm), c(dash, dash))
})

test_that("what was counted has no interval, but how many visits were as claimed", {
  data <- report_example()
  data$verdicts[, `:=`(estimate = 1, contrasts = 6)][, c("lower", "upper", "p", "p_holm") := NA_real_]
  shown <- make_tables(data)$studies[[1]]$verdicts[[1]]$rows[[1]]
  expect_identical(c(shown$estimate, shown$interval, shown$p), c("6 of 6 visits", "", dash))
})

test_that("only opposite verdicts are changed ones; the rest is how sure they are", {
  data <- report_example()
  data$verdicts[protocol == "steady-state", verdict := "undecided"]
  expect_match(paste(make_tables(data)$meta$opening, collapse = " "), "protocol changes how sure the verdict is on P1.")
})

test_that("the first page has a mark for each claim of a study, whatever its parts, variants and experiments", {
  data <- two_experiments()
  data$experiments[["phenry2014-tls"]]$claims <- list(
    P5a = list(text = "one part", form = "same"), P5b = list(text = "the other", form = "same")
  )
  data$experiments$phenry2014$claims$P5 <- NULL
  parts <- data$verdicts[experiment == "phenry2014-tls"][, claim := "P5a"]
  second <- data.table::copy(parts)[, `:=`(claim = "P5b", verdict_id = paste0(verdict_id, "b"))]
  rolled <- function(one, other) {
    mine <- rbind(data.table::copy(parts)[, verdict := one], data.table::copy(second)[, verdict := other])
    data$verdicts <- rbind(data$verdicts[experiment == "phenry2014"], mine)
    marks <- marks_of(make_tables(data))
    expect_identical(unique(marks$id), c("P1", "P5"))
    marks[id == "P5" & protocol == "steady-state"]$verdict
  }
  expect_identical(rolled("supported", "supported"), "supported")
  expect_identical(rolled("supported", "refuted"), "refuted")
  expect_identical(rolled("supported", "undecided"), "undecided")
  expect_identical(rolled("supported", "not comparable"), "supported")
})

test_that("one verdict is rolled up from several: what could not be judged counts only where nothing could", {
  expect_identical(rolled_up(c("supported", "not testable here")), "supported")
  expect_identical(rolled_up(c("not comparable", "not testable here")), "not comparable")
  expect_identical(rolled_up("not testable here"), "not testable here")
  expect_identical(rolled_up(c("undecided", "refuted", "supported")), "refuted")
})

test_that("a protocol that the tier shortens is called so wherever it is named", {
  definitions <- example_definitions
  definitions$experiments[[1]]$protocols[["as-published"]]$shortened <- TRUE
  definitions$experiments[[1]]$protocols$`steady-state`$shortened <- TRUE
  data <- report_example(definitions = definitions)
  expect_setequal(unique(data$cells$protocol), c("as-published, shortened", "steady-state"))
  expect_setequal(unique(data$verdicts$protocol), c("as-published, shortened", "steady-state"))
  tables <- make_tables(data)
  expect_identical(tables$studies[[1]]$protocols[[1]]$name, "as-published, shortened")
  expect_identical(marks_of(tables)$verdict, c("supported", "refuted"))
  expect_match(paste(tables$meta$opening, collapse = " "), "Under the protocol as-published: 1 supported")
})

test_that("the waits of pilots are told, longest first, and those of which only a part is known by that part", {
  data <- report_example()
  expect_match(make_tables(data)$waits$sentence, "make pilots")
  cells <- unique(data$forks[protocol == "steady-state" & environment == "b-21", cell_keys, with = FALSE])
  expect_gte(nrow(cells), 3)
  data$pilots <- rbind(data$pilots, cells[1:3][, `:=`(
    kind = "pilot", iterations = 60, operations = 800, settled = c("proved", "not proved", "proved"),
    first_ns = 9e6, mean_ns = 1e6, wait_calls = c(12, NA, 700), wait_s = c(0.2, NA, 12.3)
  )], fill = TRUE)
  data <- label_data(data)
  found <- make_tables(data)$waits
  expect_match(found$sentence, "Of 3 pilots, 1 had .* more than a second, 1 after more than ten, and 1 not at its end.")
  expect_identical(vapply(found$rows, function(row) row$seconds, ""), c("over 60", "12", "0.20"))
  expect_identical(vapply(found$rows, function(row) row$calls, ""), c("over 800", "700", "12"))
  expect_identical(found$others, "")
})

test_that("pilots beyond the table are counted, those among them that were not compiled at their end apart", {
  data <- report_example()
  cell <- unique(data$forks[protocol == "steady-state" & environment == "b-21", cell_keys, with = FALSE])[1]
  waits <- c(rep(30, 19), 2, 3) # the table has 20 rows
  data$pilots <- rbind(data$pilots, cell[rep(1, length(waits) + 2)][, `:=`(
    kind = "pilot", iterations = c(rep(60, length(waits)), 60, 22), operations = 800, settled = "proved",
    first_ns = 9e6, mean_ns = 1e6, wait_calls = c(waits, NA, NA), wait_s = c(waits, NA, NA)
  )], fill = TRUE)
  found <- make_tables(label_data(data))$waits
  expect_identical(vapply(found$rows, function(row) row$seconds, "")[1:2], c("over 60", "30"))
  expect_match(found$others, "^Of 3 further pilots 2 had all compiled sooner, and 1 not at the end, after as many")
})
