test_that("the same table gives the same bytes, compressed too", {
  table <- data.table(
    round = "r001", fork = 1:3, duration_ns = c(1e9, 0.1, 1795166723956), measured = c(TRUE, FALSE, NA)
  )
  for (name in c("a.csv", "a.csv.gz")) {
    first <- write_table(table, file.path(tempdir(), name))
    bytes <- readBin(first, "raw", 1e5)
    write_table(copy(table), first)
    expect_identical(readBin(first, "raw", 1e5), bytes)
    back <- read_table(first)
    expect_identical(back$duration_ns, table$duration_ns)
  }
})

test_that("missing values and empty texts are both empty, and levels stay text", {
  path <- file.path(tempdir(), "b.csv")
  write_table(data.table(cell = c("a", ""), `factor.rsa-bits` = c("1024", NA), mean_ns = c(1, NA)), path)
  expect_identical(readLines(path), c("cell,factor.rsa-bits,mean_ns", "a,1024,1", ",,"))
  expect_identical(read_table(path)$`factor.rsa-bits`, c("1024", NA))
})

test_that("a missing file, missing columns and half rows are refused", {
  expect_refusal(read_table("/no/such.csv"), "/no/such.csv: is missing")
  path <- file.path(tempdir(), "c.csv")
  writeLines(c("a,b", "1,2", "3,4", "5"), path)
  expect_refusal(read_table(path), path, "whole CSV")
  writeLines(c("a,b", "1,2"), path)
  expect_refusal(read_table(path, c("a", "d")), "lacks column d")
  file.create(path)
  expect_refusal(read_table(path), path)
})

test_that("a half row with bytes that are no UTF-8 is refused as any other", {
  path <- file.path(tempdir(), "latin.csv")
  writeBin(charToRaw("a,b\n1,2\n\x80\n4,5\n"), path)
  expect_silent(expect_refusal(read_table(path), path, "whole CSV"))
})

test_that("a rare large number among many small ones is read as it is", {
  path <- file.path(tempdir(), "large.csv")
  table <- data.table(cell = "a", duration_ns = rep(7L, 2e5), own = TRUE)
  table[, duration_ns := as.double(duration_ns)][1234, duration_ns := 3119384786]
  write_table(table, path)
  found <- read_table(path)
  expect_identical(found$duration_ns, table$duration_ns)
  expect_identical(found$own, table$own)
})

test_that("a compressed table is a whole gzip stream, with any number of rows", {
  skip_if(!nzchar(Sys.which("gzip")), "gzip is not installed")
  for (rows in c(0, 1, 2e5)) {
    path <- file.path(tempdir(), sprintf("%d.csv.gz", rows))
    write_table(data.table(cell = rep("a", rows), mean_ns = seq_len(rows)), path)
    expect_identical(system2("gzip", c("--test", shQuote(path))), 0L)
    expect_named(read_csv_strictly(path), c("cell", "mean_ns"))
    expect_identical(nrow(read_csv_strictly(path)), as.integer(rows))
  }
})

# A shell's limit on the size of files stands for a full disk: in both the write fails.
test_that("a file that does not fit on the disk is refused, and the older one stays", {
  folder <- new_folder()
  writers <- c(
    "table.csv" = "write_table(data.table(number = 1:20000), path)",
    "table.csv.gz" = "write_table(data.table(number = stats::runif(20000)), path)",
    "list.json" = "write_json(as.list(1:20000), path)",
    "figure.svg" = "write_svg(c(large_figure, file = basename(path)), dirname(path))"
  )
  prepared <- c(
    sprintf("pkgload::load_all('%s', helpers = FALSE, attach_testthat = FALSE, quiet = TRUE)", analysis_dir),
    "library(data.table)",
    "points <- ggplot2::ggplot(data.frame(x = 1:2000), ggplot2::aes(x, x)) + ggplot2::geom_point()",
    "large_figure <- list(plot = points, width_mm = 90, height_mm = 90)",
    "end <- function(path, write) tryCatch({ write; 'written' }, refusal = function(problem) problem$file)"
  )
  paths <- file.path(folder, names(writers))
  for (path in paths) writeLines("older", path)
  calls <- sprintf("{ path <- '%s'; cat(end(path, %s), '\n', sep = '') }", paths, writers)
  script <- file.path(folder, "write.R")
  writeLines(c(prepared, calls), script)
  limited <- sprintf("trap '' XFSZ; ulimit -f 16; exec %s %s", file.path(R.home("bin"), "Rscript"), shQuote(script))
  expect_identical(system2("sh", c("-c", shQuote(limited)), stdout = TRUE), paths)
  for (path in paths) expect_identical(readLines(path), "older")
  expect_setequal(list.files(folder, all.files = TRUE, no.. = TRUE), c(names(writers), "write.R"))
})

