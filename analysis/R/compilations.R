# What runs each fork's hot chain, and what happened to that code: chain.csv and compilations.csv of a round. A round
# that was measured before they were recorded has neither, nor one without a JVM.

chain_types <- c(
  fork = "numeric", depth = "numeric", method = "character", share = "numeric", state = "character",
  within = "character", since_ms = "numeric"
)
compilations_types <- c(
  fork = "numeric", uptime_ms = "numeric", method = "character", tier = "numeric", event = "character"
)

read_chain <- function(folder) read_optional_table(folder, "chain.csv", chain_types)

read_compilations <- function(folder) read_optional_table(folder, "compilations.csv", compilations_types)

#' A table of a round that may not be there; without rows then.
#'
#' @param types column to class
read_optional_table <- function(folder, name, types) {
  file <- file.path(folder, name)
  if (!file.exists(file)) return(as.data.table(lapply(types, vector, length = 0)))
  rows <- read_csv_strictly(file, types = split(names(types), types))
  for (column in names(types)[types == "character"]) set(rows, j = column, value = fcoalesce(rows[[column]], ""))
  rows
}
