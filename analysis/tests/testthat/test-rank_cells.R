# Cells of an operation in the order of their time.

ranked_forks <- function(means, valid = TRUE, forks = 5) {
  rbindlist(lapply(seq_along(means), function(i) {
    data.table(
      experiment = "x", environment = "e", image_id = "i", machine_id = "m", cell = names(means)[i],
      workload = "encrypt",
      protocol = "steady-state", provider = "p", cpu_profile = "native", factor.algorithm = names(means)[i],
      round = sprintf("r-%02d", seq_len(forks)), number = seq_len(forks), fork = i, stage = 1L, looks = 1L,
      valid = rep_len(valid, length(means))[i], rerun_of = NA_real_, measured_iterations = 10, steady = "steady",
      warm_up_state = "by definition", warm_up_why = "",
      wall_ns_per_op = means[i] * exp(c(-0.02, 0.01, 0, -0.01, 0.02)),
      cpu_ns_per_op = means[i], sd_within_wall_ns = 1, sd_within_cpu_ns = 1
    )
  }))
}

test_that("the fastest has rank 1, and the ratios to it are of geometric means", {
  ranked <- rank_cells(ranked_forks(c(b = 200, a = 100, c = 400)), NULL)
  expect_equal(ranked$cell, c("a", "b", "c"))
  expect_equal(ranked$time_ns, c(100, 200, 400))
  expect_equal(ranked$ratio, c(1, 2, 4))
})

test_that("intervals hold together: they are those of a level divided by all pairs", {
  forks <- ranked_forks(c(a = 100, b = 200, c = 400))
  three <- rank_cells(forks, NULL)
  two <- rank_cells(forks[cell != "c"], NULL)
  expect_equal(two$ratio[2], three$ratio[2])
  expect_lt(three$ratio_lower[2], two$ratio_lower[2])
  values <- log(forks[cell == "b"]$wall_ns_per_op)
  se <- sqrt(2 * stats::var(values) / 5)
  expect_equal(three$ratio_lower[2], exp(log(2) - stats::qt(1 - 0.05 / 3 / 2, 8) * se))
})

test_that("an interval of a time has no limit below 0", {
  wild <- ranked_forks(c(a = 100))[, wall_ns_per_op := c(1, 1000, 10, 500, 2)]
  expect_gt(rank_cells(wild, NULL)$lower_ns, 0)
})

test_that("a cell whose forks were all disturbed is shown and marked", {
  ranked <- rank_cells(ranked_forks(c(a = 100, b = 200), valid = c(TRUE, FALSE)), NULL)
  expect_equal(ranked$disturbed, c(FALSE, TRUE))
})

test_that("of a cell with an undisturbed fork the others do not count", {
  forks <- ranked_forks(c(a = 100))[1:2, valid := FALSE]
  expect_equal(rank_cells(forks, NULL)$forks, 3)
})

test_that("without forks there is an empty table", {
  expect_equal(nrow(rank_cells(ranked_forks(c(a = 100))[0], NULL)), 0)
})

test_that("disturbed forks are unproven, whatever their compilation says, and no reference fork speaks for them", {
  forks <- ranked_forks(c(a = 100, b = 200), valid = c(TRUE, FALSE))[, `:=`(reference_ns = 1, early_ns = 1)]
  shown <- shown_forks(forks)
  expect_equal(unique(shown[cell == "b"]$warm_up_why), disturbed_words)
  expect_equal(unique(shown[cell == "a"]$warm_up_state), "by definition")
  expect_true(all(is.na(shown[cell == "b"]$reference_ns)) && all(shown[cell == "a"]$reference_ns == 1))
})

# Which provider for what: today.csv.

today_definitions <- list(experiments = list(list(
  id = "today", measure = "wall", not_offered = "mark", providers = list("a", "b", "c"),
  workloads = list(
    encrypt = list(benchmark = "SecretKeyCipher.encrypt", params = list(bytes = 16384)),
    decrypt = list(benchmark = "SecretKeyCipher.decrypt", params = list(transformation = "AES/ECB", bytes = 16384)),
    agree = list(benchmark = "Agreement.agree", params = list(algorithm = "X25519")),
    random = list(benchmark = "RandomBytes.next", params = list(algorithm = "usual", bytes = 32)),
    sign = list(benchmark = "Signing.sign", params = list(bytes = 1024))
  ),
  factors = list(
    cipher = list(DES = list(transformation = "DES/ECB"), AES = list(transformation = "AES/ECB")),
    signature = list(Ed25519 = list(bits = 256))
  )
)))

