# Variance between machines and within them: made-up forks with known components, and the rows that reports show.
#' Forks of cells that several machines measured, of known standard deviations on the log scale.
#'
#' @param sds by level; `machine` is what a machine does to all cells, `own` to each by itself
nested_forks <- function(machines, rounds, cells, sds, iterations = 20) {
  sds <- utils::modifyList(list(machine = 0, own = 0, round = 0, fork = .05, within = .1), sds)
  forks <- CJ(machine = sprintf("m%d", seq_len(machines)), round = seq_len(rounds), unit = letters[seq_len(cells)])
  forks[, y := match(unit, letters) + stats::rnorm(1, 0, sds$machine), by = machine]
  forks[, y := y + stats::rnorm(1, 0, sds$own), by = .(machine, unit)]
  forks[, y := y + stats::rnorm(1, 0, sds$round), by = .(machine, round)]
  forks[, y := y + stats::rnorm(.N, 0, sqrt(sds$fork^2 + sds$within^2 / iterations))]
  forks[, .(
    unit, machine, round, mean = exp(y), iterations,
    sd = exp(y) * sds$within * sqrt(stats::rchisq(.N, iterations - 1) / (iterations - 1))
  )]
}
of <- function(found, name, column = "variance") found[component == name][[column]]

test_that("machines whose forks are lme4's Dyestuff have its component between batches", {
  # The data's own one-way analysis: 1764.05 between batches, 2451.25 within, in squared grams.
  forks <- data.table(
    unit = "yield", machine = rep(letters[1:6], each = 5), round = rep(1:5, 6), mean = exp(as.vector(dyestuff) / 1000),
    sd = 0, iterations = 1
  )
  found <- machine_shares(forks)
  expect_equal(c(of(found, "machine"), of(found, "fork")) * 1e6, c(1764.05, 2451.25), tolerance = 1e-6)
  expect_identical(c(of(found, "round"), of(found, "iteration")), c(0, 0))
  expect_identical(found$component, nested_levels)
})

test_that("planted components are found, each at its level", {
  set.seed(4)
  found <- machine_shares(nested_forks(60, 20, 6, list(machine = .3, round = .06, fork = .04)))
  expect_equal(found$variance, c(.3, .06, .04, .1)^2, tolerance = .2)
  expect_equal(sum(found$share), 1)
  without <- machine_shares(nested_forks(60, 20, 6, list(round = .06, fork = .04)))
  expect_lt(abs(of(without, "machine")), .0003)
})

test_that("without bias: means over many runs of two machines and few rounds are what was planted", {
  set.seed(8)
  runs <- replicate(150, machine_shares(nested_forks(2, 4, 3, list(machine = .05, round = .05)))$variance)
  expect_equal(rowMeans(runs), c(.05, .05, .05, .1)^2, tolerance = .25)
})

test_that("the interval of the machines' share holds the planted one, more often where cells differ by themselves", {
  set.seed(9)
  held <- function(k, machine, own) {
    truth <- (machine^2 + own^2) / (machine^2 + own^2 + .05^2 + .1^2)
    mean(replicate(100, {
      found <- machine_shares(nested_forks(k, 8, 4, list(machine = machine, own = own)))[component == "machine"]
      found$lower <= truth & truth <= found$upper
    }))
  }
  # Of 100 runs at 95 %, 89 to 100 hold it but once in a hundred times.
  for (k in c(2, 5)) expect_gte(held(k, .1, 0), .89)
  expect_lt(held(2, .1, 0), 1)
  expect_gte(held(3, 0, .1), .95)
})

test_that("a cell of one machine, single forks and rounds that lack cells do no harm", {
  set.seed(10)
  forks <- nested_forks(3, 6, 4, list(machine = .3, round = .05, fork = .02))
  alone <- copy(forks)[, unit := paste(unit, machine)]
  expect_null(machine_shares(alone))
  expect_equal(machine_shares(rbind(forks, alone)), machine_shares(forks))
  expect_true(all(is.finite(machine_shares(forks[-(1:9)])$variance)))
  expect_true(all(is.finite(machine_shares(forks[round == 1][, sd := NA_real_])$share)))
})

made_up_shares <- function(forks) {
  definitions <- made_up_definitions(list())
  definitions$experiments[[1]]$protocols <- list("steady-state" = list())
  share_table(forks, definitions)
}
two_machines <- function(environments = "debian-12", images = "sha256:aa") {
  set.seed(11)
  one <- function(id, environment, image, slower) {
    made_up_forks(four_ciphers(image_id = image, machine_id = id)[, ns := ns * slower], environment = environment)
  }
  rbindlist(Map(one, c("0000000000aa", "0000000000bb"), environments, images, c(1, 2)))
}

test_that("machines that measured the same cells have rows of their own, with no machine's name before them", {
  found <- made_up_shares(two_machines())
  expect_identical(found$component, nested_levels)
  expect_identical(unique(found$machine_id), "")
  expect_equal(as.numeric(of(found, "machine")), stats::var(c(0, log(2))), tolerance = .05)
  expect_identical(found[1, .(levels, compared)], data.table(levels = "2", compared = "0000000000aa;0000000000bb"))
  expect_true(all(is.na(found[-1, c(levels, lower, upper)])))
})

test_that("one machine has none, nor have machines of other environments and images; kits with one JVM count alike", {
  expect_identical(nrow(made_up_shares(two_machines()[machine_id == "0000000000aa"])), 0L)
  expect_false("machine" %in% made_up_shares(two_machines(c("debian-12", "debian-13")))$component)
  expect_false("machine" %in% made_up_shares(two_machines(images = c("sha256:aa", "sha256:bb")))$component)
  kits <- c("kit-0000000000aa", "kit-0000000000bb")
  expect_true("machine" %in% made_up_shares(two_machines(kits))$component)
})
