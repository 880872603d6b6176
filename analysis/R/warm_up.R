# Whether a fork's times are those of compiled code: what HotSpot had compiled of its hot chain, not how flat they are.
#
# HotSpot takes a method for the number of its calls. One that is called too seldom stays slow for long without a sign
# of it in the times: AES-CBC of 1 MB is flat at 2 ms for thousands of calls, and takes 0.2 ms after them.

#' States, from the best to the worst. `by definition`: nothing compiles (a native program), or the protocol itself says
#' which iterations count, warm or not.
warm_up_states <- c("by definition", "proven", "still compiling", "unproven")

#' How compiled code runs: C2's, trivial code of C1's, inlined by C2, an intrinsic, or native.
compiled_code <- c("c2", "trivial", "inlined", "intrinsic", "native")

#' Share of an iteration's time that compilers may be at work.
compiler_share <- 0.05

#' By which part the measured times may fall from the window's first half to its second.
window_fall <- 0.05

#' By which part times fall from the first half of a window to the second, where a one-sided Welch test at 1 % tells it
#' from chance; 0 where it does not, or where a half has fewer than three. Iterations are not independent, so that the
#' test finds more falls than it should: what it marks is looked at again, and nothing is published for it.
fall_within <- function(times) {
  half <- length(times) %/% 2
  if (half < 3) return(0)
  first <- log(times[seq_len(half)])
  second <- log(times[(length(times) - half + 1):length(times)])
  gap <- mean(first) - mean(second)
  spread <- c(stats::var(first), stats::var(second)) / half
  if (sum(spread) == 0) return(if (gap > 0) 1 - exp(-gap) else 0)
  df <- sum(spread)^2 / sum(spread^2 / (half - 1))
  if (gap / sqrt(sum(spread)) > stats::qt(0.99, df)) 1 - exp(-gap) else 0
}

#' Begin the measured window of a recorded fork that became slower, or that came to no steady state, where its times
#' stop falling.
#'
#' Behind the last compilation of the chain its code stays what it is, so that what is slower from there on is the
#' machine's or the heap's, and counts as every iteration does. Its last segment alone, which is what counts of a fork
#' without a record, is a sample of what disturbed it: of a proven fork of AES-GCM that was disturbed at its end three
#' iterations of twelve counted, at 1.48 times the truth.
#'
#' @param iterations data.table of `mark_measured`, those of a fork in order
#' @param chain data.table with `by`: no row for a fork that left no record
#' @param by columns that name a fork
#' @return the same table, `measured` changed, where a quarter of the iterations is left
count_disturbed <- function(iterations, chain, by) {
  iterations[, known := FALSE]
  iterations[unique(chain[, by, with = FALSE]), known := TRUE, on = by]
  iterations[known & steady %in% c("slowdown", "no steady state"), measured := {
    behind <- behind_falls(duration_ns / operations, segment)
    if (sum(behind) >= .N / 4) behind else measured
  }, by = by]
  iterations[, known := NULL][]
}

#' Which iterations are behind the first segments that are slower than what follows, by more than `equivalence_margin`
#' and than their own standard deviation.
#'
#' @param times per operation; `segment` of each, in order
#' @return logical
behind_falls <- function(times, segment) {
  slower <- vapply(unique(segment), function(part) {
    own <- times[segment == part]
    later <- mean(times[segment > part])
    isTRUE(mean(own) > later + max(equivalence_margin * later, stats::sd(own)))
  }, TRUE)
  segment >= unique(segment)[match(FALSE, slower)]
}

