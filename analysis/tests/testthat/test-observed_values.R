written <- function(lines) {
  folder <- new_folder()
  writeLines(c("fork,iteration,measure,value", lines), file.path(folder, "observations.csv"))
  folder
}

test_that("numbers and counts are told apart", {
  found <- read_observations_csv(written(c("1,1,step.a,12.5", "2,2,bytes.1,3;0;9")))
  expect_identical(found$value, c(12.5, NA))
  expect_identical(found$counts, c("", "3;0;9"))
})

test_that("a round without the file observed nothing", {
  expect_identical(nrow(read_observations_csv(tempfile("none"))), 0L)
})

# A fork with three measured iterations, of which the first seeded.
iterations <- data.table(
  experiment = "e", environment = "v", round = "r", fork = 1, iteration = 1:4, measured = c(TRUE, TRUE, TRUE, FALSE)
)
observed <- function(...) {
  rows <- data.table(...)
  if (!"counts" %in% names(rows)) rows[, counts := ""]
  rows[, `:=`(experiment = "e", environment = "v", round = "r", fork = 1)]
  values <- observed_values(rows, iterations)
  stats::setNames(values$value, values$measure)
}

test_that("shares are those of the sums over the measured iterations", {
  found <- observed(
    iteration = c(rep(1:4, 2), 1), measure = c(rep(c("step.key", "step.use"), each = 4), "part.key.seeding"),
    value = c(70, 10, 10, 1e9, 30, 30, 30, 1e9, 60)
  )
  expect_equal(found[["step.key"]], 30)
  expect_equal(found[["total"]], 60)
  expect_equal(found[["share.key"]], 0.5)
  expect_equal(found[["share.use"]], 0.5)
  expect_equal(found[["share.key.without-seeding"]], 30 / 120)
  expect_equal(found[["later.share.key"]], 20 / 80)
  expect_equal(found[["later.total"]], 40)
})

test_that("key generation is held against encryption, with and without a part of it", {
  found <- observed(
    iteration = c(rep(1:2, 3), 1),
    measure = c(rep(c("step.generate-key", "step.encrypt", "step.decrypt"), each = 2), "part.generate-key.seeding"),
    value = c(70, 10, 20, 20, 5, 15, 60)
  )
  expect_equal(found[["key-over-encrypt"]], 80 / 40)
  expect_equal(found[["key-over-encrypt.without-seeding"]], 20 / 40)
  expect_equal(found[["later.key-over-encrypt"]], 10 / 20)
  expect_equal(found[["total.without-seeding"]], (95 - 60 + 45) / 2)
})

test_that("a step is held against each other step, by their sums", {
  found <- observed(
    iteration = rep(1:2, 3), measure = rep(c("step.initialise", "step.encrypt", "step.decrypt"), each = 2),
    value = c(70, 10, 15, 5, 0, 0)
  )
  expect_equal(found[["step-ratio.initialise.encrypt"]], 4)
  expect_equal(found[["step-ratio.encrypt.initialise"]], 0.25)
  expect_equal(found[["step-ratio.decrypt.initialise"]], 0)
  # Neither itself nor what took no time is a measure for anything; nor are there ratios without the first operation.
  ratios <- grep("^(later[.])?step-ratio", names(found), value = TRUE)
  expect_setequal(ratios, paste0("step-ratio.", c(
    "initialise.encrypt", "encrypt.initialise", "decrypt.initialise", "decrypt.encrypt"
  )))
})

test_that("a first call that takes very long changes the ratio of sums, not that of medians", {
  found <- observed(
    iteration = rep(1:3, 2), measure = rep(c("step.initialise", "step.encrypt"), each = 3),
    value = c(900, 8, 7, 300, 2, 4)
  )
  expect_equal(found[["step-ratio.initialise.encrypt"]], 915 / 306)
  expect_equal(found[["median-step-ratio.initialise.encrypt"]], 8 / 4)
  expect_false("later.median-step-ratio.initialise.encrypt" %in% names(found))
})

