skip_if_not_installed("ggplot2")
data <- matrix_example()
tables <- lapply(report_tables(), function(part) part(data))
drawn <- function(data) draw_figures(report_figures(), data)

test_that("every ratio of the heat map is to the same cell in the first environment, native, of the same machine", {
  sets <- matrix_sets(data)
  expect_identical(sets$machine_id, "m1")
  ratios <- matrix_ratios(data, sets[1])
  expect_identical(levels(ratios$column)[1:2], c("Debian 12, Temurin 17, native", "Debian 12, Temurin 17, core2"))
  expect_identical(nrow(ratios), 40L)
  expect_equal(ratios[row == "encrypt AES" & column == "Debian 12, Temurin 17, core2"]$ratio, 20, tolerance = 0.02)
  wine <- ratios[grepl("Wine", column) & grepl("native", column)]
  expect_equal(wine$ratio, rep(1.5, 4), tolerance = 0.02)
  expect_true(all(wine$lower > 1))
})

test_that("every number drawn is its row's", {
  expect_rows_drawn(drawn(data), data)
})

test_that("the heat map has an alternative text, its pages hold all tiles, and many environments make many pages", {
  maps <- Filter(function(figure) figure$section == "matrix", drawn(data))
  expect_length(maps, 1)
  expect_match(
    maps[[1]]$alt, "4 cells by 10 combinations of environment and CPU profile, ratios to Debian 12, Temurin 17, native"
  )
  expect_match(maps[[1]]$caption, "interval .* includes 1")
  many <- data
  copies <- function(table, change) rbindlist(lapply(1:25, function(i) change(copy(table), i)))
  many$cells <- copies(data$cells[machine_id == "m1"], function(own, i) {
    own[, `:=`(environment = paste(environment, i), place = paste(place, i))]
  })
  many$cells[, place := factor(place, levels = unique(place))]
  many$ratios <- copies(data$ratios, function(own, i) own[, numerator_environment := paste(numerator_environment, i)])
  pages <- figure_matrix(many)
  expect_gt(length(pages), 10)
  for (page in pages) expect_true(page$height_mm <= page_height_mm && page$width_mm <= page_width_mm)
})

test_that("the claims about systems and CPU classes stand there with verdict, sentence and caveat", {
  found <- setNames(tables$matrix$across, vapply(tables$matrix$across, function(x) x$claim, ""))
  expect_named(found, c("K5", "S7"))
  expect_identical(unique(vapply(found$K5$rows, function(x) x$verdict, "")), "supported")
  expect_match(found$K5$rows[[1]]$place, "across systems, Temurin 21, native")
  expect_match(found$K5$rows[[1]]$caveat, "Wine, not Windows itself")
  expect_identical(found$S7$rows[[1]]$verdict, "refuted")
  expect_match(found$S7$rows[[1]]$place, "and 4 places more")
  expect_match(found$S7$rows[[1]]$caveat, "^Some of them are Windows' build")
})

test_that("each claim tells whether its verdict changes with system, JDK and CPU class", {
  rows <- setNames(tables$matrix$changes, vapply(tables$matrix$changes, function(x) x$claim, ""))
  answers <- function(claim) vapply(rows[[claim]]$answers, function(x) x$answer, "")
  expect_identical(answers("K1"), c("no", "no", "yes"))
  expect_identical(answers("K5")[1], "only one measured")
  expect_match(paste(tables$meta$opening, collapse = " "), "the CPU class changes the verdict on K1")
})

test_that("the variance has a row for all that was measured, and says what was not", {
  rows <- tables$matrix$shares[[1]]$rows
  expect_identical(vapply(rows, function(x) x$component, ""), c(
    "operating system", "JDK", "CPU class", "provider", "their interaction", "fork", "iteration"
  ))
  expect_match(rows[[4]]$levels, "only sunjce measured")
  expect_match(rows[[1]]$levels, "Windows JVM on Wine")
  apart <- matrix_example(c("debian-13-temurin-17", "wine-temurin-21"), "native", other = FALSE)
  told <- table_part("matrix")(apart)$shares[[1]]
  expect_match(told$rows[[1]]$levels, "can't be told apart from the JDK here")
  expect_match(told$note, "Windows JVM on Wine with Temurin 21 differs from the others")
  expect_match(told$rows[[5]]$component, "operating system or JDK, not told apart")
})

