# Checks of single calls within forks: their variation, the share of outliers, and the repeatability of the slowest and
# the fastest call in other JVMs. A last check is whether the slowest calls were interrupted.

call_places <- c("experiment", "environment", "image_id", "machine_id", "protocol", "cpu_profile")

#' Checks of the single calls of every stratum (environment, protocol, CPU profile), each over its cells.
#'
#' The calls are those of the last half of a fork's iterations, whether steady or not. A window chosen for its
#' steadiness would understate the variation of calls.
#'
#' - `calls.variation`: standard deviation over mean. A cell has the geometric mean over its forks.
#'
#' - `calls.far-out`: the share of all its calls beyond Tukey's outer fences, 3 interquartile ranges from the quartiles
#'   (Tukey 1977, section 2D).
#'
#' - `calls.maximum-spread`, `calls.minimum-spread`: s(log extreme) / s(log mean) over the forks of a cell, where it has
#'   3 or more. The extreme is the slowest (fastest) call. Above 1, the mean is more repeatable in another JVM.
#'
#' - `calls.largest-interrupted`: the share of a cell's iterations whose slowest call was interrupted. An interrupted
#'   call met a pause of its JVM or lost its CPU.
#'
#' - `calls.largest-over-all`: that share over the share of all calls that were interrupted.
#'
#' A share of 0 has no logarithm, so half a call is added to the numerator and one to the denominator.
#'
#' A stratum's value is the geometric mean over its cells with Student's t interval, since a claim about calls concerns
#' the typical cell. A fork counts where its code is proven compiled. Unless two cells have `verdict_forks` such forks,
#' all forks are used, with the worst warm-up state. `cells_unproven` counts the cells that are left out.
#'
#' @param calls,iterations,pauses tidy tables
#'
#' @param forks the tidy table, of forks that count
#' @param confidence of the intervals
#'
#' @return data.table: `call_places`, `measure`, `cells`, `forks`, `forks_min` (of a cell), `estimate`, `lower`,
#'   `upper` (NA below 2 cells), `warm_up_state` (the worst of the cells), `warm_up_why`, `cells_unproven`
call_checks <- function(calls, iterations, pauses, forks, confidence = 0.95) {
  if (nrow(calls) == 0) return(no_call_checks())
  by <- fork_key
  last_half <- iterations[, .(iteration = iteration[iteration > max(iteration) / 2]), by = by]
  calls <- calls[last_half, on = c(by, "iteration"), nomatch = NULL]
  calls[, interrupted := (switched > 0) %in% TRUE | met_pause(calls, pauses)]
  own <- merge(forks[, c(by, setdiff(call_places, by), "cell", "warm_up_state", "warm_up_why"), with = FALSE],
    merge(fork_calls(calls, by), fork_interruptions(calls, by), by = by, sort = FALSE), by = by
  )
  counted <- compiled_forks(own)
  unproven <- own[!counted, on = c(call_places, "cell"), .(cells = uniqueN(cell)), by = call_places]
  cells <- counted[, c(
    cell_call_values(.SD),
    list(forks = .N, warm_up_state = worst_state(warm_up_state), warm_up_why = commonest(warm_up_why))
  ), by = c(call_places, "cell")]
  values <- melt(
    cells, measure.vars = grep("^calls\\.", names(cells), value = TRUE), variable.name = "measure",
    value.name = "log_value", variable.factor = FALSE
  )[is.finite(log_value)]
  found <- values[, {
    ends <- exp(t_interval(log_value, confidence))
    list(
      cells = .N, forks = sum(forks), forks_min = min(forks), estimate = ends[1], lower = ends[2], upper = ends[3],
      warm_up_state = worst_state(warm_up_state), warm_up_why = commonest(warm_up_why)
    )
  }, by = c(call_places, "measure")]
  found[, cells_unproven := 0L][unproven, cells_unproven := i.cells, on = call_places]
  setorderv(found, c(call_places, "measure"))
  found[]
}

#' Forks whose code is proven compiled, of the cells that have `verdict_forks` of them. A stratum with fewer than two
#' such cells keeps all its forks.
compiled_forks <- function(forks) {
  marked <- copy(forks)[, proven := warm_up_state %in% warm_up_states[1:2]]
  marked[, counts := proven & sum(proven) >= verdict_forks, by = c(call_places, "cell")]
  marked[, several := uniqueN(cell[counts]) > 1, by = call_places]
  marked[counts | !several, names(forks), with = FALSE]
}