#' Begin the measured window behind the last compilation of the hot chain, where a quarter of the iterations is left.
#'
#' @param iterations data.table of `mark_measured`, those of a fork in order, with `start_uptime_ms`, `end_uptime_ms`
#' @param compilations data.table: `by`, `uptime_ms` of everything that happened to the chain's code
#' @param by columns that name a fork
#' @return the same table, `measured` changed
await_chain <- function(iterations, compilations, by) {
  ends <- iterations[, .(from = start_uptime_ms[1], end = end_uptime_ms[.N], n = .N), by = by]
  last <- compilations[ends, on = by, nomatch = NULL][uptime_ms >= from & uptime_ms <= end]
  last <- last[order(uptime_ms)][, .(last = uptime_ms[.N]), by = by]
  iterations[, `:=`(place = seq_len(.N), behind = TRUE), by = by]
  iterations[last, behind := start_uptime_ms > i.last, on = by]
  iterations[, left := sum(behind), by = by]
  iterations[, n := .N, by = by]
  iterations[steady != "not sought" & left >= n / 4, measured := measured & behind]
  iterations[, c("place", "behind", "left", "n") := NULL][]
}

#' Begin the measured window where compilers are at work for no more than `compiler_share` of what is left, where a
#' quarter of the iterations is: at first they compile JMH's own code beside code that is flat already.
#'
#' @param iterations as above, with `jit_ms` (time of the compilers; NA where it is not known)
#' @param by columns that name a fork
#' @return the same table, `measured` changed
await_compilers <- function(iterations, by) {
  iterations[steady != "not sought", measured := {
    left <- rev(cumsum(rev(measured)))
    shares <- rev(cumsum(rev(jit_ms * measured))) / rev(cumsum(rev(duration_ns * measured))) * 1e6
    quiet <- which(measured & left >= .N / 4 & shares <= compiler_share)
    if (length(quiet) > 0) measured & seq_len(.N) >= quiet[1] else measured
  }, by = by][]
}

#' The state of every fork.
#'
#' @param forks data.table: `by`, `warmup` (the protocol's), `native`
#' @param iterations of `await_compilers`
#' @param chain data.table: `by`, `depth`, `method`, `state`; no row for a fork that left no record
#' @param compilations as above
#' @return data.table: `by`, `warm_up_state`, `warm_up_why` (empty where it is proven), `jit_share` of the measured
#'   iterations, `operations_before` them and `operations_measured`
fork_warm_up_states <- function(forks, iterations, chain, compilations, by) {
  windows <- iterations[, {
    first <- which.max(measured)
    .(
      from = start_uptime_ms[first], to = end_uptime_ms[.N],
      jit_share = sum(jit_ms[measured]) / sum(duration_ns[measured]) * 1e6,
      fall = fall_within((duration_ns / operations)[measured]),
      operations_before = sum(operations[seq_len(first - 1L)]), operations_measured = sum(operations[measured])
    )
  }, by = by]
  inside <- compilations[windows, on = by, nomatch = NULL][uptime_ms >= from & uptime_ms <= to]
  inside <- inside[, .(compiled = method[1]), by = by]
  slow <- chain[!state %in% compiled_code][order(depth)][, .(slow = method[1], how = state[1]), by = by]
  known <- unique(chain[, by, with = FALSE])[, known := TRUE]
  found <- forks[, c(by, "warmup", "native"), with = FALSE]
  for (part in list(windows, inside, slow, known)) found <- merge(found, part, by = by, all.x = TRUE, sort = FALSE)
  found[, warm_up_why := fcase(
    is.na(known), "what was compiled is not recorded",
    !is.na(slow), paste0(slow, " is ", how),
    !is.na(compiled), paste0(compiled, " was compiled while it was measured"),
    fcoalesce(jit_share, 1) > compiler_share,
    sprintf("compilers were at work for %.0f %% of the time", 100 * jit_share),
    fall > window_fall, sprintf("its times fall by %.0f %% while it is measured", 100 * fall),
    default = ""
  )]
  found[, warm_up_state := fcase(
    is.na(known) | !is.na(slow), "unproven", nzchar(warm_up_why), "still compiling", default = "proven"
  )]
  found[native | warmup != "steady-state", `:=`(warm_up_state = "by definition", warm_up_why = "")]
  columns <- c("warm_up_state", "warm_up_why", "jit_share", "operations_before", "operations_measured")
  found[, c(by, columns), with = FALSE]
}

#' The worst of some states, none of none.
worst_state <- function(states) warm_up_states[max(0L, match(states, warm_up_states))]

