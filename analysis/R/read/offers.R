# What the providers of a round offer: offered.csv, of rounds whose workloads compare providers.

offered_columns <- c("fork", "offered", "why", "answer")
offers_columns <- c(
  "experiment", "environment", "round", "fork", "cell", "workload", "provider", "cpu_profile", "offered", "why",
  "answer"
)

#' The forks of a round with what was found of them: `offered` is yes, no, wrong or differs; yes for all where nothing
#' was asked.
#'
#' @param folder of the round; `forks` of `read_cells_csv`
#' @return `forks` with columns `offered`, `why`, `answer`, `asked`
with_offers <- function(folder, forks) {
  file <- file.path(folder, "offered.csv")
  if (!file.exists(file)) return(copy(forks)[, `:=`(offered = "yes", why = "", answer = "", asked = FALSE)][])
  rows <- read_csv_strictly(file, types = "character")
  check_columns(file, names(rows), offered_columns)
  unknown <- setdiff(rows$offered, c("yes", "no", "wrong", "differs"))
  if (length(unknown) > 0) damaged(file, paste("says", some_of(unknown)), "yes, no, wrong or differs")
  found <- match(forks$fork, suppressWarnings(as.numeric(rows$fork)))
  if (nrow(rows) != sum(!is.na(found))) damaged(file, "has a fork twice, or one that cells.csv lacks", "each once")
  copy(forks)[, `:=`(
    offered = fcoalesce(rows$offered[found], "yes"), why = fcoalesce(rows$why[found], ""),
    answer = fcoalesce(rows$answer[found], ""), asked = !is.na(found)
  )][]
}
