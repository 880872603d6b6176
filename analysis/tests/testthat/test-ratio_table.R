# Two CPU profiles, two protocols, three providers of which one is native; log-normal forks.
study <- made_up_experiment(list(), measure = "wall")
study$protocols <- list("as-published" = list(), "steady-state" = list())
study$not_offered <- "mark"
definitions <- list(
  settings = list(confidence = 0.95), experiments = list(study), cpu_profiles = list(native = list(), core2 = list()),
  providers = list(quick = list(), slow = list(), library = list(native = "openssl"))
)
ns <- c(quick = 200, slow = 600, library = 100)
cells <- CJ(
  protocol = c("as-published", "steady-state"), cpu_profile = c("core2", "native"), provider = names(ns),
  factor.cipher = c("AES", "Blowfish"), workload = "encrypt"
)
cells[, cell := paste(factor.cipher, provider, protocol, cpu_profile, sep = ":")]
cells[, ns := ns[provider] * fifelse(cpu_profile == "core2", 3, 1) * fifelse(protocol == "steady-state", 1, 1.5)]
set.seed(8)
forks <- made_up_forks(cells, count = 6)[, `:=`(valid = TRUE, stage = 1L)]
found <- ratio_table(forks, definitions)
logs <- function(id, table = forks) log(table[cell == id]$wall_ns_per_op)

test_that("each kind holds the cells against each other that it says, Welch on log fork means", {
  expect_identical(
    found[, .N, keyby = kind][, setNames(N, kind)], c(protocol = 12L, provider = 12L, reference = 12L)
  )
  for (i in which(found$numerator_cell != found$denominator_cell)) {
    row <- found[i]
    welch <- t.test(logs(row$numerator_cell), logs(row$denominator_cell))
    expect_equal(log(c(row$lower, row$upper)), as.numeric(welch$conf.int))
    expect_equal(log(row$ratio), unname(diff(rev(welch$estimate))))
  }
  expect_true(all(found[kind == "protocol"]$numerator_protocol == "as-published"))
  expect_true(all(found[kind != "protocol"]$numerator_protocol == "steady-state"))
})

test_that("the reference is the first environment and the native profile, the fastest the one of the least log mean", {
  expect_true(all(endsWith(found[kind == "reference"]$denominator_cell, ":native")))
  expect_true(all(grepl(":library:", found[kind == "provider"]$denominator_cell)))
  own <- found[numerator_cell == denominator_cell]
  expect_identical(own[, .N, keyby = kind]$N, c(4L, 6L))
  expect_true(all(own$ratio == 1) && all(is.na(own[, .(lower, upper, df)])))
})

test_that("a ratio of a cell with a second stage rests on the spread of the first", {
  staged <- copy(forks)[number > 4, stage := 2L]
  row <- ratio_table(staged, definitions)[kind == "provider" & numerator_cell != denominator_cell][1]
  one <- logs(row$numerator_cell, staged)
  two <- logs(row$denominator_cell, staged)
  expect_equal(row$log_ratio, mean(one) - mean(two))
  expect_equal(row$se_log, sqrt((var(one[1:4]) + var(two[1:4])) / 6))
  expect_equal(row$df, 3)
})

test_that("a single fork gives a ratio without an interval, a mean of 0 none", {
  few <- forks[number == 1]
  zero <- cells[protocol == "steady-state" & provider == "slow" & cpu_profile == "native"]$cell[1]
  few[cell == zero, wall_ns_per_op := 0]
  rows <- ratio_table(few, definitions)[kind == "reference" & numerator_cell != denominator_cell]
  expect_true(all(is.na(rows$lower)))
  expect_identical(sum(is.na(rows$ratio)), 1L)
})

test_that("no experiment, no ratio, but all columns", {
  expect_identical(names(ratio_table(forks, list())), ratio_columns)
  expect_identical(nrow(ratio_table(forks, list())), 0L)
})

