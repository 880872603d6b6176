# Verdicts on times whose code is not proved compiled: at most undecided, unless what such code could hide is too
# little to turn them over.

#' By how many times a ratio's interval would have to lie elsewhere to reach the nearest limit of its target: from
#' inside for an interval within, from outside for one beyond; 1 where it holds a limit. 1.46 means that times wrong by
#' a factor of 1.46 would turn the verdict.
turning_factor <- function(lower, upper, target_lower, target_upper) {
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

#' Contrasts with `settled`, the worse state of their two cells, `settled_why` of that cell, `turning`, and
#' `pilot_reach`: what both cells' pilots leave possible, NA without a pilot.
#'
#' @param states of `cell_states`
with_settled <- function(contrasts, states) {
  sides <- lapply(c("numerator", "denominator"), function(which) {
    states[side_of(contrasts, which)[, setdiff(cell_id, "measure"), with = FALSE], on = setdiff(cell_id, "measure")]
  })
  # An empty cell stands for 1, which needs no proof.
  level <- lapply(sides, function(side) fcoalesce(match(side$settled, settled_states), 1L))
  first <- level[[1]] >= level[[2]]
  contrasts[, `:=`(
    settled = settled_states[pmax(level[[1]], level[[2]])],
    settled_why = fcoalesce(fifelse(first, sides[[1]]$settled_why, sides[[2]]$settled_why), ""),
    turning = turning_factor(lower, upper, target_lower, target_upper),
    pilot_reach = fcoalesce(sides[[1]]$pilot_reach, fifelse(level[[1]] == 1L, 1, NA_real_)) *
      fcoalesce(sides[[2]]$pilot_reach, fifelse(level[[2]] == 1L, 1, NA_real_))
  )]
  if ("side_lower" %in% names(contrasts)) {
    contrasts[, turning_side := turning_factor(lower, upper, side_lower, side_upper)]
  }
  # What is no ratio has no factor that would turn it.
  if ("ratio_scale" %in% names(contrasts)) {
    contrasts[!ratio_scale %in% TRUE, intersect(c("turning", "turning_side"), names(contrasts)) := 1]
  }
  contrasts[!rests_on_times(measure), `:=`(settled = "", settled_why = "", turning = NA_real_, pilot_reach = NA_real_)]
  contrasts[]
}

#' What of a verdict's contrasts is not settled: a list of `settled`, `settled_why`, `turning` and `open`, whether the
#' verdict can't rest on them; `open_side`, whether its direction can't, which rests on all. A claim holds where every
#' contrast does, and is broken by the decisive one.
unsettled_among <- function(rows, decisive, answer) {
  open_side <- any(unproven_beyond(rows, rows[["turning_side"]] %||% rows$turning))
  rows <- if (identical(answer, "does-not-hold")) decisive else rows
  levels <- match(rows$settled, settled_states)
  if (all(is.na(levels))) {
    return(list(settled = "", settled_why = "", turning = NA_real_, open = FALSE, open_side = FALSE))
  }
  open <- unproven_beyond(rows, rows$turning)
  named <- rows[if (any(open)) which(open)[which.max(levels[open])] else which.max(levels)]
  list(
    settled = named$settled, settled_why = named$settled_why,
    turning = if (any(open)) min(rows$turning[open]) else named$turning, open = any(open), open_side = open_side
  )
}

#' Whether contrasts rest on times whose warm-up is unproven, and whose pilots allow a change by a factor.
unproven_beyond <- function(rows, factor) {
  fcoalesce(match(rows$settled, settled_states), 1L) > 2L & !fcoalesce(rows$pilot_reach < factor, FALSE)
}
