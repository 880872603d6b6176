inside("jmh")

set.seed(73)
forks <- jmh_forks_of(100)
other <- jmh_forks_of(100)

test_that("several files, in directories, become one table, and other JSON is named", {
  folder <- jmh_folder(
    "b/two.json" = jmh_text(jmh_result(other)), "one.json" = jmh_text(jmh_result(forks)), "settings.json" = '{"x": 1}',
    ".hidden.json" = "nonsense", "notes.txt" = "nonsense"
  )
  read <- read_jmh_directory(folder, cores = 1L)
  expect_identical(read$results$file, c("b/two.json", "one.json"))
  expect_identical(read$forks$fork, rep(1:6, 2))
  expect_equal(read$values, unlist(c(other, forks)))
  expect_identical(read$forks$first, seq(1L, by = 12L, length.out = 12L))
  expect_identical(read$passed_over, "settings.json")
})

test_that("two cores read the same", {
  read <- function(cores) read_jmh_directory(jmh_fixtures(), cores = cores)
  expect_identical(read(1L), read(2L))
})

test_that("a refusal on one of several cores is the same refusal", {
  folder <- jmh_folder("a.json" = jmh_text(jmh_result(forks)), "b.json" = "[{", "c.json" = "")
  expect_refusal(read_jmh_directory(folder, cores = 2L), "b.json: isn't whole JSON")
})

test_that("secondary metrics don't count", {
  read <- read_jmh_directory(jmh_fixtures(), "gc-profiler.json", 1L)
  expect_identical(read$forks$n, c(2L, 2L))
  expect_length(read$values, 4)
})

test_that("a directory without results is refused", {
  expect_refusal(read_jmh_directory(jmh_folder("a.txt" = "x")), "holds no JSON file")
  expect_refusal(
    read_jmh_directory(jmh_folder("a.json" = '{"a": 1}', "b.json" = "{}")), "holds no result of JMH in a.json, b.json"
  )
})

test_that("results and forks that are there twice are refused with both places", {
  same <- jmh_result(forks)
  expect_refusal(
    read_jmh_directory(jmh_folder("a.json" = jmh_text(same, same)), cores = 1L),
    "a.json: holds b.B.run (size 1024), avgt twice"
  )
  copy <- jmh_folder("a.json" = jmh_text(same), "copy.json" = jmh_text(jmh_result(rev(forks))))
  expect_refusal(read_jmh_directory(copy, cores = 1L), "copy.json: has fork 1 of b.B.run", "fork 6 of a.json")
  within <- jmh_folder("a.json" = jmh_text(jmh_result(forks[c(1, 2, 1)])))
  expect_refusal(read_jmh_directory(within, cores = 1L), "has fork 3", "as fork 1 of a.json")
})

test_that("equal forks of a coarse clock are no copies", {
  expect_silent(read_jmh_directory(jmh_folder("a.json" = jmh_text(jmh_result(list(c(2, 2), c(2, 2))))), cores = 1L))
})

test_that("one benchmark in several units is refused, several benchmarks in several units aren't", {
  one <- jmh_text(jmh_result(forks))
  mixed <- jmh_folder("a.json" = one, "b.json" = jmh_text(jmh_result(other, unit = "ms/op")))
  expect_refusal(read_jmh_directory(mixed, cores = 1L), "b.json: has b.B.run in ms/op", "us/op as in")
  fine <- jmh_folder("a.json" = one, "b.json" = jmh_text(jmh_result(other, benchmark = "b.B.other", unit = "ms/op")))
  expect_silent(read_jmh_directory(fine, cores = 1L))
})
