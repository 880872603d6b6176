# Wrong verdicts in a whole report: claims of every form, judged as in the report, with Holm over each simulated
# report.

validity_verdicts <- function(simulations, seed, cores) {
  simulated_verdicts_row(
    "24 claims of every form: true, false, half of them at the edge", mixed_claims(), simulations, seed, cores
  )
}

#' True log times of the simulated cells, which are the levels of one factor.
simulated_levels <- c(
  a = 0, b = 0, c = log(1.02), d = log(1.05), e = log(2), f = log(2), g = log(2.5), h = log(3), i = log(3.06),
  j = log(4),
  k = log(4), l = log(5), m = 0, n = 0, o = log(1.4), p = log(1.4), q = 0, r = log(1.02), s = 0, t = log(0.98)
)

#' A claim: its pairs of levels with their targets, `alike` if the form has it, and the truth.
simulated_claim <- function(form, compares, levels, sides, limits, truth, alike = NULL) {
  list(
    form = form, compares = compares, levels = levels, alike = alike, truth = truth, pairs = data.table(
      numerator = sides[[1]], denominator = sides[[2]], target_lower = limits[1], target_upper = limits[2]
    )
  )
}

#' The pairs and targets of bench/forms.yaml; `...` are the form's parameters.
level_form <- function(form, levels, truth, ...) {
  parameters <- list(...)
  sides <- switch(form,
    order = list(utils::head(levels, -1), levels[-1]), same = list(levels[-1], levels[1]), list(levels[1], levels[-1])
  )
  limits <- switch(form,
    "slowest-of" = c(1, Inf), same = c(1 / parameters$within, parameters$within), c(0, 1)
  )
  simulated_claim(form, "levels", levels, sides, limits, truth, parameters$alike)
}
ratio_form <- function(form, numerator, denominator, truth, limit = NULL, value = NULL, within = NULL) {
  limits <- switch(form,
    "ratio-below" = c(0, limit), "ratio-above" = c(limit, Inf), c(value / within, value * within)
  )
  simulated_claim(form, "ratios", c(numerator, denominator), list(numerator, denominator), limits, truth)
}

#' Claims of every form. `truth` is the correct verdict; "does not hold" is also correct if the truth says more. It is
#' `edge` if the truth is on the limit of the claim, so that every decided verdict is wrong.
mixed_claims <- function() {
  list(
    level_form("best-of", c("a", "e", "g", "h"), "holds", alike = 1.05),
    level_form("best-of", c("a", "b", "e"), "edge", alike = 1.05),
    # All equal except one on the margin: neither best nor equal.
    level_form("best-of", c("m", "n", "d"), "edge", alike = 1.05),
    level_form("best-of", c("c", "a", "e"), "does-not-hold", alike = 1.05),
    level_form("slowest-of", c("l", "j", "a"), "holds"), level_form("slowest-of", c("j", "k", "a"), "edge"),
    level_form("slowest-of", c("h", "i", "a"), "does-not-hold"), level_form("order", c("a", "c", "d", "e"), "holds"),
    level_form("order", c("a", "e", "f", "g"), "edge"), level_form("order", c("a", "d", "c"), "does-not-hold"),
    level_form("same", c("a", "b", "m"), "holds", within = 1.05), level_form(
      "same", c("q", "r", "s"), "edge", within = 1.02
    ),
    level_form("same", c("a", "d"), "does-not-hold", within = 1.02),
    ratio_form("ratio-below", "a", "b", "edge", limit = 1),
    ratio_form("ratio-below", "m", "n", "edge", limit = 1), ratio_form("ratio-below", "t", "s", "holds", limit = 1),
    ratio_form("ratio-above", "o", "m", "edge", limit = 1.4), ratio_form("ratio-above", "p", "n", "edge", limit = 1.4),
    ratio_form("ratio-above", "c", "a", "other-size", limit = 1.04), ratio_form(
      "ratio-about", "e", "a", "holds", value = 2, within = 1.25
    ),
    ratio_form("ratio-about", "g", "b", "edge", value = 2, within = 1.25), ratio_form(
      "ratio-about", "j", "f", "edge", value = 2.5, within = 1.25
    ),
    ratio_form("ratio-about", "l", "q", "holds", value = 4, within = 1.5), ratio_form(
      "ratio-about", "h", "i", "opposite", value = 1.1, within = 1.05
    )
  )
}

