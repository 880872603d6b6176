# Verdicts over machines: the combined result of all machines that measured a claim, from three machines on.

machine_verdict_columns <- columns_of("machine_verdicts.csv")

#' Columns that identify a contrast within its claim, variant and stratum, and are the same on each machine.
contrast_key <- c(
  "measure", "item", "setting", "own_profile", "scope", "numerator", "denominator", paste0("numerator_", side_columns),
  paste0("denominator_", side_columns), "target_lower", "target_upper"
)

#' The verdict of every claim, variant and stratum over the machines that measured all of its contrasts there.
#'
#' The log ratios of a contrast, one per machine, are a sample of machines (`over_machines`). The claim is judged on
#' them in the same way as on one machine, with Holm's correction over this table. Measurement kits with the same JVM
#' count as machines of one environment, `kit`.
#'
#' Claims about curves (form `linear`) or counts have no verdict here. A claim across settings has none either, because
#' its test assumes independent settings, and settings on the same machines are not independent.
#'
#' @param open `open` of `judge_claims`
#' @return the table `machine_verdicts.csv` of the dictionary
machine_verdicts <- function(open, definitions, pairs) {
  nothing <- no_rows(machine_verdict_columns)
  if (nrow(open$contrasts) == 0) return(nothing)
  settings <- definitions$settings
  by <- c("experiment", "claim", "variant", setdiff(place_columns, "machine_id"))
  rows <- Filter(length, lapply(listed_claims(definitions, pairs), function(claim) {
    if (claim$decision$compares == "series" || claim$decision$across) return(NULL)
    measures <- claim$measures
    of <- list(experiment = claim$experiment$id, claim = claim$id)
    own <- open$contrasts[of, on = names(of), nomatch = NULL]
    own <- without_kits(own[used == TRUE & is.finite(log_ratio) & measure %in% measures])
    parts <- lapply(split(own, by = by), over_machines_row, claim, by, settings$confidence %||% 0.95)
    rbindlist(parts, fill = TRUE)
  }))
  if (length(rows) == 0 || nrow(rows <- rbindlist(rows, fill = TRUE)) == 0) return(nothing)
  alpha <- settings$alpha %||% 0.05
  rows <- with_direction(adjust_holm(with_family(rows, definitions), alpha), alpha)
  rows[, reason := vapply(seq_len(.N), function(row) machine_reason(rows[row]), "")]
  rows[, machine_verdict_id := sprintf("m%d", .I)]
  rows[, machine_verdict_columns, with = FALSE]
}

#' Contrasts with the environment `kit` where a kit's environment contains the id of the machine.
without_kits <- function(contrasts) {
  for (column in c("environment", "numerator_environment", "denominator_environment")) {
    own <- contrasts[[column]] == paste0("kit-", contrasts$machine_id)
    set(contrasts, which(own), column, "kit")
  }
  contrasts
}

#' One row of the table before Holm; nothing where too few machines have all contrasts.
over_machines_row <- function(rows, claim, by, confidence) {
  rows[, key := .GRP, by = contrast_key]
  rows[, whole := uniqueN(key) == uniqueN(rows$key), by = machine_id]
  rows <- rows[whole == TRUE]
  machines <- sort(unique(rows$machine_id))
  if (length(machines) < least_machines) return(NULL)
  joined <- joined_machines(rows, confidence)
  comparable <- joined[!nzchar(excluded) & !nzchar(featured)]
  summary <- summarise_contrasts(if (nrow(comparable) > 0) comparable else joined, counts_points(claim))
  if (claim$decision$reversed) summary$answer <- other_answer(summary$answer)
  verdict <- "undecided"
  if (!claim$decision$judged || nrow(comparable) == 0) {
    verdict <- "not-comparable"
    summary[c("p", "unproven")] <- list(NA_real_, FALSE)
  }
  decisive <- joined[contrast == summary$contrast]
  as.data.table(c(
    rows[1, by, with = FALSE], list(
      measure = claim$measure, form = claim$form, machines = length(machines),
      machine_ids = paste(machines, collapse = " "), verdict = verdict, forks = summary$forks_min
    ),
    summary[c(
      "estimate", "lower", "upper", "contrasts", "warm_up_state", "warm_up_why", "p", "answer", "p_same", "p_opposite",
      "sized", "unproven", "unproven_side", "sentence", "target"
    )], decisive[, .(predicted_lower, predicted_upper, spread)]
  ))
}

