test_that("many forks at once get the class and the start that each gets alone", {
  set.seed(61)
  n <- 60
  noise <- function(m) matrix(rnorm(n * m, 100, 1), n)
  warm <- noise(40) * (1 + exp(-(seq_len(n) - 1) / 6))
  slow <- noise(40) * ifelse(seq_len(n) > 30, 1.2, 1)
  late <- noise(40) * ifelse(seq_len(n) > 55, 0.5, 1)
  small <- noise(40) * ifelse(seq_len(n) > 20, 0.995, 1)
  wild <- matrix(100 * exp(rt(n * 40, 2) / 20), n)
  times <- cbind(noise(40), warm, slow, late, small, wild)
  alone <- rbindlist(lapply(asplit(times, 2), function(x) classify_steady(as.numeric(x))[c("steady", "steady_from")]))
  found <- classify_steady_many(times)
  expect_identical(found$steady, alone$steady)
  expect_identical(found$steady_from, alone$steady_from)
  expect_setequal(unique(alone$steady), c("flat", "warm-up", "slowdown", "no steady state"))
})

test_that("iterations of forks of any lengths, in any order, get what their fork gets alone", {
  set.seed(63)
  lengths <- sample(c(3, 12, 40, 60), 30, replace = TRUE)
  forks <- lapply(lengths, function(n) rnorm(n, 100, 1) * ifelse(seq_len(n) <= n / 4, 1.3, 1))
  table <- data.table(fork = rep(paste0("f", seq_along(forks)), lengths), time = unlist(forks))
  table[, c("steady", "steady_from", "segment") := classify_steady(time), by = fork]
  table <- table[order(rep(seq_along(forks), lengths) %% 7)]
  found <- classify_iterations(table$time, table$fork)
  expect_identical(as.list(found), as.list(table[, .(steady, steady_from, segment)]))
})

test_that("medians of columns", {
  set.seed(62)
  x <- matrix(rnorm(70), 7)
  expect_identical(column_medians(x), apply(x, 2, median))
  expect_equal(column_medians(x[1:6, ]), apply(x[1:6, ], 2, median))
})