# Verdicts on times whose code is unproven compiled: at most undecided, unless what such code could hide is too
# little to turn them over.

#' By how many times a ratio's interval would have to lie elsewhere to reach the nearest limit of its target: from
#' inside for an interval within, from outside for one beyond; 1 where it holds a limit. 1.46 means that times wrong by
#' a factor of 1.46 would turn the verdict.
tipping_factor <- function(lower, upper, target_lower, target_upper) {
  target_lower <- fcoalesce(as.double(target_lower), 0)
  target_upper <- fcoalesce(as.double(target_upper), Inf)
  lower <- as.double(lower)
  upper <- as.double(upper)
  # An order has no target of its own: it turns where the ratio passes 1.
  order <- target_lower <= 0 & is.infinite(target_upper)
  target_lower <- fifelse(order & lower > 1, 1, target_lower)
  target_upper <- fifelse(order & upper < 1, 1, target_upper)
  inside <- pmin(ratio_or(lower, target_lower, Inf), ratio_or(target_upper, upper, Inf))
  outside <- pmax(ratio_or(target_lower, upper, 0), ratio_or(lower, target_upper, 0))
  inside <- fifelse(is.finite(inside), inside, 1)
  pmax(1, inside, outside, na.rm = TRUE)
}

#' a / b; `other` where one of them is open (0, infinite or missing).
ratio_or <- function(a, b, other) {
  open <- !is.finite(a) | !is.finite(b) | a <= 0 | b <= 0
  fifelse(open, other, a / fifelse(open, 1, b))
}

#' Contrasts with `warm_up_state`, the worse state of their two cells, `warm_up_why` of that cell, `tipping_factor`, and
#' `reference_reach`: what both cells' reference forks or proven forks leave possible, NA where these are lacking.
#'
#' @param states of `cell_states`
with_warm_up <- function(contrasts, states) {
  sides <- lapply(c("numerator", "denominator"), function(which) {
    states[side_of(contrasts, which)[, setdiff(cell_id, "measure"), with = FALSE], on = setdiff(cell_id, "measure")]
  })
  # An empty cell stands for 1, which needs no proof.
  level <- lapply(sides, function(side) fcoalesce(match(side$warm_up_state, warm_up_states), 1L))
  first <- level[[1]] >= level[[2]]
  contrasts[, `:=`(
    warm_up_state = warm_up_states[pmax(level[[1]], level[[2]])],
    warm_up_why = fcoalesce(fifelse(first, sides[[1]]$warm_up_why, sides[[2]]$warm_up_why), ""),
    tipping_factor = tipping_factor(lower, upper, target_lower, target_upper),
    reference_reach = fcoalesce(sides[[1]]$reference_reach, fifelse(level[[1]] == 1L, 1, NA_real_)) *
      fcoalesce(sides[[2]]$reference_reach, fifelse(level[[2]] == 1L, 1, NA_real_))
  )]
  if ("side_lower" %in% names(contrasts)) {
    contrasts[, tipping_side := tipping_factor(lower, upper, side_lower, side_upper)]
  }
  # What is no ratio has no factor that would turn it.
  if ("ratio_scale" %in% names(contrasts)) {
    contrasts[!ratio_scale %in% TRUE, intersect(c("tipping_factor", "tipping_side"), names(contrasts)) := 1]
  }
  contrasts[!rests_on_times(measure), `:=`(
    warm_up_state = "", warm_up_why = "", tipping_factor = NA_real_, reference_reach = NA_real_
  )]
  contrasts[]
}