#' Contrasts of several machines, combined into one each, with the estimates, p values and states that verdicts need.
joined_machines <- function(rows, confidence) {
  setorder(rows, machine_id, key)
  joined <- rows[!duplicated(key)]
  ratios <- joined$ratio_scale %in% TRUE
  scale <- if (all(ratios)) pair_scales$ratio else pair_scales$difference
  found <- rows[, c(over_machines(log_ratio, confidence), worst_of_machines(.SD)), by = key]
  found <- found[joined[, .(key)], on = "key"]
  joined[, `:=`(
    log_ratio = found$mean, se_log = found$se, df = found$df, spread = found$spread, ratio = scale$back(found$mean),
    lower = scale$back(found$lower), upper = scale$back(found$upper),
    predicted_lower = scale$back(found$predicted_lower), predicted_upper = scale$back(found$predicted_upper),
    forks_min = found$forks, warm_up_state = found$warm_up_state, warm_up_why = found$warm_up_why,
    reference_reach = found$reference_reach
  )]
  timed <- rests_on_times(joined$measure)
  joined[, tipping_factor := fifelse(
    timed, fifelse(ratios, tipping_factor(lower, upper, target_lower, target_upper), 1), NA_real_
  )]
  joined[, tipping_side := fifelse(ratios, tipping_factor(lower, upper, side_lower, side_upper), 1)]
  joined[, c("p_support", "p_refute") := target_p_values(
    log_ratio, se_log, df, target_lower, target_upper, scale = scale$to
  )]
  sides <- side_p_values(joined, function(lower, upper) {
    target_p_values(joined$log_ratio, joined$se_log, joined$df, lower, upper, scale = scale$to)
  })
  if (!is.null(sides)) set(joined, j = names(sides), value = sides)
  near <- which(!is.na(joined$p_alike))
  set(joined, near, "p_alike", joined[near, target_p_values(log_ratio, se_log, df, 1 / alike, alike)$p_support])
  joined[]
}

#' The worst warm-up state of a contrast's machines, the largest `reference_reach`, and the total of their forks.
worst_of_machines <- function(rows) {
  worst <- which.max(fcoalesce(match(rows$warm_up_state, warm_up_states), 0L))
  list(
    warm_up_state = rows$warm_up_state[worst], warm_up_why = rows$warm_up_why[worst],
    reference_reach = max(rows$reference_reach),
    forks = sum(rows$forks_min)
  )
}

#' The reason of a verdict over machines, in words.
machine_reason <- function(row) {
  range <- function(lower, upper) sprintf("%s to %s", format_measured(lower), format_measured(upper))
  text <- sprintf(
    "%s; %d machines give %s, one more like these may give %s", row$sentence, row$machines, range(row$lower, row$upper),
    range(row$predicted_lower, row$predicted_upper)
  )
  if (row$verdict == "undecided") text <- sprintf("%s, wanted %s", text, row$target)
  if (row$unproven) sprintf("%s; warm-up unproven (%s)", text, row$warm_up_why) else text
}

#' Verdicts over machines as rows of notes.csv, which the report shows.
machine_verdict_notes <- function(rows) {
  variant <- fifelse(nzchar(rows$variant), paste0(", ", rows$variant), "")
  warnings_table(
    paste0(rows$experiment, " ", rows$claim, variant),
    sprintf(
      "over %s machines: %s (%s): %s",
      rows$machines, describe_verdict(rows$verdict), rows$machine_verdict_id, rows$reason
    )
  )
}

# Several machines are one more level of replication, above rounds.

#' Fewest machines for an interval over machines.
least_machines <- 3L

#' Student's interval over machines, and the prediction interval for one more machine like these.
#'
#' Each machine contributes one value from its rounds, however many rounds it had. Machines differ, and more rounds do
#' not show by how much.
#'
#' With k machines the interval is mean -+ t s / sqrt(k). That for one more machine is mean -+ t s sqrt(1 + 1/k).
#' Student's t has k - 1 degrees of freedom (Hahn and Meeker 1991, sections 2.2 and 2.4).
#'
#' @param values one per machine: log ratios, or differences
#' @return list, on the scale of the values. All but `machines` and `mean` are NA below `least_machines`
over_machines <- function(values, confidence = 0.95) {
  k <- length(values)
  enough <- k >= least_machines
  spread <- if (enough) stats::sd(values) else NA_real_
  t <- if (enough) stats::qt((1 + confidence) / 2, k - 1) else NA_real_
  half <- c(interval = 1 / sqrt(k), prediction = sqrt(1 + 1 / k)) * t * spread
  list(
    machines = k, mean = mean(values), se = spread / sqrt(k), df = if (enough) k - 1 else NA_real_, spread = spread,
    lower = mean(values) - half[["interval"]], upper = mean(values) + half[["interval"]],
    predicted_lower = mean(values) - half[["prediction"]], predicted_upper = mean(values) + half[["prediction"]]
  )
}