test_that("native is quoted, both profiles are told in full, and the caveat stands beside a verdict that needs it", {
  expect_identical(unique(quoted_verdicts(data)[claim == "K1"]$cpu_profile), "native")
  groups <- tables$studies[[1]]$verdicts
  rows <- function(id) unlist(lapply(Filter(function(group) group$claim == id, groups), `[[`, "rows"), FALSE)
  core2 <- Filter(function(row) grepl("core2$", row$place), rows("K1"))
  expect_identical(vapply(core2, function(row) row$letter, ""), rep("R", 5))
  expect_match(vapply(rows("K5"), function(row) row$place, ""), "^across systems, Temurin 21", all = FALSE)
  expect_match(vapply(rows("K5"), function(row) row$caveat, ""), "Wine", all = FALSE)
})

test_that("another machine is said to be one, everywhere, and is in no comparison", {
  labels <- as.character(data$places$label)
  expect_identical(labels[6], "Windows 11 (kit), other machine ab12cd")
  expect_match(tables$machine[[2]]$note, "^Another machine, with Windows 11 \\(kit\\)")
  expect_false(any(grepl("kit", data$contrasts[is_shared(environment)]$denominator_environment)))
})

test_that("the intrinsics of every JVM and CPU profile are told, places that agree in one row", {
  found <- tables$matrix$intrinsics
  rows <- vapply(found$rows, function(x) paste(x$jdk, x$profile), "")
  expect_identical(rows[1:2], c("Temurin 17 native", "Temurin 17 core2"))
  expect_identical(found$rows[[1]]$systems, "Debian 12, Debian 13")
  at <- match("AES", unlist(found$columns))
  expect_identical(vapply(found$rows[1:2], function(x) x$values[[at]], ""), c("on", "off"))
})

test_that("the intrinsics of a profile are those of a round that has it, not of the place's first round", {
  early <- data.table::copy(data)
  before <- data.table::copy(early$rounds[place == place[1]][1])[, `:=`(
    experiment = "earlier", started_at = "2025-01-01T00:00:00Z", path = "nowhere"
  )]
  early$rounds <- rbind(before, early$rounds)
  expect_identical(table_part("matrix")(early)$intrinsics, tables$matrix$intrinsics)
})

test_that("one environment and profile: a line instead of empty figures", {
  single <- matrix_example("debian-12-temurin-17", "native", other = FALSE)
  expect_match(table_part("matrix")(single)$single, "more than one combination")
  expect_length(Filter(function(figure) figure$section == "matrix", drawn(single)), 0)
  reasons <- vapply(table_part("untestable")(single), function(x) x$reason, "")
  expect_true("no environment of this run has a Windows JVM" %in% reasons)
})

test_that("many environments: dot plots keep to the nearest ones and say so", {
  few <- data
  few$places <- rbindlist(rep(list(data$places), 3))[, label := paste(label, .I)]
  few$rounds <- few$rounds[rep(1L, 18)][, `:=`(experiment = "wide", place = few$places$label)]
  found <- few_places(few, "wide")
  expect_identical(nrow(found$places), most_places)
  expect_match(found$few, "Shown are 7 of 18 environments")
  expect_identical(few_places(data, data$cells$experiment[1])$few, "")
})

test_that("a study in one environment keeps it, however many the others have", {
  few <- data
  few$places <- rbindlist(rep(list(data$places), 3))[, label := paste(label, .I)]
  few$rounds <- few$rounds[1][, `:=`(experiment = "narrow", place = few$places$label[18])]
  few$forks <- few$cells <- few$rounds
  found <- few_places(few, "narrow")
  expect_identical(found$places$label, few$places$label[18])
  expect_identical(nrow(found$cells), 1L)
  expect_identical(found$few, "")
})

test_that("the matrix has a table of machines only where several measured the same cells", {
  expect_identical(tables$matrix$machines, list())
  several <- copy(data)
  row <- function(id, component, ...) {
    data.table(
      share_id = id, experiment = "kofahi2013", machine_id = "", protocol = "steady-state", measure = "wall",
      component = component, compared = "", apart = "", confounded = FALSE, ...
    )
  }
  several$variance_shares <- rbind(data$variance_shares, rbind(
    row("s90", "machine", variance = .04, share = .8, lower = .4, upper = .99, levels = 2)[
      , compared := "aaaaaaaaaaaa;bbbbbbbbbbbb"
    ],
    row("s91", "fork", variance = .01, share = .2, lower = NA_real_, upper = NA_real_, levels = NA_real_)
  ))
  told <- table_part("matrix")(several)$machines
  expect_length(told, 1)
  expect_identical(told[[1]]$title, "kofahi2013, over 2 machines")
  machine <- told[[1]]$rows[[1]]
  expect_identical(machine$levels, "aaaaaa; bbbbbb")
  expect_identical(c(machine$component, machine$id), c("machine", "s90"))
  expect_match(machine$interval, "^\\[40.*, 99.*\\]$")
  expect_identical(told[[1]]$rows[[2]]$interval, "")
  expect_identical(table_part("matrix")(several)$shares, tables$matrix$shares)
})
