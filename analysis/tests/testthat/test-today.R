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