# Work on several cores.
test_that("several cores give what one gives, in order", {
  expect_identical(in_parallel(1:7, function(i) i^2, 2L), lapply(1:7, function(i) i^2))
})

test_that("the first error ends all", {
  expect_refusal(in_parallel(1:4, function(i) if (i > 1) refuse(paste("file", i), "a", "b", "c") else i, 2L), "file 2")
})

# Tables that the analysis makes have the columns of the schema, data/tables.yaml.

test_that("a column's type is text, number or boolean, whatever it is called in the schema", {
  expect_identical(column_types("notes.csv"), c(level = "c", where = "c", message = "c"))
  expect_identical(unname(column_types("forks.csv")[c("fork", "valid", "steady")]), c("n", "l", "c"))
  expect_identical(column_types("interference.csv", "raw")[["rerun_of"]], "n")
  every <- lapply(setdiff(names(column_schema), "types"), function(section) {
    lapply(names(column_schema[[section]]), column_types, section = section)
  })
  expect_in(unlist(every), c("c", "n", "l"))
})

test_that("columns of factors are no part of a table's fixed columns", {
  expect_identical(columns_of("observed_means.csv")[seq_along(cell_keys)], cell_keys)
  expect_false(any(startsWith(columns_of("cells.csv", "raw"), "factor.")))
})

test_that("tables without rows have the columns of the schema", {
  nothing <- made_up_forks(four_ciphers())[0]
  expect_named(published_ratios(list(), data.table()), columns_of("published_ratios.csv"))
  expect_named(pair_table(nothing, list()), columns_of("pairs.csv"))
  expect_named(claim_list(list(), data.table(), data.table()), columns_of("claim_list.csv"))
  expect_named(no_plans(), columns_of("plans.csv"))
  expect_in(gate_columns, columns_of("forks.csv"))
})

test_that("summaries and comparisons have the columns of the schema, parameters left out", {
  forks <- read_run(file.path(dirname(analysis_dir), "data", "sample", "calibration"), FALSE, 1L)$forks
  fixed <- function(table) grep("^param[.]", names(table), value = TRUE, invert = TRUE)
  expect_identical(fixed(summarise_run(forks)), columns_of("summary.csv", "tools"))
  expect_identical(fixed(compare_runs(forks, forks, 0.02)), columns_of("compare.csv", "tools"))
})

# The parts of environments.
test_that("what the definitions do not know is equal to nothing else", {
  parts <- environment_parts(
    list(environments = list(
      list(id = "kit-ab", label = "Kit"), list(id = "i", system = "image", os = "A registry image")
    )),
    c("kit-ab", "other")
  )
  expect_identical(parts$environment, c("kit-ab", "i", "other"))
  expect_identical(parts$system, parts$environment)
  expect_identical(parts$jdk, parts$environment)
  expect_identical(unique(parts$caveat), "")
})

test_that("caveats are told once", {
  parts <- environment_parts(list(environments = matrix_environments))
  expect_identical(caveats_of(parts, c("debian-12-temurin-17", "wine-temurin-21")), matrix_environments[[5]]$caveat)
  expect_identical(caveats_of(parts, "debian-12-temurin-17"), "")
})
