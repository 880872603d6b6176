# Compares two runs of the same cells: each cell's time in one run over its time in the other.

#' Ratios of the cells that two runs have in common.
#'
#' A cell of one run matches a cell of the other if experiment, environment, protocol and cell are the same. Image and
#' machine may differ, and are never pooled. If there are several, each pair has a row. Rounds of two runs were not
#' measured at the same time, so intervals are Welch's on log fork means.
#'
#' @param a,b tables `forks.csv`, of forks that count; `wanted` wall or cpu
#' @return data.table; `ratio` is that of b to a. The p value is two-sided, after Holm over all rows. `warm_up_state` is
#'   TRUE if both runs are proven or need no proof, `elsewhere` if image or machine differ.
two_runs <- function(a, b, wanted = "wall", confidence = 0.95) {
  names <- c("experiment", "environment", "protocol", "cell")
  of_run <- function(forks, run) {
    long <- forks_by_measure(forks)[measure == wanted]
    by <- c(names, "image_id", "machine_id")
    cells <- forks[, .(warm_up_state = all(warm_up_state %in% c("proven", "by definition"))), by = by]
    list(long = long[, `:=`(image_id = paste(run, image_id, machine_id), machine_id = "")], cells = cells)
  }
  sides <- list(of_run(a, "a"), of_run(b, "b"))
  pairs <- merge(sides[[1]]$cells, sides[[2]]$cells, by = names, suffixes = c(".a", ".b"), allow.cartesian = TRUE)
  if (nrow(pairs) == 0) return(data.table(cell = character(), p_holm = numeric(), elsewhere = logical()))
  asked <- pairs[, .(
    experiment, machine_id = "", protocol, measure = wanted,
    numerator_environment = environment, numerator_image_id = paste("b", image_id.b, machine_id.b),
    numerator_cell = cell, denominator_environment = environment,
    denominator_image_id = paste("a", image_id.a, machine_id.a), denominator_cell = cell, target_lower = 0,
    target_upper = Inf
  )]
  forks <- rbind(sides[[1]]$long, sides[[2]]$long, fill = TRUE)
  found <- estimate_pairs(asked, forks, confidence, lone = TRUE, paired = FALSE)
  p <- pmin(2 * upper_tail(abs(found$log_ratio) / found$se_log, found$df), 1)
  pairs[, .(
    experiment, environment, protocol, cell, ratio = found$ratio, lower = found$lower, upper = found$upper,
    forks_min = found$forks_min, p_holm = stats::p.adjust(p, "holm"), warm_up_state = warm_up_state.a & warm_up_state.b,
    elsewhere = image_id.a != image_id.b | machine_id.a != machine_id.b
  )]
}

#' The comparison of two runs, one sentence per element: differences first, the largest at the top.
#'
#' @param rows of `two_runs`; `alone` number of cells that only a and only b has; `alpha` for all sentences together
two_runs_words <- function(rows, alone, measure = "wall", alpha = 0.05) {
  counted <- sprintf(
    "%d cells are in both runs; %d only in A, %d only in B. Times are %s times.",
    nrow(rows), alone[1], alone[2], if (measure == "wall") "wall" else "CPU"
  )
  if (nrow(rows) == 0) return(counted)
  differs <- rows[!is.na(p_holm) & p_holm < alpha][order(-abs(log(ratio)))]
  same <- rows[!is.na(p_holm) & p_holm >= alpha]
  few <- sum(is.na(rows$p_holm))
  shown <- function(x) format_plain(x, 4)
  lines <- differs[, sprintf(
    "  %s in %s (%s): B takes %s times A's time [%s, %s]%s", cell, environment, experiment, shown(ratio), shown(lower),
    shown(upper), fifelse(warm_up_state, "", "; unproven")
  )]
  c(
    counted,
    if (any(rows$elsewhere)) sprintf(
      "%d of them have another image or another machine: what differs may be these.", sum(rows$elsewhere)
    ),
    sprintf(
      "%d differ, at a level of %s for all of them together (Holm)%s", nrow(differs), format_plain(alpha),
      if (nrow(differs) > 0) ":" else "."
    ),
    lines,
    if (nrow(same) > 0) sprintf(
      "%d are statistically indistinguishable; their widest interval is %s to %s.", nrow(same),
      shown(same[which.max(log(upper / lower))]$lower), shown(same[which.max(log(upper / lower))]$upper)
    ),
    if (few > 0) sprintf("%d have fewer than 2 forks in a run, or times of 0, and are not compared.", few)
  )
}

# Two runs of the same cells compared in words.
command_compare_runs <- function(words) {
  arguments <- read_arguments(
    list(
      a = list(text = "directory with a run's forks.csv", required = TRUE, folder = TRUE),
      b = list(text = "the same of the other run", required = TRUE, folder = TRUE),
      measure = list(text = "wall or cpu; wall if left out")
    ),
    "Says how the times of the cells that two runs have in common differ.",
    words
  )
  measure <- arguments$measure %||% "wall"
  if (!measure %in% c("wall", "cpu")) {
    refuse("command line", sprintf("--measure %s", measure), "wall or cpu", "choose one")
  }
  runs <- lapply(arguments[c("a", "b")], function(folder) {
    valid_forks(read_table(file.path(folder, "forks.csv"), c(fork_columns, "number")))
  })
  rows <- two_runs(runs$a, runs$b, measure)
  keys <- c("experiment", "environment", "protocol", "cell")
  cells <- lapply(runs, function(forks) unique(forks[, keys, with = FALSE]))
  alone <- c(nrow(fsetdiff(cells$a, cells$b)), nrow(fsetdiff(cells$b, cells$a)))
  writeLines(two_runs_words(rows, alone, measure))
}
