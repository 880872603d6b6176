set.seed(81)

test_that("a fork's mean and spread are those of its iterations, in every mode", {
  read <- read_jmh_directory(jmh_fixtures(), cores = 1L)
  forks <- jmh_forks(read, cores = 1L)
  one <- forks[file == "modes.json" & mode == "thrpt" & fork == 2]
  values <- unlist(raw_data_by_jsonlite(file.path(jmh_fixtures(), "modes.json"))[[1]][[2]])
  expect_equal(c(one$mean, one$sd, one$iterations), c(mean(values), sd(values), 3))
  sample <- forks[file == "sample.json" & fork == 1]
  entries <- matrix(unlist(raw_data_by_jsonlite(file.path(jmh_fixtures(), "sample.json"))[[1]][[1]]), 2)
  expect_equal(sample$mean, sum(entries[1, ] * entries[2, ]) / sum(entries[2, ]))
  expect_identical(unique(forks[metric == "", steady]), "too few iterations")
  expect_identical(unique(forks[metric != "", steady]), "not sought")
})

test_that("iterations without a number are left out and counted", {
  text <- sub("77", "\"NaN\"", jmh_text(jmh_result(list(c(1, 2, 6), c(3, 77, 5)), primaryMetric = list(score = "NaN"))))
  forks <- jmh_forks(read_jmh_directory(jmh_folder("a.json" = text), cores = 1L), cores = 1L)
  expect_equal(forks$mean, c(3, 4))
  expect_equal(forks$sd, c(sd(c(1, 2, 6)), sd(c(3, 5))))
  expect_identical(forks$lost, 0:1)
  expect_identical(forks$iterations, 3:2)
})

test_that("forks are classed by their times, those of throughput too", {
  warm <- function(n) c(rep(200, 10), rep(100, n - 10)) * exp(rnorm(n, 0, 0.005))
  raw <- c(list(warm(40)), jmh_forks_of(100, 2, iterations = 40))
  folder <- jmh_folder("a.json" = jmh_text(
    jmh_result(raw), jmh_result(lapply(raw, function(x) 1 / x), mode = "thrpt", unit = "ops/us")
  ))
  forks <- jmh_forks(read_jmh_directory(folder, cores = 1L), cores = 2L)
  expect_identical(forks$steady, rep(c("warm-up", "flat", "flat"), 2))
  expect_identical(jmh_forks(read_jmh_directory(folder, cores = 1L), FALSE)$steady, rep(NA_character_, 6))
})
