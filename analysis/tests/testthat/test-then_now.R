# The table of then and now.
printed_row <- function(study_id, name) {
  published_values(file.path(dirname(analysis_dir), "data", "published"))[study == study_id & quantity == name]
}

test_that("a printed number is told as the study said it", {
  words <- function(...) printed_words(printed_row(...))
  expect_identical(words("phenry2014", "gain of pooling, far away"), "about 30 %")
  expect_identical(words("ibm-jsse", "server CPU saved by caching, software, in points"), "30 to 35 %")
  expect_identical(words("ibm-jsse", "client CPU added by client authentication, software"), "at least 40 %")
  expect_match(words("ibm-jsse", "throughput between cipher suites"), "close")
  expect_match(words("phenry2014", "des-encrypt"), "731.335 \u00b157.101 ns/op", fixed = TRUE)
})

test_that("a study is cited with its year where it gives one", {
  study <- list(authors = "N. N.", where = "here")
  expect_identical(cite_words(study), "N. N., here.")
  expect_identical(cite_words(c(study, year = 2001L)), "N. N. (2001), here.")
})

test_that("a printed time has ours beside it in its unit, per key length and protocol, from rows of the tables", {
  data <- redrawn_example()
  pictures <- study_pictures(data, "phenry2014")$pictures
  printed <- printed_row("phenry2014", "rsa-encrypt")
  row <- then_now_row(printed, data, "phenry2014", pictures, c("as-published", "steady-state"))
  expect_identical(row$then, "203\u00a0\u00b5s, printed 203\u202f438.819 \u00b12428.467 ns/op")
  warmed_up <- row$now[[2]]
  expect_length(warmed_up, 2)
  expect_match(warmed_up[[1]]$text, "^RSA encrypt, 1024 bits: [0-9.\u202f]+ \u00b5s \\[")
  cell <- data$cells[as.integer(warmed_up[[1]]$id)]
  expect_identical(c(cell$workload, cell$protocol, cell$`factor.rsa-bits`), c("rsa-encrypt", "steady-state", "1024"))
  expect_match(warmed_up[[1]]$text, format_fixed(cell$mean_ns / 1e3, 0), fixed = TRUE)
})

test_that("a utilisation is told in per cent of ours as of theirs", {
  data <- redrawn_example()
  pictures <- study_pictures(data, "ibm-jsse")$pictures
  row <- printed_row("ibm-jsse", "server CPU, cached, hardware, RC4-128")
  lines <- then_now_row(row, data, "ibm-jsse-suites", pictures, "steady-state")$now[[1]]
  expect_length(lines, 1)
  own <- data$observed_means[observed_id == lines[[1]]$id]
  expect_identical(own$measure, "server-utilisation")
  expect_match(lines[[1]]$text, paste0("RC4-128: ", substr(format_fixed(100 * own$mean, 0), 1, 2)), fixed = TRUE)
})

test_that("what was judged stands beside words, with the verdict; many variants are counted", {
  data <- report_example()
  row <- printed_row("phenry2014", "ratio of RSA to DES, encryption")
  now <- then_now_row(row, data, "phenry2014", list(), c("as-published", "steady-state"))$now
  expect_identical(now[[2]][[1]]$verdict, "refuted")
  expect_match(now[[2]][[1]]$text, "P1, rsa-bits 1024: 400 [390, 410]", fixed = TRUE)
  many <- data$verdicts[protocol == "steady-state" & environment == "b-21"][rep(1, 6)]
  many[, `:=`(variant = paste0("size=", 1:6), verdict_id = paste0("x", 1:6))]
  many[1, verdict := "supported"]
  data$verdicts <- many
  counted <- then_now_row(row, data, "phenry2014", list(), "steady-state")$now[[1]]
  expect_setequal(vapply(counted, function(line) line$text, ""), c("P1: 1 of 6", "P1: 5 of 6"))
})

test_that("a claim that names its own number stands beside that, and parts beside the row of their claim", {
  data <- report_example()
  claim <- data$experiments$phenry2014$claims$P1
  gain <- printed_row("phenry2014", "ratio of RSA to DES, encryption")
  expect_identical(claims_of_row(gain, data, "phenry2014"), "P1")
  data$experiments$phenry2014$claims <- list(P7a = claim, P7b = claim, P1 = claim)
  row <- printed_row("phenry2014", "gain of pooling, far away")
  expect_identical(claims_of_row(row, data, "phenry2014"), c("P7a", "P7b"))
  # The part with a number of its own is not told again beside the row that the other part answers.
  data$experiments$phenry2014$claims$P7a$published$quantity <- row$quantity
  data$experiments$phenry2014$claims$P7b$published <- list(words = "didn't greatly improve", stands_for = 1.05)
  nearby <- printed_row("phenry2014", "gain of pooling, nearby")
  expect_identical(claims_of_row(row, data, "phenry2014"), "P7a")
  expect_identical(claims_of_row(nearby, data, "phenry2014"), "P7b")
})

test_that("a number that a claim of the study's other experiment names is that claim's alone", {
  data <- report_example()
  claim <- data$experiments$phenry2014$claims$P1
  data$experiments$phenry2014$claims <- list(P7a = claim)
  data$experiments$other <- data$experiments$phenry2014
  far <- printed_row("phenry2014", "gain of pooling, far away")
  claim$published$quantity <- far$quantity
  data$experiments$other$claims <- list(P7c = claim)
  expect_identical(claims_of_row(far, data, c("phenry2014", "other")), "P7c")
})

test_that("every study of the run has its section, its systems and what can't be had among them", {
  table <- table_part("then_now")(redrawn_example())
  ids <- vapply(table$studies, function(study) study$id, "")
  expect_identical(ids, c("phenry2014", "kofahi2013", "chromiak", "ibm-jsse", "stegerer2008"))
  expect_identical(vapply(table$others, function(one) one$id, ""), "mine")
  ibm <- table$studies[[4]]
  expect_match(ibm$tables[[1]]$title, "tables 7 and 8")
  expect_identical(unlist(ibm$tables[[1]]$head[-1]), c("log-ons/s", "client, %", "server, %"))
  rows <- unlist(ibm$tables[[1]]$groups)
  expect_match(paste(rows, collapse = " "), "printed: about 16", fixed = TRUE)
  gone <- Filter(function(row) row$system == "IAIK-JCE", table$studies[[5]]$systems)[[1]]
  expect_identical(gone$now, "not available")
  expect_match(table$studies[[2]]$left_out, "for the study's figures 9 and 12", fixed = TRUE)
})

test_that("a panel of which the run has nothing is no group of the redrawn table", {
  table <- table_part("then_now")(redrawn_example(function(cells) cells[cells$cpu_profile == "native", ]))
  ibm <- Filter(function(study) study$id == "ibm-jsse", table$studies)[[1]]
  groups <- ibm$tables[[1]]$groups
  expect_gt(length(groups), 0)
  expect_true(all(lengths(lapply(groups, `[[`, "rows")) > 0))
})