#' What of a verdict's contrasts is not proven compiled: a list of `warm_up_state`, `warm_up_why`,
#' `tipping_factor` and `open`, whether the
#' verdict can't rest on them; `open_side`, whether its direction can't, which rests on all. A claim holds where every
#' contrast does, and is broken by the decisive one.
unproven_among <- function(rows, decisive, answer) {
  open_side <- any(unproven_beyond(rows, rows[["tipping_side"]] %||% rows$tipping_factor))
  rows <- if (identical(answer, "does-not-hold")) decisive else rows
  levels <- match(rows$warm_up_state, warm_up_states)
  if (all(is.na(levels))) {
    return(list(warm_up_state = "", warm_up_why = "", tipping_factor = NA_real_, open = FALSE, open_side = FALSE))
  }
  open <- unproven_beyond(rows, rows$tipping_factor)
  named <- rows[if (any(open)) which(open)[which.max(levels[open])] else which.max(levels)]
  list(
    warm_up_state = named$warm_up_state, warm_up_why = named$warm_up_why,
    tipping_factor = if (any(open)) min(rows$tipping_factor[open]) else named$tipping_factor, open = any(open),
    open_side = open_side
  )
}

#' Whether contrasts rest on times whose warm-up is unproven, and which may be wrong by a factor.
unproven_beyond <- function(rows, factor) {
  fcoalesce(match(rows$warm_up_state, warm_up_states), 1L) > 2L & !fcoalesce(rows$reference_reach < factor, FALSE)
}

# Reference forks (bench/jcarerun/plan/reference_forks.py): what a cell's time becomes in the end, and how long that
# takes.

#' A row for each reference fork and early-compilation fork.
#'
#' @param raw directory of reference forks; `rounds` those to be read, relative to it; `tables` what they hold, of
#'   `tidy_rounds`
#' @return the table `reference_forks.csv` of the dictionary, without rows where there is none
read_reference_forks <- function(raw, rounds, tables = if (length(rounds) > 0) tidy_rounds(raw, rounds)) {
  if (is.null(tables)) return(no_reference_forks())
  by <- fork_key
  iterations <- tables$iterations[order(iteration), .(
    first_ns = duration_ns[1] / operations[1], operations = sum(operations)
  ), by = by]
  compiled <- last_compiled(tables$iterations, tables$compilations, by)
  found <- merge(tables$forks[is.na(rerun_of)], iterations, by = by, sort = FALSE)
  found <- merge(found, compiled, by = by, all.x = TRUE, sort = FALSE)
  found[, `:=`(kind = sub("-.*$", "", round), mean_ns = wall_ns_per_op)]
  found[!warm_up_state %in% warm_up_states[1:2], `:=`(wait_calls = NA_real_, wait_s = NA_real_)]
  found[, c(cell_columns(found), reference_columns), with = FALSE]
}

reference_columns <- setdiff(columns_of("reference_forks.csv"), cell_keys)

no_reference_forks <- function() {
  names <- c(cell_columns(data.table()), reference_columns)
  setnames(as.data.table(rep(list(character()), length(names))), names)
}

#' Calls and seconds from a fork's first iteration to the last time that code of its hot chain took over. Calls of the
#' iteration in which it does are counted as if they were even.
last_compiled <- function(iterations, compilations, by) {
  ends <- iterations[order(iteration), .(from = start_uptime_ms[1], to = end_uptime_ms[.N]), by = by]
  last <- compilations[event == "ready"][ends, on = by, nomatch = NULL][uptime_ms <= to]
  last <- last[, .(at = max(uptime_ms, from[1]), from = from[1]), by = by]
  held <- iterations[last, on = by, nomatch = NULL]
  held[, part := pmin(1, pmax(0, (at - start_uptime_ms) / (end_uptime_ms - start_uptime_ms)))]
  held[, .(wait_calls = round(sum(operations * part)), wait_s = (at[1] - from[1]) / 1000), by = by]
}

#' Forks with `reference_ns`, the time that their cell's reference fork ends with where its code is compiled, and
#' `early_ns`.
with_reference_forks <- function(forks, reference_forks) {
  place <- c("experiment", "environment", "image_id", "machine_id", "cell")
  forks[, `:=`(reference_ns = NA_real_, early_ns = NA_real_)]
  if (nrow(reference_forks) == 0) return(forks[])
  forks[reference_forks[kind == "reference" & warm_up_state == "proven"], reference_ns := i.mean_ns, on = place]
  forks[reference_forks[kind == "early"], early_ns := i.mean_ns, on = place]
  forks[]
}
