# Makes every number and word of the report that depends on data: each file in tables/ defines one function
# table_<name>(data), whose result is written as <name>.json. Typst only lays them out.
# Usage: Rscript analysis/tables.R --tidy DIR --definitions FILE --published DIR --rounds DIR --out DIR

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
analysis_dir <- dirname(script)
source(file.path(analysis_dir, "load.R"))

run_script(function() {
  arguments <- read_arguments(report_arguments("rounds", "a JSON file per table"), "Makes every number of the report.")
  data <- read_report_data(arguments$tidy, arguments$definitions, arguments$published, arguments$rounds)
  dir.create(arguments$out, recursive = TRUE, showWarnings = FALSE)
  tables <- load_parts(file.path(analysis_dir, "tables"), "table")
  for (name in names(tables)) {
    jsonlite::write_json(
      tables[[name]](data), file.path(arguments$out, paste0(name, ".json")),
      auto_unbox = TRUE, null = "null", na = "null", digits = NA, pretty = TRUE
    )
  }
})
