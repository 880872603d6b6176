# Claim forms, found by listing forms/: `<form>.R` defines `form_<form>` and opens with a header for planner and judge.

#' The forms there are.
#'
#' @param folder of the files
#' @return named list, by form: list(`compares` = one of `comparisons`; `partial` =
#'   whether it is judged on the levels that were measured, where some were not; `across` = whether it compares
#'   contrasts across a claim's `across`; `reversed` = whether the claim is that the targets are missed; `judged` =
#'   whether it gives a verdict; `featured` = whether pairs that use features of the CPU are told apart; `targets` =
#'   the function)
#' @section Errors: refuses a form without its header.
claim_forms <- function(folder = analysis_path("forms")) {
  names <- sub("\\.R$", "", sort(list.files(folder, "\\.R$"), method = "radix"))
  forms <- lapply(names, function(name) {
    file <- file.path(folder, paste0(name, ".R"))
    space <- new.env(parent = topenv())
    sys.source(file, space)
    targets <- space[[paste0("form_", gsub("-", "_", name))]]
    if (is.null(targets)) {
      promised <- paste0("form_", gsub("-", "_", name), "()")
      refuse(file, "does not define the function that its name promises", promised, "define it")
    }
    header <- grep("^#: ", readLines(file, warn = FALSE), value = TRUE)
    compares <- picked(header[1], "compares: *([a-z-]+)")
    if (length(header) != 1 || !compares %in% names(comparisons())) {
      known <- paste(names(comparisons()), collapse = "|")
      expected <- sprintf("one line '#: {compares: %s, needs: <key of the claim>, parameters: {...}}'", known)
      refuse(file, "has no header", expected, "add it")
    }
    list(
      compares = compares, partial = grepl("\\bpartial: *true\\b", header),
      across = grepl("\\bacross: *true\\b", header), reversed = grepl("\\breversed: *true\\b", header),
      judged = !grepl("\\bjudged: *false\\b", header), featured = grepl("\\bfeatured: *true\\b", header),
      targets = targets
    )
  })
  setNames(forms, names)
}
