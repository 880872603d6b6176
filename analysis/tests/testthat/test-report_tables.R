make_tables <- function(data) {
  parts <- load_parts(file.path(analysis_dir, "tables"), "table")
  lapply(parts, function(part) part(data))
}

test_that("the claims' table quotes the reference environment, the first of the definitions, and marks every other", {
  claims <- make_tables(report_example())$claims
  expect_identical(claims$reference, "B, JDK 21")
  first <- claims$claims[[1]]$variants[[1]]
  expect_identical(first$variant, "rsa-bits 1024")
  expect_identical(vapply(first$verdicts, function(x) x$verdict, ""), c("supported", "refuted"))
  expect_identical(first$verdicts[[1]]$place, "B, JDK 21")
  expect_length(first$verdicts[[1]]$marks[[1]]$marks, 2)
  expect_match(first$verdicts[[1]]$id, "^v[0-9]+$")
})

test_that("a claim that can't be tested stands in a list of its own with the reason", {
  claims <- make_tables(report_example())$claims
  expect_identical(vapply(claims$untestable, function(x) x$id, ""), "P5")
  expect_identical(claims$untestable[[1]]$reason, "no TLS workload")
})

test_that("a verdict that the protocol turns is said to be turned", {
  study <- make_tables(report_example())$studies[[1]]
  expect_match(study$differences[[1]]$text, "The protocol makes the difference: as-published supported, modern refuted")
  expect_match(paste(make_tables(report_example())$meta$opening, collapse = " "), "protocol changes the verdict on P1")
})

test_that("rows of the cells' table lead back to the rows of cells.csv", {
  data <- report_example()
  for (group in make_tables(data)$studies[[1]]$cells) {
    for (row in group$rows) {
      number <- as.integer(row$row)
      source <- data$cells[number]
      expect_identical(c(as.character(source$label), source$protocol), c(group$label, row$protocol))
    }
  }
})

test_that("cells are named by what differs between them, and the rest is said once", {
  data <- report_example()
  expect_identical(levels(data$cells$label), c("rsa-encrypt 1024", "rsa-encrypt 2048", "des-encrypt"))
  expect_identical(describe_common(data$cells), "provider sunjce and CPU profile native")
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
  expect_length(tables$claims$claims, 0)
  expect_length(tables$claims$untestable, 2)
})
