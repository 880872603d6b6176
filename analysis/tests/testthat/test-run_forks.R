set.seed(82)
raw <- tempfile("raw")
cells <- kofahi_cells(c(DES = 3e6, AES = 2e5))
for (number in 1:3) write_round(raw, "kofahi2013", "debian-12-temurin-17", number, cells)

test_that("our own rounds are forks too: the means of the tidy table, what names a cell as parameters", {
  run <- read_run(raw)
  tidy <- tidy_rounds(raw, find_rounds(raw))$forks
  setorder(tidy, cell, round)
  found <- run$forks[order(param.cipher != "DES", fork)]
  expect_equal(found$mean, tidy$wall_ns_per_op)
  expect_equal(found$sd, tidy$sd_within_wall_ns)
  expect_identical(found$steady, tidy$steady)
  expect_identical(found$fork, rep(1:3, 2))
  expect_identical(unique(found$file), "kofahi2013/debian-12-temurin-17")
  expect_identical(unique(found$param.protocol), "steady-state")
  expect_identical(unique(found[, .(mode, unit)]), data.table(mode = "avgt", unit = "ns/op"))
})

test_that("any directory above or of a round will do", {
  whole <- read_run(raw)$forks
  expect_equal(read_run(file.path(raw, "kofahi2013/debian-12-temurin-17"))$forks, whole)
  expect_identical(nrow(read_run(file.path(raw, "kofahi2013/debian-12-temurin-17/r002"))$forks), 2L)
})

test_that("JMH files beside rounds are read as well, those of rounds aren't read twice", {
  write <- file.path(raw, "mine.json")
  writeLines(jmh_text(jmh_result(jmh_forks_of(100))), write)
  run <- read_run(raw)
  unlink(write)
  expect_identical(table(run$forks$file)[["mine.json"]], 6L)
  expect_identical(nrow(run$forks), 12L)
})