no_call_checks <- function() {
  text <- function(...) sapply(c(...), function(name) character(), simplify = FALSE)
  numbers <- c("cells", "forks", "forks_min", "estimate", "lower", "upper")
  as.data.table(c(
    text(call_places, "measure"), sapply(numbers, function(name) numeric(), simplify = FALSE),
    text("warm_up_state", "warm_up_why"), list(cells_unproven = numeric())
  ))
}

#' Measures of single calls in observations.csv of a round, and their columns in calls.csv.gz.
call_columns <- c(calls = "ns", calls.start = "start_us", calls.switched = "switched")

#' The table calls.csv.gz.
#'
#' @param observations of all rounds
#'
#' @return data.table: `fork_key`, `iteration`, `position`, and the columns of `call_columns`; NA where a round did not
#'   record them
single_calls <- function(observations) {
  key <- c(fork_key, "iteration", "position")
  of <- function(name) {
    rows <- observations[measure == name]
    lists <- split_counts(rows$counts)
    rows <- rows[rep(seq_len(.N), lists$lengths), c(fork_key, "iteration"), with = FALSE]
    rows[, c("position", call_columns[[name]]) := list(sequence(lists$lengths) - 1L, lists$values)]
  }
  result <- of("calls")
  for (name in setdiff(names(call_columns), "calls")) result <- of(name)[result, on = key]
  setcolorder(result, c(key, call_columns))[]
}

#' Whether each call overlapped a pause of the JVM it ran in.
met_pause <- function(calls, pauses) {
  by <- fork_key
  spans <- cbind(calls[, by, with = FALSE], calls[, .(row = .I, from = start_us / 1e3, to = start_us / 1e3 + ns / 1e6)])
  stops <- pauses[side == "fork"][, c(by, "uptime_ms", "pause_ms"), with = FALSE]
  stops[, `:=`(begin = uptime_ms, end = uptime_ms + pause_ms)]
  hit <- stops[spans[!is.na(from)], on = c(by, "begin<=to", "end>=from"), nomatch = NULL, .(row = i.row)]
  seq_len(nrow(calls)) %in% hit$row
}

#' One row per fork: `log_variation`, `far_out`, `log_maximum`, `log_minimum`, `log_mean` of its calls.
fork_calls <- function(calls, by) {
  calls[, {
    quartiles <- stats::quantile(ns, c(0.25, 0.75), names = FALSE)
    fence <- 3 * (quartiles[2] - quartiles[1])
    list(
      # Times have the clock's resolution, so a standard deviation of 0 is an effect of rounding.
      log_variation = if (.N > 1) log(max(stats::sd(ns) / mean(ns), 1e-9)) else NA_real_,
      far_out = sum(ns < quartiles[1] - fence | ns > quartiles[2] + fence), calls = .N,
      log_maximum = log(max(ns)), log_minimum = log(min(ns)), log_mean = log(mean(ns))
    )
  }, by = by]
}

#' One row per fork: `iterations`, `largest` (iterations whose slowest call was interrupted), `interrupted` (calls).
fork_interruptions <- function(calls, by) {
  largest <- calls[, .(hit = interrupted[which.max(ns)]), by = c(by, "iteration")]
  found <- largest[, .(iterations = .N, largest = sum(hit)), by = by]
  merge(found, calls[, .(interrupted = sum(interrupted)), by = by], by = by, sort = FALSE)
}

#' Logarithms of a cell's values, by measure, from its forks.
cell_call_values <- function(forks) {
  share <- function(count, of) (sum(count) + 0.5) / (sum(of) + 1)
  largest <- share(forks$largest, forks$iterations)
  list(
    calls.variation = mean(forks$log_variation), "calls.far-out" = log(share(forks$far_out, forks$calls)),
    "calls.maximum-spread" = spread_ratio(forks$log_maximum, forks$log_mean),
    "calls.minimum-spread" = spread_ratio(forks$log_minimum, forks$log_mean),
    "calls.largest-interrupted" = log(largest),
    "calls.largest-over-all" = log(largest / share(forks$interrupted, forks$calls))
  )
}

#' log(s(extreme) / s(mean)) over a cell's forks; NA below 3 forks or without spread.
spread_ratio <- function(log_extreme, log_mean) {
  if (length(log_mean) < 3) return(NA_real_)
  spread <- c(stats::sd(log_extreme), stats::sd(log_mean))
  if (any(spread == 0)) NA_real_ else log(spread[1] / spread[2])
}

#' Mean with Student's t interval over the finite values: c(mean, lower, upper); no interval below 2 values.
t_interval <- function(values, confidence) {
  values <- values[is.finite(values)]
  if (length(values) == 0) return(rep(NA_real_, 3))
  mean(values) + c(0, c(-1, 1) * t_half_width(stats::sd(values), length(values), confidence))
}

