# What the providers of a round offer: offered.csv, of rounds whose workloads compare providers.

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
  found <- match(forks$fork, as.numeric(rows$fork))
  copy(forks)[, `:=`(
    offered = fcoalesce(rows$offered[found], "yes"), why = fcoalesce(rows$why[found], ""),
    answer = fcoalesce(rows$answer[found], ""), asked = !is.na(found)
  )][]
}
