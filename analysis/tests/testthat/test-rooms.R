room_names <- list.files(file.path(analysis_dir, "R"))
rooms <- stats::setNames(lapply(file.path(analysis_dir, "R", room_names), folder_of_code), room_names)
plug_in_folders <- dirname(list.files(analysis_dir, "^NAMESPACE$", recursive = TRUE, full.names = TRUE))
plug_in_folders <- plug_in_folders[dirname(plug_in_folders) == analysis_dir]
scripts <- Filter(Negate(is.null), lapply(list.files(analysis_dir, "\\.R$", full.names = TRUE), script_of_code))
guests <- c(lapply(plug_in_folders, folder_of_code), scripts)

#' A copy of the loader that looks for its rooms elsewhere.
#'
#' @param ... texts of files, by their paths in R/
loader_of <- function(...) {
  loader <- new.env()
  sys.source(file.path(analysis_dir, "rooms.R"), loader, chdir = TRUE)
  loader$analysis_dir <- tempfile("rooms")
  files <- list(...)
  for (name in names(files)) {
    path <- file.path(loader$analysis_dir, "R", name)
    dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
    writeLines(files[[name]], path)
  }
  loader
}

test_that("every export of a room is used by another room, a plug-in or a script", {
  for (name in names(rooms)) {
    users <- Filter(function(user) name %in% user$imports, c(rooms, guests))
    used <- unlist(lapply(users, `[[`, "names"))
    expect_identical(setdiff(rooms[[name]]$exports, used), character(), info = name)
  }
})

test_that("every import is used", {
  for (user in c(rooms, guests)) {
    for (name in user$imports) {
      given <- if (name %in% names(rooms)) rooms[[name]]$exports else getNamespaceExports(name)
      expect_true(any(given %in% user$names), info = paste(name, "in", toString(utils::head(user$names))))
    }
  }
})

test_that("what a room defines is used by something else than itself and its tests", {
  used_outside <- c("run_script", unlist(lapply(guests, `[[`, "names")))
  definitions <- unlist(lapply(file.path(analysis_dir, "R", room_names), definitions_of), recursive = FALSE)
  used <- lapply(names(definitions), function(name) setdiff(names_in(definitions[[name]]), name))
  expect_identical(setdiff(names(definitions), c(used_outside, unlist(used))), character())
})

test_that("rooms and plug-ins use no function and no constant of a room that they can't see", {
  plugged <- c(report_figures(), report_tables(), validity_properties(), lapply(all_forms(), `[[`, "targets"))
  spaces <- c(lapply(names(rooms), function(name) room(name)$inside), lapply(plugged, environment))
  expect_gt(length(spaces), length(rooms) + 30)
  insides <- lapply(names(rooms), function(name) as.list(room(name)$inside))
  constants <- names(Filter(Negate(is.function), unlist(insides, recursive = FALSE)))
  missing <- unlist(lapply(spaces, function(space) lapply(mget(names(space), space), unseen, constants)))
  expect_identical(paste(names(missing), missing, recycle0 = TRUE), character())
})

test_that("a room sees the exports of what it imports, base R and data.table, and nothing else", {
  assign("of_nobody", function() 1, globalenv())
  on.exit(rm("of_nobody", envir = globalenv()))
  loader <- loader_of(
    "one/NAMESPACE" = "export(open)", "one/one.R" = c("open <- function() hidden()", "hidden <- function() 7"),
    "two/NAMESPACE" = "import(one)\nexport(a)", "two/two.R" = c(
      "a <- function() open()", "b <- function() hidden()", "d <- function() of_nobody()"
    )
  )
  two <- loader$room("two")$inside
  expect_identical(two$a(), 7)
  expect_error(two$b(), "hidden")
  expect_error(two$d(), "of_nobody")
})

test_that("data.table's own grammar works in a room, where a column hides a name of the room", {
  two <- loader_of("one/NAMESPACE" = "", "one/one.R" = c(
    "n <- 5", "limit <- 1",
    "sums <- function(rows, by) rows[n > limit, .(sum = sum(n), count = .N), by = by][, half := sum / 2][]",
    "spread <- function(rows) { list2env(list(m = 2), environment()); rows[, lapply(.SD, `*`, m), .SDcols = 'n'] }"
  ))$room("one")$inside
  rows <- data.table(n = 1:4, group = c("a", "a", "b", "b"))
  sums <- data.table(group = c("a", "b"), sum = c(2L, 7L), count = 1:2, half = c(1, 3.5))
  expect_identical(two$sums(rows, "group"), sums)
  expect_identical(two$spread(rows)$n, c(2, 4, 6, 8))
  expect_identical(rows$n, 1:4)
})

test_that("a name that is defined or imported twice is refused, and so is what is no definition", {
  once <- "a <- 1"
  expect_error(loader_of("one/NAMESPACE" = "", "one/1.R" = c(once, once))$room("one"), "1.R: a is defined already")
  expect_error(
    loader_of("one/NAMESPACE" = "", "one/1.R" = once, "one/2.R" = once)$room("one"), "2.R: a is defined already"
  )
  own <- loader_of("one/NAMESPACE" = "export(a)", "one/1.R" = once, "two/NAMESPACE" = "import(one)", "two/1.R" = once)
  expect_error(own$room("two"), "two/1.R: a is defined already")
  both <- loader_of(
    "one/NAMESPACE" = "export(a)", "one/1.R" = once, "two/NAMESPACE" = "export(a)", "two/1.R" = once,
    "three/NAMESPACE" = "import(one, two)"
  )
  expect_error(both$room("three"), "import(two): a is imported already", fixed = TRUE)
  expect_error(loader_of("one/NAMESPACE" = "", "one/1.R" = "print(1)")$room("one"), "1.R: has more than definitions")
})

test_that("a circle of rooms is refused, and so is the export of nothing", {
  circle <- loader_of("one/NAMESPACE" = "import(two)", "two/NAMESPACE" = "import(one)")
  expect_error(circle$room("one"), "R/one/NAMESPACE: imports itself, in a circle")
  nothing <- loader_of("one/NAMESPACE" = "export(a)")
  expect_error(nothing$room("one"), "R/one/NAMESPACE: exports a, which nothing defines")
})

test_that("a package that isn't there ends a script in one line and status 2", {
  file <- tempfile(fileext = ".R")
  writeLines(sprintf(
    "source(%s, chdir = TRUE); package('not.there')", deparse(file.path(analysis_dir, "rooms.R"))
  ), file)
  said <- suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), file, stdout = TRUE, stderr = TRUE))
  expect_identical(attr(said, "status"), 2L)
  expect_match(said, "^R: package not.there is missing; .*; install it, or run in the analysis image$")
})
