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
  expect_identical(read$left_out$file, "settings.json")
  expect_match(finding_words(folder, read$left_out), "1 JSON files that aren't JMH's are left out: settings.json")
})

test_that("two cores read the same", {
  read <- function(cores) read_jmh_directory(jmh_fixtures(), cores = cores)
  expect_identical(read(1L), read(2L))
})

test_that("files that can't be read are left out, all of them named, on one core or two", {
  folder <- jmh_folder(
    "a.json" = jmh_text(jmh_result(forks)), "b.json" = "[{", "c.json" = character(), "d.json" = '{"rawData": []}',
    "schema.json" = '{"properties": {"primaryMetric": {"type": "object"}}}'
  )
  for (cores in 1:2) {
    read <- read_jmh_directory(folder, cores = cores)
    expect_equal(read$values, unlist(forks))
    expect_identical(read$left_out$file, c("b.json", "c.json", "d.json", "schema.json"))
    expect_identical(unique(read$left_out$left_out), "file")
    expect_match(finding_words(folder, read$left_out)[1], "b.json: isn't whole JSON .*; the file is left out$")
  }
})

test_that("a named pipe is no file that anybody waits for", {
  folder <- jmh_folder("a.json" = jmh_text(jmh_result(forks)))
  system2("mkfifo", shQuote(file.path(folder, "pipe.json")))
  expect_match(read_jmh_directory(folder, cores = 1L)$left_out$what, "no ordinary file")
})

test_that("names of files may be of any letters, in UTF-8 or not", {
  folder <- jmh_folder("a.json" = jmh_text(jmh_result(forks)))
  odd <- c("m\u00e4rz 'x':1.json", "m\xe4rz.json")
  texts <- list(other, jmh_forks_of(100))
  for (i in 1:2) {
    plain <- file.path(folder, "plain")
    writeLines(jmh_text(jmh_result(texts[[i]])), plain)
    # By printf: R itself would take the name for one in its own encoding.
    name <- paste(sprintf("\\%03o", as.integer(charToRaw(odd[i]))), collapse = "")
    system2("sh", c("-c", shQuote(sprintf("mv '%s' \"%s/$(printf '%s')\"", plain, folder, name))))
  }
  found <- read_jmh_directory(folder, cores = 1L)
  expect_identical(nrow(found$forks), 18L)
  expect_true(all(validUTF8(found$results$file)))
})

test_that("other metrics follow their result, and its own score stands first", {
  read <- read_jmh_directory(jmh_fixtures(), "gc-profiler.json", 1L)
  expect_identical(read$results$metric[1], "")
  expect_identical(unique(read$results$benchmark), read$results$benchmark[1])
  expect_gt(nrow(read$results), 1)
})

test_that("a directory without results is refused", {
  expect_refusal(read_jmh_directory(jmh_folder("a.txt" = "x")), "holds no JSON file")
  expect_refusal(
    read_jmh_directory(jmh_folder("a.json" = '{"a": 1}', "b.json" = "{}")), "holds no result of JMH in a.json, b.json"
  )
})

test_that("forks that are there again are left out, with both places", {
  same <- jmh_result(forks)
  expect_left_out(left_out_of("a.json" = jmh_text(same, same)), "result 2 (b.B.run) has fork 1 and 5 more again")
  copy <- list("a.json" = jmh_text(same), "copy.json" = jmh_text(jmh_result(rev(forks))))
  expect_left_out(do.call(left_out_of, copy), "copy.json: result 1 (b.B.run) has fork 1 and 5 more", "fork 6 of a.json")
  read <- read_jmh_directory(do.call(jmh_folder, copy), cores = 1L)
  expect_identical(read$results$file, "a.json")
  expect_equal(read$values, unlist(forks))
  within <- jmh_folder("a.json" = jmh_text(jmh_result(forks[c(1, 2, 1)])))
  read <- read_jmh_directory(within, cores = 1L)
  expect_identical(read$forks$fork, 1:2)
  expect_left_out(finding_words(within, read$left_out), "has fork 3 again, as fork 1 of a.json")
})

test_that("the same parameter value twice is more forks of one cell, unless the JVM was another", {
  folder <- jmh_folder("a.json" = jmh_text(jmh_result(forks), jmh_result(other)))
  read <- read_jmh_directory(folder, cores = 1L)
  expect_identical(nrow(read$forks), 12L)
  expect_identical(nrow(read$left_out), 0L)
  expect_left_out(
    left_out_of("a.json" = jmh_text(jmh_result(forks, jdkVersion = "17"), jmh_result(other, jdkVersion = "21"))),
    "result 2 (b.B.run) has the setting of result 1 but another jdkVersion", "the result is left out"
  )
})

test_that("equal forks of a coarse clock are no copies", {
  expect_silent(read_jmh_directory(jmh_folder("a.json" = jmh_text(jmh_result(list(c(2, 2), c(2, 2))))), cores = 1L))
})

test_that("one benchmark may be in several units", {
  folder <- jmh_folder("a.json" = jmh_text(jmh_result(forks)), "b.json" = jmh_text(jmh_result(other, unit = "ms/op")))
  expect_identical(read_jmh_directory(folder, cores = 1L)$results$unit, c("us/op", "ms/op"))
})
