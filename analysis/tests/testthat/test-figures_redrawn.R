# The studies' own figures, redrawn from made-up runs.
skip_if_not_installed("ggplot2")

redrawn <- function(data) draw_figures(report_figures()["redrawn"], data)

test_that("each kind of figure is drawn, every number is its row's, ours or printed", {
  data <- redrawn_example()
  figures <- redrawn(data)
  expect_setequal(vapply(figures, function(figure) figure$id, ""), paste0("redrawn-", c(
    "phenry2014-table", "kofahi2013-cpu-time", "kofahi2013-user-and-system", "chromiak-steps", "ibm-jsse-utilisation",
    "stegerer2008-hash"
  )))
  expect_rows_drawn(figures, data)
  for (figure in figures) {
    expect_true(nzchar(figure$alt) && figure$height_mm <= page_height_mm)
    expect_match(figure$section, "^then-")
    dir <- tempfile("figure")
    dir.create(dir)
    expect_no_warning(write_svg(figure, dir))
  }
})

test_that("user and system time stand on each other, of Linux' JVM alone and where there is a size", {
  figure <- Filter(function(figure) figure$id == "redrawn-kofahi2013-user-and-system", redrawn(redrawn_example()))[[1]]
  rows <- figure$plot$data
  expect_identical(levels(droplevels(rows$series)), c("user", "system"))
  expect_identical(unique(rows$platform), "linux")
  expect_setequal(as.character(rows$panel), sprintf("Figure %d: Linux, %s, encryption", 10:11, c("100 KB", "1 MB")))
  expect_identical(anyDuplicated(rows[, .(panel, x, series)]), 0L)
})

test_that("a printed number that is not the study's is found", {
  data <- redrawn_example()
  figures <- redrawn(data)
  data$published[quantity == "rsa-encrypt", value := 2 * value]
  expect_gt(sum(!drawn_checks(figures, data)), 0)
})

test_that("what can't be had keeps its place among the providers, and its name says so", {
  figure <- Filter(function(figure) figure$id == "redrawn-stegerer2008-hash", redrawn(redrawn_example()))[[1]]
  rows <- figure$plot$data
  expect_setequal(as.character(rows[absent == "n/a"]$series), c("FlexiProvider", "IAIK-JCE", "RSA JSafe"))
  expect_true(all(is.na(rows[absent == "n/a"]$value)))
  expect_match(figure$caption, "can't be had (FlexiProvider, IAIK-JCE and RSA JSafe)", fixed = TRUE)
  expect_match(figure$title, "figure 8", fixed = TRUE)
})

test_that("a run of nothing that a study drew has no figure of it", {
  expect_length(redrawn(redrawn_example(function(cells) cells[experiment == "mine"])), 0)
})

test_that("a cell that is not settled keeps its mark", {
  data <- redrawn_example()
  data$cells[experiment == "stegerer2008-providers", settled := "not proved"]
  figure <- Filter(function(figure) figure$id == "redrawn-stegerer2008-hash", redrawn(data))[[1]]
  expect_match(figure$caption, "not proved settled")
})

test_that("a mark stands on top of its stack, not on the part that it was found in", {
  rows <- data.table::CJ(
    panel = factor("Figure 10"), x = factor(c("AES", "DES")), series = factor(c("user", "system"))
  )
  rows[, `:=`(split = "", value = as.double(1:4), mark = c("", "*", "", ""))]
  plot <- plot_stacked(list(kind = "stacked", unit = "time", wide = 3, rows = rows, series = list(levels = list())))
  parts <- data.table::as.data.table(ggplot2::layer_data(plot, 1))
  marks <- data.table::as.data.table(ggplot2::layer_data(plot, 2))
  expect_identical(marks$label, c("*", ""))
  expect_identical(marks$y, c(3, 7))
  expect_identical(marks$y, parts[, max(ymax), by = x]$V1)
})

test_that("a picture takes half of the page where its panels have room in that, and all of it where they have not", {
  picture <- function(places, series, panels) {
    names <- sprintf("Figure %d", seq_len(panels))
    rows <- data.table::CJ(
      panel = factor(names), x = factor(seq_len(places)), series = factor(letters[seq_len(series)])
    )
    list(kind = "bars", wide = 3, rows = rows[, split := ""], series = list(levels = list()))
  }
  expect_identical(picture_width(picture(4, 3, 1)), half_width_mm)
  expect_identical(picture_width(picture(2, 2, 2)), half_width_mm)
  expect_identical(picture_width(picture(9, 3, 1)), page_width_mm)
  expect_identical(picture_width(picture(4, 3, 3)), page_width_mm)
})

test_that("the first of slanted labels has room to the left, the more the longer it is and the narrower its place", {
  picture <- function(first, panels = 1) {
    places <- c(first, letters[2:6])
    rows <- data.table::CJ(
      panel = factor(sprintf("Figure %d", seq_len(panels))), x = factor(places, levels = places), series = factor("s")
    )
    list(kind = "dots", unit = "time", wide = 3, rows = rows[, split := ""], series = list(levels = list()))
  }
  expect_identical(slant_room(picture("a")), 0)
  long <- "RSA decrypt, 1024 bits of a key"
  expect_gt(slant_room(picture(paste(" ", long))), slant_room(picture(long)))
  expect_gt(slant_room(picture(long, 3)), slant_room(picture(long)))
})

test_that("a part that a panel lacks is no empty panel; whole grids keep their rows and columns", {
  picture <- function(parts) {
    rows <- data.table::CJ(x = factor("AES"), series = factor(c("a", "b")), part = parts)
    rows[, c("panel", "split") := data.table::tstrsplit(part, " ")]
    rows[, `:=`(panel = factor(panel), split = factor(split), part = NULL)]
    list(kind = "bars", unit = "time", wide = 3, rows = rows, split = "level", series = list(levels = list()))
  }
  panels <- function(picture) {
    plot <- ggplot2::ggplot(picture$rows, ggplot2::aes(x, 1)) + ggplot2::geom_col() + panel_facets(picture)
    nrow(ggplot2::ggplot_build(plot)$layout$layout)
  }
  lacking <- picture(c("7 3", "8 0", "8 1", "8 3"))
  expect_identical(c(panels(lacking), panels_wide(lacking), panel_rows_mm(lacking)), c(4, 2, 88))
  whole <- picture(c("7 0", "7 3", "8 0", "8 3"))
  expect_identical(c(panels(whole), panels_wide(whole), panel_rows_mm(whole)), c(4, 2, 72))
})
