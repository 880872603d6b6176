# Which numbers of a run stand where in the layout of a study's figure.
picture_named <- function(pictures, name) Filter(function(picture) picture$id == name, pictures)[[1]]

test_that("names of figures are told in runs", {
  expect_identical(layout_figure_names(c("figure 9", "figure 7", "figure 8")), "figures 7 to 9")
  expect_identical(layout_figure_names(c("figure 1", "figure 2", "figure 4")), "figures 1, 2 and 4")
  expect_identical(layout_figure_names(c("table 7", "table 8", "figure 3")), "tables 7 and 8 and figure 3")
  expect_identical(layout_figure_names("plot"), "plot")
})

test_that("a study has all its experiments, and an experiment of one's own has no study", {
  studies <- rerun_studies(redrawn_example())
  expect_identical(studies$`ibm-jsse`, "ibm-jsse-suites")
  expect_false("mine" %in% names(studies))
})

test_that("a panel has its own rows, those without its factor too, and one setting of all that it does not show", {
  data <- redrawn_example()
  rows <- picture_named(study_pictures(data, "kofahi2013"), "cpu-time")$rows
  linux <- rows[panel == "Figure 10: Linux, 100 KB"]
  expect_setequal(as.character(linux$series), c("encryption", "key generation"))
  expect_identical(nrow(linux), 6L)
  expect_identical(anyDuplicated(rows[, .(panel, x, series)]), 0L)
  expect_identical(unique(rows$protocol), "as-published")
  expect_identical(levels(rows$x), c("DES", "Triple-DES", "AES", "Blowfish"))
  expect_identical(unique(linux$measure), "cpu")
  expect_identical(unique(rows[panel == "Figure 7: Windows XP, 100 KB"]$measure), "wall")
  expect_identical(linux$value, data$cells$mean_ns[linux$row])
})

test_that("of equal settings the picture's choice wins, and the fuller of unequal ones", {
  data <- redrawn_example()
  values <- measured_values(data, "stegerer2008-providers")
  values <- values[measure == "wall"]
  chosen <- function(prefer, own = values) unique(one_setting(own, character(), list(provider = prefer), data)$provider)
  expect_identical(chosen(list("bouncycastle-1.38")), "bouncycastle-1.38")
  expect_identical(chosen(list()), "sunjce")
  fewer <- values[!(provider == "sunjce" & factor.digest == "MD5")]
  expect_identical(chosen(list("sunjce"), fewer), "bouncycastle-1.38")
})

test_that("printed numbers stand at the places of ours that the layout names", {
  data <- redrawn_example()
  printed <- picture_named(study_pictures(data, "phenry2014"), "table")$printed
  expect_identical(as.character(printed$x[printed$value == 203438.819]), c(
    "RSA encrypt, 1024 bits", "RSA encrypt, 2048 bits"
  ))
  expect_false(any(grepl("DES", printed$x)))
  cached <- picture_named(study_pictures(data, "ibm-jsse"), "utilisation")$printed
  expect_setequal(cached[x == "RC4-128"]$value, 6)
  expect_setequal(cached[x == "AES-128"]$value, 16)
  expect_identical(unique(as.character(cached$panel)), "Cached, hardware's stand-in")
})

test_that("levels of security are those of the definitions, algorithms stand in their order", {
  rows <- picture_named(study_pictures(redrawn_example(), "stegerer2008"), "hash")$rows
  expect_identical(unique(rows[, .(as.character(x), split)])[order(split)]$split, c("0", "3"))
  expect_identical(levels(rows$x), c("MD5", "SHA-256"))
})

test_that("a folder without layouts, and a run without cells, give none", {
  expect_identical(read_layout(tempfile("none"))$pictures, list())
  empty <- redrawn_data(redrawn_cells()[experiment == "mine"])
  expect_length(study_pictures(empty, "kofahi2013"), 0)
})