# Verdicts of claims about single calls: one per stratum, from rows of call_checks.csv, before Holm's correction.

#' What a value of each measure of single calls says.
call_sentences <- c(
  "calls.variation" = "the standard deviation of single calls is %s times their mean",
  "calls.far-out" = "a share of %s of single calls lies far out",
  "calls.maximum-spread" = "the slowest call varies %s times as much between JVM runs as the mean does",
  "calls.minimum-spread" = "the fastest call varies %s times as much between JVM runs as the mean does",
  "calls.largest-interrupted" = "a share of %s of the slowest calls was interrupted",
  "calls.largest-over-all" = "the slowest calls were interrupted %s times as often as all calls"
)

#' Verdict rows of a claim whose form compares calls.
#'
#' The typical cell's value is compared with the target. The test is Student's t over the stratum's cells on the log
#' scale. With several measures, all must hold. Calls of code that is not proven compiled are not judged. Without a
#' target, the value is only shown.
#'
#' @param claim from `listed_claims`
#' @param checks the table `call_checks.csv`
#' @return data.table with the columns of `claim_verdicts`
call_verdicts <- function(claim, checks) {
  labels <- list(experiment = claim$experiment$id, claim = claim$id, measure = claim$measure, form = claim$form)
  own <- checks[experiment == claim$experiment$id & measure %in% claim$measures]
  if (nrow(own) == 0) {
    nowhere <- stats::setNames(as.list(rep(NA_character_, length(place_columns) + 1)), c(place_columns, "variant"))
    return(row_without_estimate(c(labels, nowhere), not_measured("no round of this experiment timed single calls")))
  }
  target <- claim_targets(claim)
  rows <- lapply(split(own, by = place_columns, sorted = FALSE), function(here) {
    place <- c(as.list(here[1, place_columns, with = FALSE]), list(variant = ""))
    p <- limit_p_values(here, target)
    if (anyNA(p$p_support) || nrow(here) < length(claim$measures)) {
      why <- without_estimate("too few forks", "fewer than 2 cells have forks enough for an interval")
      return(row_without_estimate(c(labels, place), why))
    }
    combined <- combine_contrasts(p$p_support, p$p_refute)
    decisive <- here[combined$decisive]
    excluded <- unique(claim$pairs$excluded[nzchar(claim$pairs$excluded)])
    asked <- (target$target_lower > 0 || is.finite(target$target_upper)) && length(excluded) == 0
    enough <- min(here$forks_min) >= verdict_forks
    sentence <- sprintf(
      "%s, on average over %s", sprintf(call_sentences[[decisive$measure]], format_measured(decisive$estimate)),
      format_plural(decisive$cells, "benchmark")
    )
    summary <- list(
      contrast = NA_character_, estimate = decisive$estimate, lower = decisive$lower, upper = decisive$upper,
      contrasts = 0L, forks_min = min(here$forks_min),
      warm_up_state = decisive$warm_up_state, warm_up_why = decisive$warm_up_why,
      tipping_factor = 1, unproven = !decisive$warm_up_state %in% warm_up_states[1:2],
      p = if (enough && asked) combined$p else NA_real_, answer = combined$answer, sentence = sentence,
      target = target_words(target$target_lower, target$target_upper),
      verdict = if (asked) "undecided" else "not-comparable",
      reason = if (asked) "" else sprintf(
        "%s. Here: %s, interval %s to %s",
        c(excluded, claim$reason, "a question, without a number of the study")[1], sentence,
        format_measured(decisive$lower), format_measured(decisive$upper)
      ), covers = if (decisive$cells_unproven == 0) "" else sprintf(
        "without %s that %s too few JVM runs of compiled code", format_plural(decisive$cells_unproven, "benchmark"),
        if (decisive$cells_unproven == 1) "has" else "have"
      ), caveat = ""
    )
    as.data.table(c(labels, place, summary))
  })
  rbindlist(rows, use.names = TRUE, fill = TRUE)
}

#' One-sided p values of estimates whose 95 % intervals are symmetric on the log scale; each is over `cells` cells.
limit_p_values <- function(rows, target) {
  df <- pmax(rows$cells - 1, NA_real_, na.rm = TRUE)
  df[df < 1] <- NA_real_
  se <- pmax(log(rows$upper / rows$lower) / 2 / stats::qt(0.975, df), 1e-12)
  target_p_values(log(rows$estimate), se, df, target$target_lower, target$target_upper)
}
