#: {compares: nothing, needs: reason, parameters: {}}
# A claim that this pipeline can't test yet; the experiment file gives the reason.

#' @return no contrast
form_not_testable <- function(contrasts, parameters) {
  contrasts[0][, `:=`(target_lower = numeric(), target_upper = numeric())][]
}
