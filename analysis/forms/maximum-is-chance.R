#: {compares: iterations, needs: text, parameters: {}}
# The maximum of the iterations is chance: in the typical cell JVMs differ more in their maximum than in their mean.

#' @inheritParams form_alike_iterations
form_maximum_is_chance <- function(check, parameters) {
  list(
    estimate = check$maximum_ratio, lower = check$maximum_lower, upper = check$maximum_upper, n = check$maximum_cells,
    target_lower = 1, target_upper = Inf, sentence = sprintf(
      "in the typical cell JVMs differ %s times as much in their slowest iteration as in their mean",
      format_plain(check$maximum_ratio)
    )
  )
}
