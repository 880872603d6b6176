# Wrong verdicts in whole runs that are planned by what is open: stages, repeated p values and Holm over all claims
# together, as a run that wants verdicts takes them.

validity_whole_runs <- function(simulations, seed, cores, forms) {
  rows <- lapply(c(0.01, 0.05), function(cv) {
    claims <- twenty_claims(cv)
    definitions <- whole_definitions(claims)
    # Each takes as long as a report: a twentieth of the simulations of the other rows.
    runs <- max(1, simulations %/% 20)
    found <- simulate_chunks(runs, seed + 1e6 * cv, cores, function(count) {
      vapply(seq_len(count), function(i) {
        done <- staged_run(drawn_forks(claims, cv), definitions, forms)
        any_wrong(done$verdicts, claims)
      }, TRUE)
    }, size = 25L)
    validity_row(
      "whole runs with any wrong verdict, each stage planned from what is open",
      sprintf("20 claims near and far from their limits, CV %s %%, four looks, 5 forks first", format(100 * cv)),
      sum(unlist(found)), runs, most = 5
    )
  })
  rbindlist(rows)
}

#' Statements that a ratio is below 1, each of a pair of its own: true and false by 0, 0.5, 1, 2 and 5 CVs of a fork,
#' two of each.
twenty_claims <- function(cv) {
  off <- cv * c(0, 0.5, 1, 2, 5)
  data.table(claim = sprintf("C%02d", 1:20), log_ratio = rep(c(off, -off), 2))
}

#' They are variants of one claim, each with its verdict, which are judged faster than as many claims.
whole_definitions <- function(claims) {
  claim <- list(
    form = "ratio-below", text = "one is faster", parameters = list(limit = 1), each = list("pair"),
    ratios = list(list(numerator = list(side = "one"), denominator = list(side = "two")))
  )
  level <- function(names) stats::setNames(rep(list(list()), length(names)), names)
  list(experiments = list(list(
    id = "simulated", measure = "wall", claims = list(C = claim),
    workloads = list(work = list(factors = list("pair", "side"))),
    factors = list(pair = level(claims$claim), side = level(c("one", "two")))
  )))
}

#' What `staged_run` draws from: both cells of each claim, times normal about 1 and the claim's ratio.
drawn_forks <- function(claims, cv) {
  cells <- data.table(pair = rep(claims$claim, 2), side = rep(c("one", "two"), each = nrow(claims)))
  cells[, `:=`(cell = paste(pair, side), log_mean = c(claims$log_ratio, rep(0, nrow(claims))))]
  measured <- 0L
  function(wanted, stage) {
    own <- if (is.data.table(wanted)) cells[wanted[, .(cell, forks)], on = "cell"] else cells[, forks := wanted][]
    keys <- simulated_keys(own$cell)
    keys[, `:=`(`factor.pair` = own$pair, `factor.side` = own$side)]
    times <- exp(rep(own$log_mean, own$forks) + stats::rnorm(sum(own$forks), 0, cv))
    forks <- forks_of_means(keys, times, own$forks)
    forks[, `:=`(number = number + measured, round = sprintf("%04d", number + measured), valid = TRUE)]
    measured <<- max(forks$number)
    forks
  }
}

#' Whether a verdict is wrong: decided against the truth, or at all where the truth is the limit.
any_wrong <- function(verdicts, claims) {
  truth <- claims$log_ratio[match(verdicts$variant, paste0("pair=", claims$claim))]
  right <- ifelse(truth < 0, "supported", ifelse(truth > 0, "refuted", "inconclusive"))
  any(verdicts$verdict %in% c("supported", "refuted") & verdicts$verdict != right)
}