today_cells <- data.table::data.table(
  experiment = "today", environment = "jdk-25", image_id = "i", machine_id = "m",
  cell = c("encrypt:aes:a:x", "encrypt:aes:b:x", "sign:ed25519:a:x"), workload = c("encrypt", "encrypt", "sign"),
  protocol = "steady-state", provider = c("a", "b", "a"), cpu_profile = "native", factor.cipher = c("AES", "AES", ""),
  factor.signature = c("", "", "Ed25519"), measure = "wall", forks = 5, mean_ns = c(200, 100, 1000),
  lower_ns = c(190, 95, 900), upper_ns = c(210, 105, 1100), warm_up_state = "proven"
)

today_of <- function(cells = today_cells, definitions = today_definitions) {
  observed <- cells[, .(experiment, environment, image_id, machine_id, cell, measure = "gc.alloc.rate.norm",
                        mean = 64, lower = 60, upper = 68)]
  ratios <- data.table::data.table(
    ratio_id = "r1", kind = "provider", experiment = "today", machine_id = "m", numerator_environment = "jdk-25",
    numerator_image_id = "i", numerator_cell = "encrypt:aes:a:x", ratio = 2, lower = 1.9, upper = 2.1
  )
  offers <- data.table::data.table(
    experiment = "today", environment = "jdk-25", cell = c("sign:ed25519:b:x", "sign:ed25519:b:x", "encrypt:aes:a:x"),
    workload = c("sign", "sign", "encrypt"), provider = c("b", "b", "a"), cpu_profile = "native",
    offered = c("no", "no", "yes"), why = c("no such algorithm", "no such algorithm", "")
  )
  today_table(cells, observed, ratios, offers, definitions)
}

test_that("providers are ranked by their time at an operation, with what it allocates", {
  rows <- today_of()
  aes <- rows[operation == "encrypt: AES"]
  expect_identical(aes$provider, c("b", "a"))
  expect_equal(aes$rank, c(1, 2))
  expect_equal(aes$bytes, c(16384, 16384))
  expect_equal(aes$allocated_bytes, c(64, 64))
  expect_equal(aes$ratio, c(NA, 2))
})

test_that("only what works through a text has its length, and operations are in the order of their levels", {
  des <- data.table::copy(today_cells)[1][, `:=`(cell = "encrypt:des:a:x", factor.cipher = "DES")]
  rows <- today_of(rbind(today_cells, des))[offered == "yes"]
  expect_identical(unique(rows$operation), c("encrypt: DES", "encrypt: AES", "sign: Ed25519"))
  expect_equal(rows[operation == "sign: Ed25519"]$bytes, NA_real_)
})

test_that("an operation without a factor is named by its algorithm", {
  cells <- data.table::data.table(workload = c("decrypt", "agree", "random"), factor.cipher = "", factor.signature = "")
  expect_identical(
    operations_to_choose(list(), cells, today_definitions$experiments[[1]]),
    c("decrypt: AES", "agree: X25519", "random")
  )
})

test_that("what a provider lacks has one row with the reason, under the same operation", {
  lacking <- today_of()[offered == "no"]
  expect_identical(lacking$operation, "sign: Ed25519")
  expect_identical(lacking$provider, "b")
  expect_identical(lacking$why, "no such algorithm")
  expect_true(is.na(lacking$mean_ns))
})

test_that("an experiment with claims, or one that asks nobody, has no rows", {
  claiming <- today_definitions
  claiming$experiments[[1]]$claims <- list(K1 = list(text = "t"))
  expect_identical(nrow(today_of(definitions = claiming)), 0L)
  refusing <- today_definitions
  refusing$experiments[[1]]$not_offered <- NULL
  expect_identical(nrow(today_of(definitions = refusing)), 0L)
})
