# Under which protocols a claim can be judged: those that all its workloads are measured under.

#' @param claim of `listed_claims`
#' @return names of protocols; NULL where the experiment doesn't tell them
claim_protocols <- function(claim) {
  sides <- unlist(lapply(claim$ratios, function(ratio) list(ratio$numerator, ratio$denominator)), recursive = FALSE)
  filters <- c(list(claim$among, claim$values), sides)
  named <- unique(unlist(lapply(filters, function(filter) filter$workload)))
  protocols <- names(claim$experiment$protocols)
  for (name in named) {
    own <- unlist(claim$experiment$workloads[[name]]$protocols)
    if (!is.null(own)) protocols <- intersect(protocols, own)
  }
  protocols
}