simulated_verdicts_row <- function(setting, claims, simulations, seed, cores) {
  names(claims) <- sprintf("C%02d", seq_along(claims))
  truth <- level_truths(claims)
  simulated_row("reports with any wrong verdict", setting, simulations, seed, cores, function(count) {
    forks <- report_forks(count, truth)
    verdicts <- judged_reports(forks, report_definitions(claims), report_pairs(claims, unique(forks$environment)))
    right <- vapply(claims, `[[`, "", "truth")[verdicts$claim]
    side <- vapply(claims, true_side, "", truth)[verdicts$claim]
    verdicts[, wrong := !right_verdict(verdict, right) | (direction %in% c("same", "opposite") & direction != side)]
    verdicts[, any(wrong), by = environment][, sum(V1)]
  }, most = 5)
}

#' Whether verdicts are not wrong. Undecided ones never are, and "does not hold" is right if the truth says more.
right_verdict <- function(verdict, right) {
  verdict == "undecided" | verdict == right | (verdict == "does-not-hold" & right %in% c("other-size", "opposite"))
}

#' The side of 1 on which all true ratios of a claim lie: `same` if it is the claimed side, `opposite`, or neither.
#' Also empty if the claim has no side.
true_side <- function(claim, truth) {
  pairs <- with_sides(copy(claim$pairs), 1)
  ratio <- exp(truth[pairs$numerator] - truth[pairs$denominator])
  # A ratio of 1 lies on neither side.
  within <- ratio > pairs$side_lower & ratio < pairs$side_upper
  beyond <- ratio < pairs$side_lower | ratio > pairs$side_upper
  if (all(within) %in% TRUE) "same" else if (all(beyond) %in% TRUE) "opposite" else ""
}

#' True log times of the levels that claims name; 0 if none is given.
level_truths <- function(claims) {
  named <- unique(unlist(lapply(claims, `[[`, "levels")))
  truth <- simulated_levels[named]
  truth[is.na(truth)] <- 0
  stats::setNames(truth, named)
}

#' Simulated reports, each in a separate environment, with 10 forks per cell, CV 1 %.
report_forks <- function(count, truth) {
  reports <- rep(sprintf("report-%05d", seq_len(count)), each = length(truth))
  keys <- simulated_keys(rep(names(truth), count), reports)
  keys[, `factor.level` := cell]
  logs <- rep(rep(truth, count), each = 10L)
  forks_of_means(keys, matrix(exp(logs + stats::rnorm(length(logs), 0, 0.01)), 10L))
}

report_definitions <- function(claims) {
  judged <- lapply(claims, function(claim) {
    list(
      form = claim$form, parameters = list(alike = claim$alike),
      decision = simulated_decision(claim$compares, claim$form == "same")
    )
  })
  list(experiments = list(list(id = "simulated", measure = "wall", claims = judged)))
}

#' Rows of claim_pairs.csv: every claim in every report. Levels are judged together, each ratio separately.
report_pairs <- function(claims, reports) {
  rows <- rbindlist(lapply(names(claims), function(name) {
    copy(claims[[name]]$pairs)[, `:=`(claim = name, form = claims[[name]]$form, item = .I, needed = .N)]
  }))
  rows <- rows[rep(seq_len(.N), length(reports))][, environment := rep(reports, each = nrow(rows))]
  rows[, group := .GRP, by = .(claim, environment)]
  simulated_pairs(rows[order(match(claim, names(claims)))])
}