test_that("byte counts give the deviation that chance gives 1, entropy and shares", {
  even <- rep(10, 256)
  odd <- c(2560, rep(0, 255))
  found <- observed(
    iteration = c(1, 1), measure = c("bytes.1", "bytes.2"), value = NA_real_,
    counts = c(paste(even, collapse = ";"), paste(odd, collapse = ";"))
  )
  expect_equal(found[["deviation.1"]], 0)
  expect_equal(found[["uneven-share.1"]], 0)
  expect_equal(found[["uneven-share.2"]], 1)
  expect_equal(found[["entropy.1"]], 8)
  expect_equal(found[["deviation.2"]], stats::sd(odd) / sqrt(2560 / 256))
  expect_equal(found[["zero-share.2"]], 1)
  expect_equal(found[["counts-sd.2"]], stats::sd(odd))
  expect_equal(found[["length.1"]], 2560)
  set.seed(3)
  random <- vapply(1:400, function(i) {
    sqrt(byte_uniformity(tabulate(sample(256, 5000, TRUE), 256))$chi_square / 255)
  }, 0)
  expect_equal(sqrt(mean(random^2)), 1, tolerance = 0.01)
})

test_that("the share of zero is that of the bytes 0 to 15, and 0 to 31", {
  counts <- c(80, rep(1, 20), rep(0, 11), rep(1000, 224))
  found <- observed(iteration = 1, measure = "bytes.1", value = NA_real_, counts = paste(counts, collapse = ";"))
  expect_equal(found[["low16-zero-share.1"]], 80 / 95)
  expect_equal(found[["low32-zero-share.1"]], 80 / 100)
})

test_that("counts in long form keep their places, and those of 0 are left out", {
  rows <- data.table(
    experiment = "e", environment = "v", round = "r", fork = 1, iteration = 2, measure = c("latency", "x"),
    value = c(NA, 1), counts = c("5;0;7", "")
  )
  found <- long_counts(rows)
  expect_identical(found$position, c(0L, 2L))
  expect_identical(found$count, c(5, 7))
  expect_identical(found$iteration, c(2, 2))
  expect_identical(names(long_counts(rows[2])), names(found))
})

test_that("counts of byte values are summed over a fork's iterations", {
  rows <- data.table(
    experiment = "e", environment = "v", round = "r", fork = c(1, 1, 2), iteration = c(1, 2, 1), measure = "bytes.1",
    value = NA_real_, counts = c("5;0;7", "1;2;3", "4;0;4")
  )
  found <- long_counts(rows)
  expect_identical(found$count, c(6, 2, 10, 4, 4))
  expect_identical(found$fork, c(1, 1, 1, 2, 2))
  expect_identical(found$position, c(0:2, 0L, 2L))
  expect_identical(found$iteration, rep(NA_real_, 5))
})

loaded <- function(...) {
  names <- c("span", "done", "before", "client", "server", "server-jit")
  observed(iteration = rep(1:2, each = length(names)), measure = paste0("load.", rep(names, 2)), value = c(...))
}

test_that("a side's utilisation is its CPU time an operation times the operations a second, of sums over the fork", {
  found <- loaded(2e9, 100, 40, 1e9, 5e8, 1e8, 2e9, 300, 140, 5e8, 1e9, 1e8)
  expect_equal(found[["throughput"]], 100)
  expect_equal(found[["client-utilisation"]], 1.5 / 4)
  expect_equal(found[["server-utilisation"]], 1.5 / 4)
  expect_equal(found[["both-utilisation"]], 0.75)
  for (side in c("client", "server")) {
    own <- found[[paste0(side, "-jvm-cpu")]] / 1e9 * found[["throughput"]]
    expect_equal(found[[paste0(side, "-utilisation")]], own)
  }
  expect_equal(found[["server-jit-share"]], 0.05)
  expect_equal(found[["done-before"]], 40)
})

test_that("the busier side is the one that is busier in the fork, and the ratio of the sides is the server's over it", {
  found <- loaded(1e9, 10, 0, 2e8, 8e8, 0, 1e9, 10, 10, 4e8, 8e8, 0)
  expect_equal(found[["busier-utilisation"]], 0.8)
  expect_equal(found[["server-per-client"]], 1.6 / 0.6)
  # A side that works in the one half of the time alone is no busier for it.
  expect_equal(loaded(1e9, 1, 0, 9e8, 5e8, 0, 1e9, 1, 1, 0, 5e8, 0)[["busier-utilisation"]], 0.5)
})

test_that("what the system does not tell gives no measure", {
  found <- observed(iteration = c(1, 1), measure = c("load.span", "load.done"), value = c(1e9, 7))
  expect_setequal(names(found), c("load.span", "load.done", "throughput"))
})

