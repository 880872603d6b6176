# Whether a fork's times are those of compiled code. This depends on what HotSpot had compiled of its hot call path,
# not on how flat the times are.
#
# HotSpot compiles a method when its number of calls is large enough. A method that is called too rarely stays slow for
# long, without a sign of it in the times. For example, AES-CBC of 1 MB is flat at 2 ms for thousands of calls, and
# then takes 0.2 ms.

#' States, from the best to the worst. A state is `by definition` for a native program, which compiles nothing. It is
#' also `by definition` if the protocol itself determines which iterations count, warm or not.
warm_up_states <- c("by definition", "proven", "still compiling", "unproven")

#' How compiled code runs: compiled by C2, trivial code compiled by C1, inlined by C2, an intrinsic, or native.
compiled_code <- c("c2", "trivial", "inlined", "intrinsic", "native")

#' Largest share of an iteration's time in which compilers may be active.
compiler_share <- 0.05

#' Largest relative decrease of the measured times from the window's first half to its second.
window_fall <- 0.05

#' Relative decrease of times from the first half of a window to the second, if a one-sided Welch test at 1 % is
#' significant. It is 0 if the test is not, or if a half has fewer than three times. Iterations are not independent, so
#' the test finds more decreases than its level allows. That is acceptable: marked forks are only examined again, and
#' no result about them is published.
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

#' Start the measured window where times stop falling, for a recorded fork that became slower or reached no steady
#' state.
#'
#' After the last compilation of the hot call path, the code no longer changes. A later slowdown comes from the machine
#' or the heap, and counts like every iteration. Without a record, only the fork's last segment counts, which is a
#' sample of the disturbance. An example is a proven fork of AES-GCM that was disturbed at its end. Only three of its
#' twelve iterations counted, at 1.48 times the truth.
#'
#' @param iterations data.table of `mark_measured`, those of a fork in order
#' @param chain data.table with `by`; a fork without a record has no rows
#' @return the same table. Column `measured` is changed if a quarter of the iterations is left.
count_disturbed <- function(iterations, chain, by) {
  iterations[, known := FALSE]
  iterations[unique(chain[, by, with = FALSE]), known := TRUE, on = by]
  iterations[known & steady %in% c("slowdown", "no steady state"), measured := {
    behind <- behind_falls(duration_ns / operations, segment)
    if (sum(behind) >= .N / 4) behind else measured
  }, by = by]
  iterations[, known := NULL][]
}

#' Which iterations come after the initial segments that are slower than the later iterations. A segment is slower if
#' the difference exceeds `equivalence_margin` and the segment's standard deviation.
behind_falls <- function(times, segment) {
  slower <- vapply(unique(segment), function(part) {
    own <- times[segment == part]
    later <- mean(times[segment > part])
    isTRUE(mean(own) > later + max(equivalence_margin * later, stats::sd(own)))
  }, TRUE)
  segment >= unique(segment)[match(FALSE, slower)]
}

#' Start the measured window after the last compilation of the hot call path, if a quarter of the iterations is left.
#'
#' @param compilations data.table: `by`, `uptime_ms` of every event of the hot call path's code
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

#' Start the measured window where compilers are active for at most `compiler_share` of the remaining time. A quarter
#' of the iterations must remain. At first the compilers work on JMH's code, although the benchmark's times are already
#' flat.
#'
#' @param iterations as above, with `jit_ms` (time of the compilers; NA if it is unknown)
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
#' @param chain data.table: `by`, `depth`, `method`, `state`; a fork without a record has no rows
#' @return data.table: `by`, `warm_up_state`, `warm_up_why` (empty if it is proven), `jit_share` of the measured
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

#' The worst of some states; empty if there are none.
worst_state <- function(states) warm_up_states[max(0L, match(states, warm_up_states))]

# Verdicts on times whose code is not proven compiled. They are undecided at most, unless uncompiled code could change
# the times too little to reverse them.

