# Whether a fork's times are those of compiled code: what HotSpot had compiled of its hot chain, not how flat they are.
#
# HotSpot takes a method for the number of its calls. One that is called too seldom stays slow for long without a sign
# of it in the times: AES-CBC of 1 MB is flat at 2 ms for thousands of calls, and takes 0.2 ms after them.

#' States, from the best to the worst. `by definition`: nothing compiles (a native program), or the protocol itself says
#' which iterations count, warm or not.
settled_states <- c("by definition", "proved", "still compiling", "not proved")

#' How code that is settled runs: C2's, trivial code of C1's, inlined by C2, an intrinsic, or native.
settled_code <- c("c2", "trivial", "inlined", "intrinsic", "native")

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
#' without a record, is a sample of what disturbed it: of a proved fork of AES-GCM that was disturbed at its end three
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
  slower <- vapply(unique(segment), function(one) {
    own <- times[segment == one]
    later <- mean(times[segment > one])
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
#' @return data.table: `by`, `settled`, `settled_why` (empty where it is settled), `jit_share` of the measured
#'   iterations, `operations_before` them and `operations_measured`
settled_forks <- function(forks, iterations, chain, compilations, by) {
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
  slow <- chain[!state %in% settled_code][order(depth)][, .(slow = method[1], how = state[1]), by = by]
  known <- unique(chain[, by, with = FALSE])[, known := TRUE]
  found <- forks[, c(by, "warmup", "native"), with = FALSE]
  for (part in list(windows, inside, slow, known)) found <- merge(found, part, by = by, all.x = TRUE, sort = FALSE)
  found[, settled_why := fcase(
    is.na(known), "what was compiled is not recorded",
    !is.na(slow), paste0(slow, " is ", how),
    !is.na(compiled), paste0(compiled, " was compiled while it was measured"),
    fcoalesce(jit_share, 1) > compiler_share,
    sprintf("compilers were at work for %.0f %% of the time", 100 * jit_share),
    fall > window_fall, sprintf("its times fall by %.0f %% while it is measured", 100 * fall),
    default = ""
  )]
  found[, settled := fcase(
    is.na(known) | !is.na(slow), "not proved", nzchar(settled_why), "still compiling", default = "proved"
  )]
  found[native | warmup != "steady-state", `:=`(settled = "by definition", settled_why = "")]
  columns <- c("settled", "settled_why", "jit_share", "operations_before", "operations_measured")
  found[, c(by, columns), with = FALSE]
}

#' The worst of some states, none of none.
worst_state <- function(states) settled_states[max(0L, match(states, settled_states))]