test_that("a percentile is the upper end of its bin", {
  # 1000 connections: 500 up to 1 us, 490 up to 2 us, 9 up to 4 us, 1 up to 8 us.
  counts <- numeric(60)
  counts[c(0, 16, 32, 48) + 1] <- c(500, 490, 9, 1)
  expect_equal(bin_percentiles(counts, c(0.5, 0.501, 0.9, 0.99, 0.999, 1)), c(1000, 2000, 2000, 2000, 4000, 8000))
  expect_identical(bin_percentiles(numeric(5), c(0.5, 1)), c(NA_real_, NA_real_))
})

test_that("latencies of a fork are those of all its iterations", {
  counted <- data.table(
    experiment = "e", environment = "v", round = "r", fork = c(1, 1, 2), iteration = c(1, 2, 1), measure = "latency",
    counts = c("1;0;0", "0;0;1", "0;3;0")
  )
  found <- latency_values(counted)
  expect_identical(found[fork == 1]$measure, paste0("latency.", c("p50", "p90", "p99", "max")))
  expect_equal(found[fork == 1]$value, latency_bin_ns(c(0, 2, 2, 2)))
  expect_equal(found[fork == 2]$value, rep(latency_bin_ns(1), 4))
  expect_identical(nrow(latency_values(counted[0])), 0L)
})

test_that("1 MiB of SHA-256 over counters: golden values", {
  counts <- scan(fixture("sha256-counters.txt"), quiet = TRUE)
  found <- byte_uniformity(counts)
  expect_identical(sum(counts), 2^20)
  expect_golden(
    unlist(found), c(246.9355469, 0.6298027, 7.9998302, 62.9798598, 3937, 4246)
  )
})

test_that("critical values: golden", {
  # Two values that are off the mean of 256 make any chi-square.
  p_of <- function(chi_square) {
    off <- sqrt(chi_square * 1e6 / 2)
    byte_uniformity(1e6 + c(off, -off, rep(0, 254)))$p
  }
  expect_golden(c(p_of(293.2478350), p_of(310.4573882)), c(0.05, 0.01))
})

test_that("bytes of one value are as uneven as can be", {
  found <- byte_uniformity(c(1000, rep(0, 255)))
  expect_equal(found[c("chi_square", "p", "entropy")], list(chi_square = 255000, p = 0, entropy = 0))
})

test_that("time stopped is that of a fork's own JVM, over the pauses that its collector reports, if it reports any", {
  fork <- function(number) data.table(experiment = "e", environment = "v", round = "r", fork = number)
  pauses <- cbind(fork(c(1, 1, 1, 2)), pause_ms = c(4, 2, 100, 5), side = c("fork", "fork", "server", "fork"))
  found <- stopped_values(pauses, cbind(fork(c(1, 2)), reported_ms = c(4, 0)))
  expect_named(found, observed_columns)
  expect_identical(unique(found$fork), 1)
  expect_equal(stats::setNames(found$value, found$measure), c(
    "gc.reported" = 4, "gc.stopped" = 6, "gc.stopped-over-reported" = 1.5
  ))
})

fork <- function(number, ...) {
  data.table(
    experiment = "kofahi2013", environment = "v", round = "r", fork = number, iteration = 1:4,
    measured = c(FALSE, TRUE, TRUE, TRUE), all_operations = 10, ...
  )
}
nothing <- observed_values(no_observations()[, `:=`(experiment = "", environment = "", round = "")], fork(1))
parts <- function(iterations, experiments = "kofahi2013", observed = nothing, cells = "encrypt") {
  forks <- unique(iterations[, fork_key, with = FALSE])[, cell := cells]
  with_cpu_parts(observed, iterations, forks, experiments)
}

test_that("user and system time are sums over the measured iterations, per operation", {
  found <- parts(fork(1, process_user_ns = c(9e9, 9e7, 1.2e8, 9e7), process_system_ns = c(9e9, 0, 2e7, 1e7)))
  expect_named(found, observed_columns)
  expect_identical(found$measure, c("system", "user"))
  expect_equal(found$value, c(3e7 / 30, 3e8 / 30))
  expect_true(all(is.na(found$sd)))
})