#' The factor by which a ratio's interval would have to move to reach the nearest limit of its target. An interval
#' within the target moves outwards, one beyond it inwards. The factor is 1 if the interval contains a limit. With
#' 1.46, times that are wrong by a factor of 1.46 would reverse the verdict.
tipping_factor <- function(lower, upper, target_lower, target_upper) {
  target_lower <- fcoalesce(as.double(target_lower), 0)
  target_upper <- fcoalesce(as.double(target_upper), Inf)
  lower <- as.double(lower)
  upper <- as.double(upper)
  # An order has no target of this kind: its verdict is reversed when the ratio passes 1.
  order <- target_lower <= 0 & is.infinite(target_upper)
  target_lower <- fifelse(order & lower > 1, 1, target_lower)
  target_upper <- fifelse(order & upper < 1, 1, target_upper)
  inside <- pmin(ratio_or(lower, target_lower, Inf), ratio_or(target_upper, upper, Inf))
  outside <- pmax(ratio_or(target_lower, upper, 0), ratio_or(lower, target_upper, 0))
  inside <- fifelse(is.finite(inside), inside, 1)
  pmax(1, inside, outside, na.rm = TRUE)
}

#' a / b, or `other` if one of them is open (0, infinite or missing).
ratio_or <- function(a, b, other) {
  open <- !is.finite(a) | !is.finite(b) | a <= 0 | b <= 0
  fifelse(open, other, a / fifelse(open, 1, b))
}

#' Contrasts with `warm_up_state`, the worse state of their two cells, and `warm_up_why` of that cell. Also adds
#' `tipping_factor`, and `reference_reach`: the factor of error that the reference forks or proven forks of both cells
#' leave possible. It is NA if these are missing.
with_warm_up <- function(contrasts, states) {
  sides <- lapply(c("numerator", "denominator"), function(which) {
    states[side_of(contrasts, which)[, measured_cell, with = FALSE], on = measured_cell]
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
  # A contrast that is not a ratio has no tipping factor.
  if ("ratio_scale" %in% names(contrasts)) {
    contrasts[!ratio_scale %in% TRUE, intersect(c("tipping_factor", "tipping_side"), names(contrasts)) := 1]
  }
  contrasts[!rests_on_times(measure), `:=`(
    warm_up_state = "", warm_up_why = "", tipping_factor = NA_real_, reference_reach = NA_real_
  )]
  contrasts[]
}

#' Which contrasts of a verdict are not proven compiled: a list of `warm_up_state`, `warm_up_why`, `tipping_factor`,
#' `open` and `open_side`. The verdict can't rest on them if `open` is TRUE. Its direction, which rests on all
#' contrasts, can't if `open_side` is TRUE. A claim holds if every contrast does, and the decisive contrast refutes it.
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

#' Whether contrasts rest on times whose warm-up is unproven and which may be wrong by this factor.
unproven_beyond <- function(rows, factor) {
  fcoalesce(match(rows$warm_up_state, warm_up_states), 1L) > 2L & !fcoalesce(rows$reference_reach < factor, FALSE)
}

# Reference forks (bench/jcarerun/plan/reference_forks.py): the final value of a cell's time, and how long it takes to
# reach it.

#' A row for each reference fork and early-compilation fork.
#'
#' @param raw directory of reference forks; `rounds` those to be read, relative to it
#' @return the table `reference_forks.csv` of the dictionary, empty if there are no reference forks
read_reference_forks <- function(raw, rounds) {
  if (length(rounds) == 0) return(no_reference_forks())
  tables <- tidy_rounds(raw, rounds)
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

#' Calls and seconds from a fork's first iteration until the last code of its hot call path became ready. Calls within
#' that iteration are counted as if they were evenly spaced.
last_compiled <- function(iterations, compilations, by) {
  ends <- iterations[order(iteration), .(from = start_uptime_ms[1], to = end_uptime_ms[.N]), by = by]
  last <- compilations[event == "ready"][ends, on = by, nomatch = NULL][uptime_ms <= to]
  last <- last[, .(at = max(uptime_ms, from[1]), from = from[1]), by = by]
  held <- iterations[last, on = by, nomatch = NULL]
  held[, part := pmin(1, pmax(0, (at - start_uptime_ms) / (end_uptime_ms - start_uptime_ms)))]
  held[, .(wait_calls = round(sum(operations * part)), wait_s = (at[1] - from[1]) / 1000), by = by]
}

#' Forks with `reference_ns` and `early_ns`. The former is the final time of the cell's reference fork, if its code is
#' compiled.
with_reference_forks <- function(forks, reference_forks) {
  place <- c("experiment", "environment", "image_id", "machine_id", "cell")
  forks[, `:=`(reference_ns = NA_real_, early_ns = NA_real_)]
  if (nrow(reference_forks) == 0) return(forks[])
  forks[reference_forks[kind == "reference" & warm_up_state == "proven"], reference_ns := i.mean_ns, on = place]
  forks[reference_forks[kind == "early"], early_ns := i.mean_ns, on = place]
  forks[]
}
