trends_of <- function(results) read_run(jmh_folder("a.json" = do.call(jmh_text, results)), cores = 1L)$forks
noisy <- function(profile, forks = 5, between = 0.02) {
  lapply(seq_len(forks), function(i) profile * exp(rnorm(1, 0, between)) * exp(rnorm(length(profile), 0, 0.01)))
}

test_that("forks that jump together are seen, with any number of iterations and of forks", {
  set.seed(101)
  profiles <- list(
    c(7, 7, 7, 1, 1), c(7, 1, 1, 1, 1), c(7, 7, 7, 7, 1), c(1.3, 1, 1), c(7, 1), c(3, 3, 1, 1), rep(c(2, 1), c(3, 6)),
    rep(c(7, 1), c(3, 9)), rep(c(7, 1), c(20, 20)), seq(1.5, 1, length.out = 5)
  )
  results <- list()
  for (profile in profiles) for (forks in c(3, 5, 20)) {
    if (length(profile) < 4 && forks < 5) next
    name <- sprintf("%d forks of %s", forks, paste(format(profile), collapse = " "))
    warming <- noisy(100 * profile, forks)
    results <- c(results, list(
      jmh_result(warming, name), jmh_result(lapply(warming, function(x) 1 / x), name, "thrpt", "ops/s"),
      jmh_result(lapply(warming, rev), name, "ss")
    ))
  }
  found <- trends_of(results)
  expect_length(unique(found$benchmark), 28)
  for (name in unique(found$benchmark)) expect_identical(
    unique(found[benchmark == name, paste(mode, shared_trend)]), c("avgt warm-up", "thrpt warm-up", "ss slowdown"),
    label = name
  )
  expect_identical(unique(trends_of(list(jmh_result(noisy(c(700, 700, 100, 100), 2))))$shared_trend), "warm-up")
})

test_that("the trend of forks with different numbers of iterations is that of the same forks in full", {
  set.seed(102)
  warming <- noisy(c(700, 700, 100, 100, 100))
  values <- do.call(cbind, warming)
  expect_equal(uneven_trend(values), shared_trends(array(values, c(5, 5, 1))))
  found <- trends_of(list(jmh_result(Map(utils::head, warming, c(5, 5, 3, 4, 5)))))
  expect_identical(unique(found$shared_trend), "warm-up")
  # An iteration that failed, and a fork of one iteration.
  values[2, 3] <- NA
  values[-1, 1] <- NA
  expect_true(uneven_trend(values)$shared)
  expect_false(uneven_trend(cbind(c(1, NA), c(NA, 2)))$shared)
})

test_that("forks that are one to a file are tested together, those of several files apart", {
  set.seed(103)
  warming <- noisy(c(700, 700, 100, 100, 100))
  files <- lapply(warming, function(fork) jmh_text(jmh_result(list(fork))))
  names(files) <- paste0(1:5, ".json")
  each <- read_run(do.call(jmh_folder, files), cores = 1L)$forks
  expect_identical(unique(each$shared_trend), "warm-up")
  steady <- jmh_text(jmh_result(noisy(rep(100, 5))))
  both <- read_run(jmh_folder("a.json" = jmh_text(jmh_result(warming)), "b.json" = steady), cores = 1L)$forks
  expect_identical(unique(both[, paste(file, shared_trend)]), c("a.json warm-up", "b.json "))
})

test_that("ties, forks that are all alike, single forks and small trends raise no alarm", {
  shared <- function(...) shared_trends(array(c(...), c(length(..1), ...length(), 1)))$shared
  expect_false(shared(c(1, 1, 1), c(1, 1, 1), c(1, 1, 1)))
  expect_false(shared(c(1, 1, 2), c(1, 2, 1), c(2, 1, 1)))
  expect_true(shared(c(2, 1, 1), c(2, 1, 1), c(2, 1, 1)))
  expect_false(shared(c(1.05, 1, 1), c(1.05, 1, 1), c(1.05, 1, 1)))
  expect_identical(trends_of(list(jmh_result(list(c(7, 7, 1, 1)))))$shared_trend, "")
})

test_that("at most 1 % of sets without a trend raise a false alarm, independent or with autocorrelation 0.5", {
  set.seed(104)
  for (size in list(c(5, 5), c(3, 5), c(5, 2), c(9, 5), c(20, 5))) for (rho in c(0, 0.5)) for (spread in c(0.1, 0.4)) {
    noise <- array(rnorm(prod(size) * 2000), c(size, 2000))
    for (i in 2:size[1]) noise[i, , ] <- rho * noise[i - 1, , ] + sqrt(1 - rho^2) * noise[i, , ]
    expect_lte(mean(shared_trends(exp(spread * noise))$shared), 0.01)
  }
})

test_that("summarise gives no interval of forks that warm up together without saying so", {
  set.seed(105)
  rows <- summarise_run(trends_of(list(
    jmh_result(noisy(c(700, 700, 100, 100, 100))), jmh_result(noisy(rep(100, 5)), benchmark = "b.B.same")
  )))
  expect_identical(rows$steady, c("warm-up", "too few iterations"))
  expect_match(rows$note[1], "the forks warmed up together")
  expect_identical(rows$note[2], "")
})