#' Verdicts of simulated reports. Does the same as `judge_claims`, without its texts, and decides report by report.
#'
#' @return data.table: `environment` (the report), `claim`, `p`, `answer`, `p_holm`, `verdict`, `direction`
judged_reports <- function(forks, definitions, pairs) {
  long <- forks_by_measure(forks)
  cells <- unique(forks[, cell_columns(forks), with = FALSE], by = measured_cell)
  claims <- listed_claims(definitions, pairs)
  rows <- Map(function(claim, found) {
    found <- found[used == TRUE & forks_min >= verdict_forks]
    found[, c(combine_contrasts(p_support, p_refute, p_alike, group), list(
      p_same = max(p_same), p_opposite = max(p_opposite), sized = any(sized)
    )), by = environment][
      , .(environment, claim = claim$id, p, answer, p_same, p_opposite, sized)
    ]
  }, claims, claim_contrasts(claims, long, cells, 0.95))
  rows <- rbindlist(rows)
  rows[, `:=`(family = environment, verdict = "undecided", unproven = FALSE, unproven_side = FALSE)]
  with_direction(adjust_holm(rows, 0.05), 0.05)
}

# Wrong verdicts in whole runs whose stages are planned from undecided claims. The verdicts use repeated p values and
# Holm over all claims, as in a run for verdicts.

validity_whole_runs <- function(simulations, seed, cores) {
  rows <- lapply(c(0.01, 0.05), function(cv) {
    claims <- twenty_claims(cv)
    definitions <- whole_definitions()
    pairs <- whole_pairs(claims)
    # A run takes as long as a report, so there are a twentieth of the other rows' simulations.
    runs <- max(1, simulations %/% 20)
    found <- simulate_chunks(runs, seed + 1e6 * cv, cores, function(count) {
      vapply(seq_len(count), function(i) {
        done <- staged_run(drawn_forks(claims, cv), definitions, pairs)
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

#' Statements that a ratio is below 1, each about a separate pair. They are true and false by 0, 0.5, 1, 2 and 5 CVs of
#' a fork, two of each.
twenty_claims <- function(cv) {
  off <- cv * c(0, 0.5, 1, 2, 5)
  data.table(claim = sprintf("C%02d", 1:20), log_ratio = rep(c(off, -off), 2))
}

#' They are variants of one claim, each with a verdict. Judging them is faster than judging as many claims.
whole_definitions <- function() {
  claim <- list(form = "ratio-below", text = "one is faster", decision = simulated_decision("ratios"))
  list(experiments = list(list(id = "simulated", measure = "wall", claims = list(C = claim))))
}

whole_pairs <- function(claims) {
  simulated_pairs(claims[, .(
    claim = "C", form = "ratio-below", variant = paste0("pair=", claim), environment = "simulated", group = .I,
    item = 1, needed = 1, target_lower = 0, target_upper = 1, numerator = "one", denominator = "two",
    numerator_cell = paste(claim, "one"), denominator_cell = paste(claim, "two")
  )])
}

#' The pool from which `staged_run` draws: both cells of each claim, with times that vary about 1 and the claim's
#' ratio.
drawn_forks <- function(claims, cv) {
  cells <- data.table(pair = rep(claims$claim, 2), side = rep(c("one", "two"), each = nrow(claims)))
  cells[, `:=`(cell = paste(pair, side), log_mean = c(claims$log_ratio, rep(0, nrow(claims))))]
  measured <- 0L
  function(wanted) {
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

#' Whether a verdict is wrong: decided against the truth, or decided at all although the truth is the limit.
any_wrong <- function(verdicts, claims) {
  truth <- claims$log_ratio[match(verdicts$variant, paste0("pair=", claims$claim))]
  right <- ifelse(truth < 0, "holds", ifelse(truth > 0, "opposite", "undecided"))
  any(verdicts$verdict %in% decided_kinds & !right_verdict(verdicts$verdict, right))
}
