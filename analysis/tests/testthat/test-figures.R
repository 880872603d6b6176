skip_if_not_installed("ggplot2")

draw <- function(data) draw_figures(report_figures(), data)

expect_well_formed <- function(figures) {
  for (figure in figures) {
    promised <- c("id", "section", "title", "caption", "alt", "plot", "width_mm", "height_mm", "file")
    expect_true(all(promised %in% names(figure)))
    expect_true(all(nzchar(c(figure$id, figure$title, figure$caption, figure$alt))))
    expect_true(figure$height_mm <= page_height_mm && figure$width_mm <= page_width_mm)
    dir <- tempfile("figure")
    dir.create(dir)
    write_svg(figure, dir)
    expect_gt(file.size(file.path(dir, figure$file)), 500)
  }
  expect_identical(anyDuplicated(vapply(figures, function(figure) figure$file, "")), 0L)
}

test_that("every figure file gives whole figures that can be drawn, with an alternative text", {
  figures <- draw(report_example())
  expect_well_formed(figures)
  kinds <- unique(sub("-.*", "", vapply(figures, function(figure) figure$id, "")))
  expect_identical(setdiff(kinds, names(report_figures())), character())
  # Others draw what the example didn't observe (test-figures_observed.R).
  drawn <- c("front", "matrix", "iterations", "pauses")
  expect_identical(setdiff(drawn, kinds), character())
})

test_that("every number drawn is its row's, providers', native code's and a load's too", {
  data <- report_example()
  expect_rows_drawn(draw(data), data)
  served <- provider_example()
  figures <- draw(served)
  kinds <- unique(sub("-.*", "", vapply(figures, function(figure) figure$id, "")))
  expect_true(all(c("load", "iterations") %in% kinds))
  expect_rows_drawn(figures, served)
})

test_that("the check of what is drawn finds a number that is not its row's", {
  data <- report_example()
  figures <- draw(data)
  expect_true(all(drawn_checks(figures, data)))
  data$contrasts[, ratio := 1.001 * ratio]
  expect_gt(sum(!drawn_checks(figures, data)), 0)
  data <- report_example()
  data$ratios[, ratio := 1.001 * ratio]
  expect_gt(sum(!drawn_checks(figures, data)), 0)
})

test_that("without data every figure says so in words", {
  figures <- draw(report_example(empty = TRUE))
  expect_well_formed(figures)
  for (figure in figures) expect_match(figure$caption, "^No ")
})

test_that("many cells are spread over pages that each fit", {
  data <- report_example()
  pages <- Filter(function(figure) grepl("^iterations", figure$id), draw(data))
  expect_match(pages[[1]]$caption, "protocol steady-state, time per operation on a log axis", fixed = TRUE)
  one <- data$forks[protocol == "steady-state"][1]
  many <- data.table::rbindlist(lapply(seq_len(80), function(i) {
    data.table::copy(one)[, `:=`(label = sprintf("cell %02d", i), fork = 1000L + i)]
  }))[, label := factor(label)]
  runs <- data$iterations[one, on = c("experiment", "environment", "round", "fork"), nomatch = NULL]
  data$iterations <- data.table::rbindlist(lapply(many$fork, function(number) {
    data.table::copy(runs[, names(data$iterations), with = FALSE])[, fork := number]
  }))
  data$forks <- many
  pages <- draw_figures(report_figures()["iterations"], data)
  expect_length(pages, 2)
  expect_match(pages[[2]]$title, "2 of 2")
  expect_well_formed(pages)
})

test_that("figures are found by the names of their functions, the front page's first", {
  expect_identical(names(report_figures())[1:3], c("front", "matrix", "redrawn"))
  expect_identical(report_figures()$bytes, figure_bytes)
  expect_identical(report_tables()$meta, table_meta)
})

test_that("the first page's picture has the study's number beside ours, of statements that have one", {
  data <- report_example()
  rows <- numbers_beside(data)
  expect_gt(nrow(rows), 0)
  stated <- published_figures(data, "phenry2014", "P1")$stated
  expect_identical(rows$then, rep(stated, nrow(rows)))
  quoted <- quoted_verdicts(data)
  expect_identical(rows$estimate, quoted[rows, on = "verdict_id", x.estimate])
  expect_match(rows$label[1], "^P1 ")
  expect_identical(shorten("one two three", 8), "one two\u2026")
  expect_identical(shorten("one (all of them) two", 8), "one two")
  expect_no_match(figure_front(data)[[1]]$caption, "No mark")
  below <- data.table::copy(data)
  below$verdicts <- data.table::copy(data$verdicts)[claim == "P1" & protocol == "steady-state", estimate := -1]
  expect_match(figure_front(below)[[1]]$caption, "No mark where ours is not above 0: P1.", fixed = TRUE)
  data$verdicts <- data$verdicts[0]
  expect_identical(figure_front(data), list())
})

test_that("pauses are drawn for every environment, however many there are, and one without is named", {
  data <- report_example()
  one <- as.character(data$pauses$place[1])
  places <- sprintf("place %02d", 1:14)
  data$pauses <- data.table::rbindlist(lapply(places, function(name) {
    data.table::copy(data$pauses[place == one])[, place := name]
  }))
  data$pauses[, place := factor(place, levels = places)]
  pages <- Filter(function(figure) grepl("^pauses", figure$id), draw(data))
  expect_well_formed(pages)
  expect_length(pages, 2)
  told <- paste(vapply(pages, function(figure) figure$alt, ""), collapse = " ")
  for (name in places) expect_match(told, paste0(name, ": "), fixed = TRUE)
  expect_match(pages[[1]]$caption, "No pause was logged in B, JDK 21 and A, JDK 17")
})

test_that("no two places of a run have the same colour and shape", {
  shapes <- shapes_of
  colours <- length(place_colours)
  expect_identical(anyDuplicated(data.table::data.table(colour = (seq_len(49) - 1) %% colours, shape = shapes(49))), 0L)
  expect_identical(shapes(0), numeric())
})

test_that("a panel of iterations is named by its experiment and its cell, in lines that fit", {
  told <- panel_titles("stegerer2008-providers", c("hash", "encrypt Triple-DES bouncycastle-1.86"))
  expect_identical(told[1], "stegerer2008-\nproviders\nhash")
  expect_identical(told[2], "stegerer2008-\nproviders\nencrypt Triple-DES\nbouncycastle-1.86")
})