test_that("ten ticks of both together are needed, however few of them are the kernel's: all forks of a cell, or none", {
  enough <- fork(1, process_user_ns = c(9e9, 3e7, 3e7, 5e7), process_system_ns = 0)
  less <- fork(2, process_user_ns = c(9e9, 3e7, 3e7, 2e7), process_system_ns = c(0, 1e7, 0, 0))
  untold <- fork(3, process_user_ns = NA_real_, process_system_ns = NA_real_)
  found <- parts(rbind(enough, less, untold), cells = c("a", "b", "c"))
  expect_identical(found$fork, c(1, 1))
  expect_equal(found$value, c(0, 1.1e8 / 30))
  expect_identical(parts(rbind(enough, less))$fork, c(1, 1, 2, 2))
})

test_that("only experiments that want them have them, beside what was observed", {
  wanted <- fork(1, process_user_ns = 1e8, process_system_ns = 1e7)
  rows <- rbind(wanted, copy(wanted)[, experiment := "other"])
  expect_identical(parts(rows, character()), nothing)
  seen <- data.table(
    experiment = "other", environment = "v", round = "r", fork = 1, measure = "total", value = 1, sd = 2
  )
  found <- parts(rows, observed = seen)
  expect_identical(found$experiment, c("kofahi2013", "kofahi2013", "other"))
  expect_identical(found[3], seen)
})

test_that("a real round's parts are all of its process's CPU time", {
  raw <- file.path(dirname(analysis_dir), "data", "sample")
  tables <- tidy_rounds(raw, grep("^(phenry2014|stegerer2008)/", find_rounds(raw), value = TRUE))
  found <- with_cpu_parts(tables$observed, tables$iterations, tables$forks, "stegerer2008")
  parts <- found[measure %in% c("user", "system")]
  expect_identical(unique(parts$experiment), "stegerer2008")
  # Wine's forks tell nothing; of the others' some are too short.
  expect_identical(unique(parts$environment), "debian-13-temurin-21")
  whole <- tables$forks[parts[, .(value = sum(value)), by = fork_key], on = fork_key]
  expect_gt(nrow(whole), 0)
  expect_equal(whole$value, whole$process_cpu_ns_per_op)
  expect_gt(min(parts[measure == "user"]$value), 0)
  means <- observed_means(valid_forks(tables$forks), parts)
  expect_setequal(means$measure, c("user", "system"))
})

# Means of what was observed.
set.seed(9)
forks <- made_up_forks(four_ciphers(), 5)[, `:=`(fork = .I, stage = 1L)]
observed <- forks[, .(
  measure = c("total", "answered-share"), value = c(exp(stats::rnorm(1)), stats::runif(1)), sd = NA
), by = fork_key]

test_that("every cell and measure has its mean over forks, plain and on the log scale, each with Student's interval", {
  means <- observed_means(forks, observed)
  expect_identical(nrow(means), 8L)
  expect_identical(anyDuplicated(means$observed_id), 0L)
  for (i in seq_len(nrow(means))) {
    row <- means[i]
    own <- observed[forks[cell == row$cell], on = fork_key][measure == row$measure]$value
    plain <- t.test(own)
    expect_equal(c(row$mean, row$lower, row$upper), c(mean(own), plain$conf.int))
    logs <- t.test(log(own))
    expect_equal(c(row$geometric_mean, row$geometric_lower, row$geometric_upper), exp(c(mean(log(own)), logs$conf.int)))
  }
})

test_that("a value of 0 leaves no geometric mean, and forks that are not given are not in it", {
  none <- copy(observed)[measure == "total" & seq_len(.N) == 1, value := 0]
  means <- observed_means(forks[number > 1], none)
  expect_identical(unique(means$forks), 4L)
  expect_true(all(is.finite(means$geometric_mean)))
  means <- observed_means(forks, none)
  expect_identical(sum(is.na(means$geometric_mean)), 1L)
})

test_that("a second stage's forks are in the mean, and the first's spread is the interval's", {
  staged <- copy(forks)[number > 3, stage := 2L]
  row <- observed_means(staged, observed)[measure == "total"][1]
  own <- observed[staged[cell == row$cell], on = fork_key][measure == "total"]$value
  expect_equal(row$mean, mean(own))
  expect_equal(row$upper - row$mean, stats::qt(0.975, 2) * stats::sd(own[1:3]) / sqrt(5))
})

test_that("nothing observed is a table without rows", {
  none <- observed_means(forks, observed[0])
  expect_identical(nrow(none), 0L)
  expect_true(all(observed_mean_columns %in% names(none)))
})
