# Makes every number and word of the report that depends on data: the result of each function
# table_<name>(data) is written as <name>.json. Typst only lays them out.

command_tables <- function(words) {
  options <- report_arguments("rounds", "a JSON file per table")
  arguments <- read_arguments(options, "Makes every number of the report.", words)
  validity <- analysis_path("validity.csv")
  data <- read_report_data(arguments$tidy, arguments$definitions, arguments$published, arguments$rounds, validity)
  dir.create(arguments$out, recursive = TRUE, showWarnings = FALSE)
  tables <- report_tables()
  for (name in names(tables)) {
    jsonlite::write_json(
      tables[[name]](data), file.path(arguments$out, paste0(name, ".json")),
      auto_unbox = TRUE, null = "null", na = "null", digits = NA, pretty = TRUE
    )
  }
}