# Two protocols, two CPU profiles, three providers; two environments that differ in the JDK, and one on another system.
study <- made_up_experiment(list(), measure = "wall")
study$protocols <- list("as-published" = list(), "steady-state" = list())
environment <- function(id, system, jdk_id) list(id = id, system = system, jdk_id = jdk_id)
definitions <- list(
  settings = list(confidence = 0.95), experiments = list(study), cpu_profiles = list(native = list(), core2 = list()),
  providers = list(quick = list(), slow = list(), library = list()),
  environments = list(environment("a", "one", "17"), environment("b", "one", "21"), environment("c", "two", "21"))
)
cells <- CJ(
  protocol = c("as-published", "steady-state"), cpu_profile = c("core2", "native"),
  provider = c("quick", "slow", "library"), factor.cipher = c("AES", "Blowfish"), environment = c("a", "b", "c"),
  workload = "encrypt"
)
cells[, cell := paste(factor.cipher, provider, protocol, cpu_profile, sep = ":")]
cells[, `:=`(image_id = paste0("sha256:", environment), ns = 100 * match(provider, c("quick", "slow", "library")))]
set.seed(8)
forks <- made_up_forks(cells, count = 6)[, `:=`(valid = TRUE, stage = 1L)]
found <- pair_table(forks, definitions)[measure == "wall"]
sides <- function(rows, column) {
  key <- function(side) c(environment = paste0(side, "_environment"), cell = paste0(side, "_cell"))
  value <- function(side) cells[rows, on = key(side)][[column]]
  data.table(numerator = value("numerator"), denominator = value("denominator"))
}

test_that("cells are paired with those that differ from them in one respect only, each pair once", {
  expect_identical(
    found[, .N, keyby = dimension][, setNames(N, dimension)],
    c(
      cpu_profile = 36L, environment = 24L, factor.cipher = 36L, jdk = 24L, protocol = 36L, provider = 72L,
      system = 24L
    )
  )
  for (column in c("protocol", "cpu_profile", "provider", "factor.cipher", "environment")) {
    kinds <- if (column == "environment") c("environment", "jdk", "system") else column
    own <- sides(found[dimension %in% kinds], column)
    other <- sides(found[!dimension %in% kinds], column)
    expect_true(all(own$numerator != own$denominator))
    expect_true(all(other$numerator == other$denominator))
  }
  expect_identical(anyDuplicated(found$pair_id), 0L)
})

test_that("the level that is declared first is the denominator, of protocols the last", {
  expect_identical(unique(sides(found[dimension == "protocol"], "protocol")$denominator), "steady-state")
  expect_identical(unique(sides(found[dimension == "cpu_profile"], "cpu_profile")$denominator), "native")
  providers <- unique(sides(found[dimension == "provider"], "provider"))
  expect_setequal(paste(providers$numerator, providers$denominator), c("slow quick", "library quick", "library slow"))
})

test_that("environments differ in the JDK, the system, or both", {
  own <- found[dimension %in% c("jdk", "system", "environment")]
  pairs <- unique(own[, .(dimension, key = paste0(denominator_environment, numerator_environment))])
  expect_identical(pairs[order(key), setNames(dimension, key)], c(ab = "jdk", ac = "environment", bc = "system"))
})

test_that("a ratio is Welch's on log fork means", {
  logs <- function(cell_, environment_) log(forks[cell == cell_ & environment == environment_]$wall_ns_per_op)
  for (row in split(found[dimension == "provider"][1:5], by = "pair_id")) {
    welch <- t.test(
      logs(row$numerator_cell, row$numerator_environment), logs(row$denominator_cell, row$denominator_environment)
    )
    expect_equal(log(c(row$lower, row$upper)), as.numeric(welch$conf.int))
  }
})

test_that("a single fork gives a ratio without an interval, one cell alone no row", {
  few <- pair_table(forks[number == 1], definitions)
  expect_true(nrow(few) > 0 && all(is.na(few$lower)) && all(is.finite(few$ratio)))
  expect_identical(nrow(pair_table(forks[cell == cells$cell[1] & environment == "a"], definitions)), 0L)
})
