# The forks that the claims of a run still need from its next stage. For each undecided claim: the cells that it depends
# on, and the number of their forks that is likely to decide it.

#' The probability that a stage's forks decide a contrast, if its estimate is the true value.
stage_power <- 0.9

#' The forks that claims still demand.
#'
#' A claim is decided when its verdict passes Holm's step. A claim is given up in these cases:
#'
#' - More forks don't help: the warm-up is unproven, or a curve does not fit. Claims about curves are tested on the
#'   first stage only.
#' - The estimate lies on the limit.
#' - Even `most` more forks would leave it undecided.
#' - All planned interim analyses are used up.
#'
#' @param judged from `judge_claims`
#' @param looks number of interim analyses planned for a claim's forks
#' @param most forks of a cell in a stage
#' @return list: `demands`, a row for each cell of each undecided claim, with the `chance` that these forks decide the
#'   claim; and `states`, how many `claims` are `decided`, `undecided` or `given up`, and `why`
claim_demands <- function(judged, looks, alpha, most, pairs) {
  verdicts <- judged$open$verdicts[!verdict %in% unjudged_kinds]
  contrasts <- judged$open$contrasts
  key <- c("experiment", "claim", "variant", place_columns)
  name_of <- function(table) do.call(paste, c(table[, key, with = FALSE], sep = " "))
  of_claim <- if (nrow(contrasts) > 0) split(contrasts, name_of(contrasts)) else list()
  rows <- lapply(seq_len(nrow(verdicts)), function(i) {
    row <- verdicts[i]
    name <- name_of(row)
    if (!nzchar(row$cause)) return(list(state = "decided", why = ""))
    if (row$cause == "disturbed") return(again_demand(row, pairs, name))
    helped <- row$cause %in% c("too few forks", "lost to Holm", "too wide")
    if (!helped) return(list(state = "given up", why = row$cause))
    own <- of_claim[[name]]
    own <- own[used == TRUE & !is.na(ratio) & !nzchar(excluded)]
    if (row$cause == "too few forks" && nrow(own) == 0) return(again_demand(row, pairs, name))
    own <- needed_forks(row, own, looks, alpha / row$left, most)
    if (any(own[["stages"]] >= looks, na.rm = TRUE)) return(list(state = "given up", why = "no look left"))
    if (nrow(own) == 0 || anyNA(own$needed)) return(list(state = "given up", why = "too near to the limit"))
    list(state = "undecided", why = row$cause, demands = cells_needed(own)[, `:=`(demand = name, chance = stage_power)])
  })
  state <- verdicts[, .(
    experiment, claim, protocol,
    state = vapply(rows, `[[`, "", "state"), why = vapply(rows, `[[`, "", "why")
  )]
  list(
    demands = rbindlist(c(list(no_demands()), lapply(rows, `[[`, "demands")), use.names = TRUE, fill = TRUE),
    states = state[, .(claims = .N), keyby = .(experiment, claim, protocol, state, why)]
  )
}

#' The demand of a verdict without any contrast: `verdict_forks` forks of each cell that it compares.
again_demand <- function(row, pairs, name) {
  own <- pairs[experiment == row$experiment & claim == row$claim & paste0("v", verdict) == row$verdict_id]
  if (NROW(own) == 0) return(list(state = "given up", why = row$cause))
  own <- copy(own)[, needed := verdict_forks]
  list(state = "undecided", why = row$cause, demands = cells_needed(own)[, `:=`(demand = name, chance = stage_power)])
}

#' The contrasts of a verdict that are still undecided, with the `needed` forks: NA where `most` do not suffice.
needed_forks <- function(row, contrasts, looks, alpha, most) {
  if (row$cause == "too few forks") {
    return(contrasts[forks_min < verdict_forks][
      , needed := pmax(least_stage_forks, verdict_forks - forks_min)
    ])
  }
  level <- alpha / row$tests
  broken <- row$answer == "does-not-hold"
  # One contrast is enough to refute a claim; all of them are necessary to support it.
  basis <- if (broken) contrasts[which.min(p_refute)] else contrasts[p_support > level]
  staged <- !is.null(basis[["z_lower"]]) && !anyNA(basis$stages) && all(basis$ratio_scale) &&
    all(is.na(basis$p_alike)) && !nzchar(paste(basis$setting, collapse = ""))
  if (!staged) {
    # The verdict combines several pairs at a time: the number follows from the spread of the decisive contrast.
    more <- max(least_stage_forks, row$forks_needed - row$forks_min)
    return(basis[, needed := if (isTRUE(more <= most)) more else NA_real_])
  }
  below <- basis$log_ratio - log(basis$target_lower)
  above <- log(basis$target_upper) - basis$log_ratio
  nearer <- below < above
  so_far <- fifelse(nearer, basis$z_lower, -basis$z_upper)
  toward <- if (broken) -so_far else so_far
  basis[, needed := stage_size(
    abs(fifelse(nearer, below, above)), spread, toward, stages, known_constant(looks, 2 * level), most
  )]
}

#' Forks of each cell that bring the combined Z over its critical value with `stage_power`, if the estimate is the true
#' value. After k stages, the next stage's z must reach c sqrt(k + 1) - Z sqrt(k) (Lehmacher and Wassmer 1999).
#'
#' @param gap from the estimate to the limit; `spread` of one fork of each cell, on the same scale
#' @param z combined so far, positive towards the decision; `stages` their number. All are vectorised
#' @return forks, at least `least_stage_forks`; NA where `most` are too few
stage_size <- function(gap, spread, z, stages, critical, most) {
  need <- critical * sqrt(stages + 1) - z * sqrt(stages)
  sizes <- seq(least_stage_forks, most)
  vapply(seq_along(gap), function(i) {
    quantile <- stats::qt(stats::pnorm(need[i], log.p = TRUE), 2 * (sizes - 1), log.p = TRUE)
    power <- stats::pnorm(gap[i] * sqrt(sizes) / spread[i] - quantile)
    sizes[which(power >= stage_power)[1]]
  }, 0L)
}

#' Both cells of each contrast, each with the largest number of forks that any contrast needs.
cells_needed <- function(contrasts) {
  sides <- lapply(c("numerator", "denominator"), function(which) {
    side_of(contrasts, which)[, .(experiment, environment, protocol, cell, forks = as.integer(contrasts$needed))]
  })
  rbindlist(sides)[nzchar(cell), .(forks = max(forks)), by = .(experiment, environment, protocol, cell)]
}
