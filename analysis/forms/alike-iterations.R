#: {compares: iterations, needs: text, parameters: {within: positive}}
# Iterations of one JVM differ little once it is warm: in the typical cell their standard deviation is below `within` of
# their mean.

#' @param check one row of iteration_checks.csv; `parameters` of the claim
#' @return list: `estimate`, `lower`, `upper` (95 %), `n` cells behind it, `target_lower`, `target_upper`, `sentence`
form_alike_iterations <- function(check, parameters) {
  list(
    estimate = check$variation, lower = check$variation_lower, upper = check$variation_upper, n = check$cells,
    target_lower = 0, target_upper = parameters$within, sentence = sprintf(
      "in the typical cell a warm JVM's iterations differ by %s %% of their mean; %s %% of all lie far out, %s",
      format_plain(100 * check$variation), format_plain(100 * check$far_out_share),
      sprintf("%s %% of forks reach no steady state", format_plain(100 * check$unsteady_share))
    )
  )
}
