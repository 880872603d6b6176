# Claim forms, found by listing forms/: `<form>.R` defines `form_<form>` and opens with a header for planner and judge.

#' The forms there are.
#'
#' @param folder forms/
#' @return named list, by form: list(`compares` = levels, ratios, values, series, iterations or nothing; `partial` =
#'   whether it is judged on the levels that were measured, where some were not; `across` = whether it compares
#'   contrasts across a claim's `across`; `reversed` = whether the claim is that the targets are missed; `targets` = the
#'   function)
#' @section Errors: refuses a form without its header or function.
claim_forms <- function(folder) {
  files <- sort(list.files(folder, "\\.R$", full.names = TRUE), method = "radix")
  forms <- lapply(files, function(file) {
    header <- grep("^#: ", readLines(file, warn = FALSE), value = TRUE)
    compares <- picked(header[1], "compares: *(levels|ratios|values|series|iterations|nothing)\\b")
    if (length(header) != 1 || is.na(compares)) {
      expected <- "one line '#: {compares: levels|ratios|values|series|iterations|nothing, parameters: {...}}'"
      refuse(file, "has no header", expected, "add it")
    }
    name <- paste0("form_", gsub("-", "_", sub("\\.R$", "", basename(file)), fixed = TRUE))
    if (!exists(name, mode = "function")) {
      refuse(file, paste("doesn't define", name), "the function of its name", "define it")
    }
    list(
      compares = compares, partial = grepl("\\bpartial: *true\\b", header),
      across = grepl("\\bacross: *true\\b", header), reversed = grepl("\\breversed: *true\\b", header),
      targets = get(name, mode = "function")
    )
  })
  stats::setNames(forms, sub("\\.R$", "", basename(files)))
}
