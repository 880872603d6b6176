# Every claim in words, with what its study published of it: what the explorer's first page shows.

#' One row per claim of an experiment.
#'
#' @param definitions of definitions.json; `published` of `published_values`; `ratios` of `published_ratios`
#' @return the table `claim_list.csv` of the dictionary. `published_value` is in the unit of the claim's estimate; it is
#'   NA where the study gives words only
claim_list <- function(definitions, published, ratios) {
  experiments <- definitions$experiments %||% list()
  data <- list(
    experiments = stats::setNames(experiments, vapply(experiments, function(each) each$id, "")),
    published = published, published_ratios = ratios
  )
  rows <- lapply(experiments, function(experiment) {
    lapply(names(experiment$claims), function(name) {
      claim <- experiment$claims[[name]]
      figures <- published_figures(data, experiment$id, name)
      data.table(
        experiment = experiment$id, claim = name, text = claim$text %||% "", place = claim$place %||% "",
        form = claim$form, published = describe_published(figures),
        published_value = if (is.finite(figures$stated)) figures$stated else as.numeric(figures$table$ratio %||% NA)
      )
    })
  })
  empty <- data.table(
    experiment = character(), claim = character(), text = character(), place = character(), form = character(),
    published = character(), published_value = numeric()
  )
  rbindlist(c(list(empty), unlist(rows, recursive = FALSE)))
}
